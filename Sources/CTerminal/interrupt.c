#define _GNU_SOURCE
#include "CTerminal.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t caught;
static int null_device = -1, event = -1;
static struct timespec first;

static void catch_signal(int number) {
    const int saved = errno;
    const uint64_t one = 1;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (caught) {
        // A later signal ends the process. timeout(1) repeats its signal at once, for the process group.
        if ((now.tv_sec - first.tv_sec) * 1000 + (now.tv_nsec - first.tv_nsec) / 1000000 < 500) return;
        signal(number, SIG_DFL);
        raise(number);
        return;
    }
    first = now;
    caught = number;
    // A read of standard input that waits is interrupted and repeated. It then finds the end of the input.
    if (null_device >= 0) dup2(null_device, STDIN_FILENO);
    if (event >= 0 && write(event, &one, sizeof one) < 0) { /* The event is already set. */ }
    errno = saved;
}

int gifplay_catch_interrupts(void) {
    const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    null_device = open("/dev/null", O_RDONLY | O_CLOEXEC);
    event = eventfd(0, EFD_CLOEXEC);
    for (unsigned index = 0; index < sizeof numbers / sizeof *numbers; index++) {
        struct sigaction old, action = {.sa_handler = catch_signal};
        // nohup ignores SIGHUP.
        if (sigaction(numbers[index], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            sigaction(numbers[index], &action, NULL);
    }
    return event;
}

int gifplay_caught_signal(void) { return caught; }
