#define _GNU_SOURCE
#include "CTerminal.h"

#include <errno.h>
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
