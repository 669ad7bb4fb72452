#define _GNU_SOURCE
#include "CTerminal.h"

#include <poll.h>
#include <time.h>

int gifplay_poll(struct pollfd *descriptors, unsigned long count, const struct timespec *timeout) {
    return ppoll(descriptors, count, timeout, NULL);
}
