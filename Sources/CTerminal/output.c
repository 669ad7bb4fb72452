#include "CTerminal.h"

#include <errno.h>
#include <stdio.h>

/* If fflush succeeds but ferror reports an error, an earlier write failed. Its error number is no longer known, so the
 * function returns EIO. */
int gifplay_flush_output(void) {
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout)) return 0;
    return errno ? errno : EIO;
}
