#include "CTerminal.h"

#include <sys/prctl.h>

/* A limit of 0 on core files would not do: a core that goes to a program, as systemd's, has no limit. */
void gifplay_withhold_memory(void) { prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }
