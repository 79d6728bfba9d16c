#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The allocations of the calling thread since the counting began.
typedef struct {
  /// The number of allocated blocks. A block that is reallocated counts again.
  uint64_t count;
  /// The number of requested bytes.
  uint64_t bytes;
  /// The bytes of the blocks that are still allocated, including the allocator's overhead, less those
  /// of freed blocks that were allocated before the counting began.
  int64_t live;
  /// The maximum of `live`.
  int64_t peak;
} allocation_counts;

/// Whether allocations can be counted on this system.
bool can_count_allocations(void);

/// Begins to count the calling thread's allocations from zero.
void begin_counting_allocations(void);

/// Returns the counts so far.
allocation_counts counted_allocations(void);

/// Stops counting.
void end_counting_allocations(void);

/// Returns the bytes of all allocated blocks, including the allocator's overhead.
size_t allocated_bytes(void);

/// Returns the peak resident memory of the process in bytes.
size_t peak_resident_bytes(void);

/// Does nothing with the value, which the compiler cannot see.
void black_hole(const void *value);

/// Returns the processor time of the calling thread in nanoseconds.
double thread_nanoseconds(void);
