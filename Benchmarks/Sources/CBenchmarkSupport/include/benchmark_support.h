#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// What the calling thread allocated since the counting began.
typedef struct {
  /// How many blocks were asked for; a block that is made larger counts again.
  uint64_t count;
  /// The bytes that were asked for.
  uint64_t bytes;
  /// The bytes of the blocks that are still there, the allocator's own included, less those of blocks
  /// from before that are gone.
  int64_t live;
  /// The most that `live` was.
  int64_t peak;
} allocation_counts;

/// Whether allocations can be counted on this system.
bool can_count_allocations(void);

/// Begins to count the calling thread's allocations, from zero.
void begin_counting_allocations(void);

/// What was counted so far.
allocation_counts counted_allocations(void);

/// Stops counting.
void end_counting_allocations(void);

/// The bytes that the allocator has handed out, its own overhead included.
size_t allocated_bytes(void);

/// The most memory that the process ever had resident, in bytes.
size_t peak_resident_bytes(void);

/// Does nothing with what the address leads to, in a way that the compiler cannot know.
void black_hole(const void *value);

/// The nanoseconds that the calling thread has run on a processor.
double thread_nanoseconds(void);
