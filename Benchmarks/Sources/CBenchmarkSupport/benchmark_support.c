#include "benchmark_support.h"

#include <time.h>

#if defined(__GLIBC__) || defined(__linux__)
#include <malloc.h>

size_t allocated_bytes(void) {
  struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}
#else
#include <malloc/malloc.h>

size_t allocated_bytes(void) {
  malloc_statistics_t statistics;
  malloc_zone_statistics(NULL, &statistics);
  return statistics.size_in_use;
}
#endif

void black_hole(const void *value) { (void)value; }

double thread_nanoseconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}
