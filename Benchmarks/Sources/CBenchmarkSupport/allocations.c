#include "benchmark_support.h"

#include <stdlib.h>

#if defined(__linux__) && defined(__GLIBC__)
#include <errno.h>
#include <malloc.h>

// These functions replace those of the C library in the whole process. While nothing is counted, as
// in all timed turns, they cost an additional load and branch, for every contestant alike.

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

static __thread bool is_counting __attribute__((tls_model("initial-exec")));
static __thread allocation_counts counts __attribute__((tls_model("initial-exec")));

// Returns a block's size including the allocator's word before it.
static int64_t weight(void *block) {
  return block ? (int64_t)(malloc_usable_size(block) + sizeof(size_t)) : 0;
}

static void *counted(void *block, size_t size) {
  if (__builtin_expect(is_counting, false) && block) {
    counts.count += 1;
    counts.bytes += size;
    counts.live += weight(block);
    if (counts.live > counts.peak) counts.peak = counts.live;
  }
  return block;
}

void *malloc(size_t size) { return counted(__libc_malloc(size), size); }

void *calloc(size_t number, size_t size) {
  return counted(__libc_calloc(number, size), number * size);
}

void *realloc(void *block, size_t size) {
  int64_t before = is_counting ? weight(block) : 0;
  void *moved = __libc_realloc(block, size);
  // A failure keeps the old block; a size of zero frees it.
  if (is_counting && (moved || size == 0)) counts.live -= before;
  return counted(moved, size);
}

void *memalign(size_t alignment, size_t size) {
  return counted(__libc_memalign(alignment, size), size);
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **result, size_t alignment, size_t size) {
  void *block = memalign(alignment, size);
  if (!block) return ENOMEM;
  *result = block;
  return 0;
}

void free(void *block) {
  if (__builtin_expect(is_counting, false)) counts.live -= weight(block);
  __libc_free(block);
}

bool can_count_allocations(void) { return true; }

void begin_counting_allocations(void) {
  counts = (allocation_counts){0};
  is_counting = true;
}

allocation_counts counted_allocations(void) { return counts; }

void end_counting_allocations(void) { is_counting = false; }

#else

bool can_count_allocations(void) { return false; }
void begin_counting_allocations(void) {}
allocation_counts counted_allocations(void) { return (allocation_counts){0}; }
void end_counting_allocations(void) {}

#endif
