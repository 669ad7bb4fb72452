#include "CTerminal.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

static int lost_by = EIO;

/* fwrite reports no error if only an earlier part of the buffer was lost, so errno is checked. */
void gifplay_print(const void *bytes, unsigned long count) {
    errno = 0;
    fwrite(bytes, 1, count, stdout);
    if (!errno || !ferror(stdout)) return;
    if (errno == EPIPE) _exit(0);
    lost_by = errno;
}

int gifplay_flush_output(void) {
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout)) return 0;
    return errno ? errno : lost_by;
}
