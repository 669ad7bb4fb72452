#pragma once

/* Parts of the C library that Swift's Glibc module does not provide. */

#include <malloc.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/uio.h>
#include <termios.h>

/// The number of terminal cells that a Unicode scalar takes (0, 1 or 2), by the C library's table for C.UTF-8.
/// Scalars that cannot be printed take 0.
int gifplay_cell_width(uint32_t scalar);

/// Restores the terminal if the process crashes. On SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT and SIGSYS the
/// handler writes `bytes` to `descriptor`, sets the modes `saved`, and raises the signal again with its default action.
/// If the terminal accepts no output, the handler first drops the output that is queued before `bytes`. It also runs
/// after a stack overflow of the calling thread.
/// Copies `bytes` (at most 128) and `saved`.
void gifplay_arm_crash_restore(int descriptor, const struct termios *saved, const void *bytes, unsigned long count);

/// Undoes gifplay_arm_crash_restore: a crash no longer changes the terminal.
void gifplay_disarm_crash_restore(void);

/// Disables core dumps, and access to this process's memory by other processes of the same user.
void gifplay_protect_memory(void);

/// Writes the buffered standard output. Returns 0, or the error number if any output of the process was lost.
int gifplay_flush_output(void);

struct pollfd;
struct timespec;

/// poll(2) with a timeout in nanoseconds. NULL waits without a timeout.
int gifplay_poll(struct pollfd *descriptors, unsigned long count, const struct timespec *timeout);
