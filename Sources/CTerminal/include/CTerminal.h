#pragma once

/* Declares functions of this module and includes parts of the C library that Swift's Glibc module does not provide. */

#include <malloc.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <sys/uio.h>
#include <termios.h>

/// Returns the number of terminal cells for a Unicode scalar (0, 1 or 2), from the C library's table for C.UTF-8.
/// Returns 0 for scalars that cannot be printed.
int gifplay_cell_width(uint32_t scalar);

/// The message if a thread cannot be created. The C library reports EAGAIN for a lack of memory too.
#define GIFPLAY_NO_THREAD \
    "cannot create a thread: Resource temporarily unavailable; raise 'ulimit -u' (processes) or 'ulimit -v' (memory)"

/// Handles SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT and SIGSYS in any thread, also after a stack overflow of the
/// calling thread or of a thread of gifplay_start_thread. The handler restores the terminal if gifplay_arm_crash_restore
/// was called. If memory is exhausted, it ends the process with a message and status 1, otherwise by the signal.
void gifplay_handle_crashes(void);

/// Makes a crash write `bytes` to `descriptor` and set the terminal modes `saved`. If the terminal does not accept
/// `bytes`, the queued output is discarded first. Copies `saved` and at most 128 bytes of `bytes`.
void gifplay_arm_crash_restore(int descriptor, const struct termios *saved, const void *bytes, unsigned long count);

/// Reverses gifplay_arm_crash_restore, so that a later crash does not change the terminal.
void gifplay_disarm_crash_restore(void);

bool gifplay_is_crash_restore_armed(void);

/// Makes a crash wait for up to one second for the replies of the terminal, so that the shell does not get them.
void gifplay_expect_reply(bool is_expected);

/// Restores the terminal like a crash, prints a message, and ends the process with status 1.
_Noreturn void gifplay_fail(const char *message);

/// Restores the terminal like a crash, and ends the process by a signal.
_Noreturn void gifplay_end_by_signal(int number);

/// Calls `body` on a new thread, with a stack for the crash handler. The thread blocks all signals but those of crashes,
/// because the main thread handles them. Returns false if the thread cannot be created.
bool gifplay_start_thread(void (*body)(void *), void *context);

/// Makes threads of gifplay run the tasks of Swift's concurrency. If the first task finds no thread and cannot create
/// one, it ends the process with GIFPLAY_NO_THREAD.
void gifplay_use_task_threads(void);

/// Calls `body` after a time on one of these threads. `body` must not wait.
void gifplay_call_later(unsigned long milliseconds, void (*body)(void *), void *context);

/// Starts these threads. Returns false if none can be created.
bool gifplay_start_task_threads(void);

/// Starts the thread that ends the process by a fatal signal if the main thread is blocked for two seconds. Ctrl-C then
/// counts as SIGINT. Returns the reason of a failure, otherwise NULL.
const char *gifplay_start_guard(void);

/// Makes the guard watch a terminal and a signalfd while gifplay_arm_crash_restore is in effect.
void gifplay_guard_terminal(int descriptor, int signals);

/// Tells the guard whether the main thread works or waits for events.
void gifplay_record_turn(bool works);

/// Disables core dumps, and prevents other processes of the same user from accessing this process's memory.
void gifplay_protect_memory(void);

/// Writes to the buffer of standard output. If the reader of a pipe has closed it, ends the process with status 0,
/// because nobody needs the rest. SIGPIPE must be ignored.
void gifplay_print(const void *bytes, unsigned long count);

/// Flushes standard output. Returns an error number if this or any earlier output was lost, otherwise 0.
int gifplay_flush_output(void);

struct pollfd;
struct timespec;

/// Waits like poll(2), but with a timeout in seconds and nanoseconds. If `timeout` is NULL, waits without a limit.
int gifplay_poll(struct pollfd *descriptors, unsigned long count, const struct timespec *timeout);

/// Lets the child process of posix_spawn(3) start in this folder. Returns an error number or 0.
int gifplay_spawn_chdir(posix_spawn_file_actions_t *actions, const char *folder);

/// Closes all descriptors but the standard streams in the child process of posix_spawn(3), because libraries do not mark
/// all of theirs.
int gifplay_spawn_closefrom(posix_spawn_file_actions_t *actions);

/// Creates a pipe whose ends children do not inherit. Returns 0, or -1 with errno set.
int gifplay_pipe(int ends[2]);

/// Returns a descriptor of an unnamed file in memory that children do not inherit, or -1 with errno set.
int gifplay_memory_file(const char *name);

/// Catches SIGINT, SIGTERM and SIGHUP, the first time that one arrives. It then ends standard input and makes the
/// returned descriptor, an eventfd, readable; -1 if there is none.
int gifplay_catch_interrupts(void);

/// Returns the number of the caught signal; 0 if there is none.
int gifplay_caught_signal(void);

/// docs/man/gifplay.1.in, the source of the manual.
const char *gifplay_manual(void);

/// The completions of share/.
const char *gifplay_bash_completion(void);
const char *gifplay_zsh_completion(void);
const char *gifplay_fish_completion(void);
