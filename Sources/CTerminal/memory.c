#include "CTerminal.h"

#include <sys/prctl.h>

/* RLIMIT_CORE = 0 is not enough, because it does not limit core dumps that the kernel pipes to a program, such as
 * systemd-coredump. */
void gifplay_protect_memory(void) { prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }
