#include "CTerminal.h"

#include <errno.h>
#include <stdio.h>

/* ferror also reports an earlier failed write, whose error number is no longer known. The function then returns EIO. */
int gifplay_flush_output(void) {
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout)) return 0;
    return errno ? errno : EIO;
}
