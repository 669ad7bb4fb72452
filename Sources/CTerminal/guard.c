#define _GNU_SOURCE
#include "CTerminal.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

/* A thread that ends the process by a fatal signal if the main thread does not react for two seconds. It sleeps until
 * input or a signal arrives. */

enum { patience = 2000 };

static int queue = -1;
static atomic_int terminal;
/* Odd while the main thread works, even while it waits for events. */
static atomic_uint turn;

void gifplay_record_turn(bool works) {
    if ((turn % 2 == 1) != works) turn++;
}

static long milliseconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

/* Returns once the main thread waits for events or counts as blocked. */
static bool is_blocked(void) {
    struct epoll_event event;
    unsigned seen = turn;
    for (long end = milliseconds() + patience;;) {
        long rest = end - milliseconds();
        if (rest > 0) {
            if (epoll_wait(queue, &event, 1, (int)rest) < 1 || turn == seen) continue;
            seen = turn;
            end = milliseconds() + patience;
            continue;
        }
        unsigned present = turn;
        if (present % 2 == 0 || present - seen > 1) return false;
        if (present == seen) return gifplay_is_crash_restore_armed();
        seen = present;
        end = milliseconds() + patience;
    }
}

static void end_by_pending_signal(void) {
    sigset_t pending;
    sigpending(&pending);
    for (int number = 1; number < SIGRTMIN; number++) {
        bool is_harmless = number == SIGWINCH || number == SIGCONT || number == SIGTSTP;
        if (sigismember(&pending, number) == 1 && !is_harmless) gifplay_end_by_signal(number);
    }
}

/* Makes the kernel send SIGINT for the next Ctrl-C. The queued input is left to the main thread. */
static void enable_interrupt_key(void) {
    struct termios modes;
    if (tcgetattr(terminal, &modes) != 0) return;
    modes.c_lflag |= ISIG | NOFLSH;
    modes.c_cc[VINTR] = 3;
    modes.c_cc[VQUIT] = modes.c_cc[VSUSP] = _POSIX_VDISABLE;
    tcsetattr(terminal, TCSANOW, &modes);
}

static void watch(void *unused) {
    (void)unused;
    struct epoll_event event;
    for (;;) {
        if (epoll_wait(queue, &event, 1, -1) < 1 || !is_blocked()) continue;
        end_by_pending_signal();
        enable_interrupt_key();
    }
}

const char *gifplay_start_guard(void) {
    if (queue >= 0) return NULL;
    int created = epoll_create1(EPOLL_CLOEXEC);
    if (created < 0) return strerror(errno);
    queue = created;
    if (gifplay_start_thread(watch, NULL)) return NULL;
    close(created);
    queue = -1;
    return GIFPLAY_NO_THREAD;
}

void gifplay_guard_terminal(int descriptor, int signals) {
    terminal = descriptor;
    gifplay_record_turn(true);
    struct epoll_event event = {.events = EPOLLIN | EPOLLET};
    epoll_ctl(queue, EPOLL_CTL_ADD, descriptor, &event);
    epoll_ctl(queue, EPOLL_CTL_ADD, signals, &event);
}

/* The first signal of a command that has no terminal to restore ends its input; a later one ends the process. */

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
