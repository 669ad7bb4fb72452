#define _GNU_SOURCE
#include "CTerminal.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t caught;
static int null_device = -1, event = -1;

static void catch_signal(int number) {
    const int saved = errno;
    const uint64_t one = 1;
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
        // The second signal ends the process.
        struct sigaction old, action = {.sa_handler = catch_signal, .sa_flags = (int)SA_RESETHAND};
        // nohup ignores SIGHUP.
        if (sigaction(numbers[index], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            sigaction(numbers[index], &action, NULL);
    }
    return event;
}

int gifplay_caught_signal(void) { return caught; }
