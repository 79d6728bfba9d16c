#pragma once
#include <stddef.h>

/// The bytes that the allocator has handed out, its own overhead included.
size_t allocated_bytes(void);

/// Does nothing with what the address leads to, in a way that the compiler cannot know.
void black_hole(const void *value);

/// The nanoseconds that the calling thread has run on a processor.
double thread_nanoseconds(void);
