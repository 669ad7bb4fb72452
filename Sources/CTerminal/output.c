#include "CTerminal.h"

#include <errno.h>
#include <stdio.h>

/* ferror also reports a write that failed earlier; its error number is then no longer known. */
int gifplay_flush_output(void) {
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout)) return 0;
    return errno ? errno : EIO;
}
