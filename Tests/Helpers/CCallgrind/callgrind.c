#include "CCallgrind.h"

// The tests of costs need valgrind, but all other tests can be built without it.
#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
void callgrind_zero(void) { CALLGRIND_ZERO_STATS; }
void callgrind_dump(void) { CALLGRIND_DUMP_STATS; }
#else
void callgrind_zero(void) {}
void callgrind_dump(void) {}
#endif
