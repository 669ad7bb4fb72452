#define _DEFAULT_SOURCE
#include "CTerminal.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

/* The signal handler uses only functions that POSIX defines as async-signal-safe: write, tcflush, tcsetattr and
 * raise. */

static volatile sig_atomic_t armed;
static int terminal;
static struct termios modes;
static char restore_bytes[128];
static unsigned long restore_count;

/* The signal handler's own stack. After a stack overflow, the handler cannot run on the thread's stack. */
static char handler_stack[64 << 10];

static const int fatal[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT, SIGSYS};

static void restore(int number) {
    if (armed) {
        armed = 0;
        if (write(terminal, restore_bytes, restore_count) != (ssize_t)restore_count) {
            tcflush(terminal, TCOFLUSH);
            ssize_t ignored = write(terminal, restore_bytes, restore_count);
            (void)ignored;
        }
        tcsetattr(terminal, TCSANOW, &modes);
    }
    /* SA_RESETHAND has restored the default action, so this signal ends the process. */
    raise(number);
}

void gifplay_arm_crash_restore(int descriptor, const struct termios *saved, const void *bytes, unsigned long count) {
    armed = 0;
    terminal = descriptor;
    modes = *saved;
    restore_count = count < sizeof restore_bytes ? count : sizeof restore_bytes;
    memcpy(restore_bytes, bytes, restore_count);
    stack_t stack = {.ss_sp = handler_stack, .ss_size = sizeof handler_stack};
    sigaltstack(&stack, NULL);
    struct sigaction action = {.sa_handler = restore, .sa_flags = SA_RESETHAND | SA_NODEFER | SA_ONSTACK};
    sigemptyset(&action.sa_mask);
    for (unsigned long i = 0; i < sizeof fatal / sizeof *fatal; i++) sigaction(fatal[i], &action, NULL);
    armed = 1;
}

void gifplay_disarm_crash_restore(void) { armed = 0; }
