#define _GNU_SOURCE
#include "CTerminal.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* The signal handler uses only functions that POSIX defines as async-signal-safe, and mmap, which is a system call. */

static atomic_bool armed;
static int terminal;
static struct termios modes;
static char restore_bytes[128];
static unsigned long restore_count;
static atomic_bool is_reply_expected;

static const int fatal[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT, SIGSYS};

bool gifplay_is_crash_restore_armed(void) { return armed; }

static void print(const char *text) {
    ssize_t ignored = write(STDERR_FILENO, text, strlen(text));
    (void)ignored;
}

static atomic_bool is_main_stopped;

/* Lets only the first thread end the process, because the end of another one would cut its output.
 * Returns false if this thread was already the first. */
static bool claim_end(void) {
    static atomic_int owner;
    int none = 0, self = gettid();
    if (atomic_compare_exchange_strong(&owner, &none, self)) return true;
    if (none != self && self == getpid()) is_main_stopped = true;
    while (none != self) pause();
    return false;
}

/* Makes the main thread call claim_end in its signal handler, so that it draws nothing over the restored screen. Waits for
 * at most 100 ms, because the kernel may hold the thread. */
static void stop_main_thread(void) {
    if (gettid() == getpid() || tgkill(getpid(), getpid(), SIGSYS) != 0) return;
    for (int i = 0; i < 100 && !is_main_stopped; i++) poll(NULL, 0, 1);
}

void gifplay_expect_reply(bool is_expected) { is_reply_expected = is_expected; }

/* Reads the replies up to the last one, which ends with the letter c, because the shell would take them for typed text. */
static void discard_replies(void) {
    struct pollfd input = {.fd = terminal, .events = POLLIN};
    char byte = 0;
    bool is_sequence = false;
    for (int left = 4096; left > 0 && is_reply_expected && poll(&input, 1, 1000) > 0; left--) {
        char previous = byte;
        if (read(terminal, &byte, 1) != 1) break;
        if (is_sequence && byte == 'c') is_reply_expected = false;
        is_sequence = (previous == 27 && byte == '[') || (is_sequence && byte < '@');
    }
    tcflush(terminal, TCIFLUSH);
}

static void restore(void) {
    if (!atomic_exchange(&armed, false)) return;
    stop_main_thread();
    /* The descriptor can be in blocking mode. */
    if (poll(&(struct pollfd){.fd = terminal, .events = POLLOUT}, 1, 0) == 0) tcflush(terminal, TCOFLUSH);
    if (write(terminal, restore_bytes, restore_count) != (ssize_t)restore_count) {
        tcflush(terminal, TCOFLUSH);
        ssize_t ignored = write(terminal, restore_bytes, restore_count);
        (void)ignored;
    }
    if (is_reply_expected) discard_replies();
    tcsetattr(terminal, TCSANOW, &modes);
}

void gifplay_fail(const char *message) {
    claim_end();
    restore();
    print("gifplay: ");
    print(message);
    print("\n");
    _exit(1);
}

void gifplay_end_by_signal(int number) {
    claim_end();
    restore();
    signal(number, SIG_DFL);
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, number);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    raise(number);
    _exit(128 + number);
}

/* Swift's runtime crashes if an allocation fails, which has set the error number. Without room for a stack to grow, only
 * the test shows the cause. */
static bool is_memory_exhausted(int error) {
    if (error == ENOMEM) return true;
    void *probe = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (probe == MAP_FAILED) return true;
    munmap(probe, 1 << 20);
    return false;
}

static void handle_crash(int number) {
    int error = errno;
    if (claim_end() && is_memory_exhausted(error)) gifplay_fail("out of memory");
    gifplay_end_by_signal(number);
}

void gifplay_handle_crashes(void) {
    static char stack[64 << 10];
    sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, NULL);
    struct sigaction action = {.sa_handler = handle_crash, .sa_flags = SA_NODEFER | SA_ONSTACK};
    for (unsigned long i = 0; i < sizeof fatal / sizeof *fatal; i++) sigaction(fatal[i], &action, NULL);
    /* Swift's runtime starts a debugger for this one, which is no crash. */
    sigaction(SIGQUIT, NULL, &action);
    if (action.sa_handler != SIG_IGN) signal(SIGQUIT, SIG_DFL);
}

void gifplay_arm_crash_restore(int descriptor, const struct termios *saved, const void *bytes, unsigned long count) {
    armed = false;
    terminal = descriptor;
    modes = *saved;
    restore_count = count < sizeof restore_bytes ? count : sizeof restore_bytes;
    memcpy(restore_bytes, bytes, restore_count);
    armed = true;
}

void gifplay_disarm_crash_restore(void) { armed = false; }

struct work {
    void (*body)(void *);
    void *context;
};

static void *run_thread(void *argument) {
    struct work work = *(struct work *)argument;
    free(argument);
    /* Only a crash touches these pages of the thread's stack. They are not at the end at which it overflows. */
    char stack[32 << 10];
    stack_t before;
    sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, &before);
    work.body(work.context);
    sigaltstack(&before, NULL);
    return NULL;
}

bool gifplay_start_thread(void (*body)(void *), void *context) {
    struct work *work = malloc(sizeof *work);
    if (!work) return false;
    *work = (struct work){body, context};
    sigset_t set, before;
    sigfillset(&set);
    for (unsigned long i = 0; i < sizeof fatal / sizeof *fatal; i++) sigdelset(&set, fatal[i]);
    pthread_sigmask(SIG_SETMASK, &set, &before);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    /* Less than the usual 8 MiB, for `ulimit -v`. */
    pthread_attr_setstacksize(&attributes, 2 << 20);
    pthread_t thread;
    bool is_created = pthread_create(&thread, &attributes, run_thread, work) == 0;
    pthread_attr_destroy(&attributes);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!is_created) free(work);
    return is_created;
}
