#include "CTerminal.h"

#include <sys/prctl.h>

/* RLIMIT_CORE = 0 does not disable all core dumps, because the kernel ignores this limit if it pipes core dumps to a
 * program, such as systemd-coredump. */
void gifplay_protect_memory(void) { prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }
