#pragma once
#include <stddef.h>

/// The bytes that the allocator has handed out, its own overhead included.
size_t allocated_bytes(void);
