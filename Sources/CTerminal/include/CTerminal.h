#pragma once

/* Declares functions of this module and includes parts of the C library that Swift's Glibc module does not provide. */

#include <malloc.h>
#include <spawn.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <sys/uio.h>
#include <termios.h>

/// Returns the number of terminal cells for a Unicode scalar (0, 1 or 2), from the C library's table for C.UTF-8.
/// Returns 0 for scalars that cannot be printed.
int gifplay_cell_width(uint32_t scalar);

/// Installs a signal handler that restores the terminal if the process crashes. The handler runs on SIGSEGV, SIGBUS,
/// SIGILL, SIGTRAP, SIGFPE, SIGABRT and SIGSYS. It writes `bytes` to `descriptor`, sets the terminal modes `saved`, and
/// raises the signal again with its default action. If the terminal does not accept `bytes`, the handler discards the
/// queued output and writes `bytes` again. The handler works even after a stack overflow of the thread that called this
/// function. The function copies `saved` and at most 128 bytes of `bytes`.
void gifplay_arm_crash_restore(int descriptor, const struct termios *saved, const void *bytes, unsigned long count);

/// Reverses gifplay_arm_crash_restore, so that a later crash does not change the terminal.
void gifplay_disarm_crash_restore(void);

/// Disables core dumps, and prevents other processes of the same user from accessing this process's memory.
void gifplay_protect_memory(void);

/// Flushes standard output. Returns an error number if this or any earlier output was lost, otherwise 0.
int gifplay_flush_output(void);

struct pollfd;
struct timespec;

/// Waits like poll(2), but with a timeout in seconds and nanoseconds. If `timeout` is NULL, waits without a limit.
int gifplay_poll(struct pollfd *descriptors, unsigned long count, const struct timespec *timeout);

/// Lets the child process of posix_spawn(3) start in this folder. Returns an error number or 0.
int gifplay_spawn_chdir(posix_spawn_file_actions_t *actions, const char *folder);

/// Returns a descriptor of an unnamed file in memory that children do not inherit, or -1 with errno set.
int gifplay_memory_file(const char *name);
