#pragma once

/// Starts a program on a new pseudo terminal, which is its controlling terminal.
/// Returns the process id and sets `master`, which is closed on exec; -1 with errno on failure.
int spawn_on_pty(const char *path, char *const argv[], char *const envp[], int columns, int rows, int *master);

/// Changes the size that the terminal reports; the program receives SIGWINCH. Returns 0, or -1 with errno.
int resize_pty(int master, int columns, int rows);

/// Moves the calling thread, and the processes that it starts from then on, into a new network namespace that has only
/// the loopback interface, to which `address` (IPv4) is added. Returns 0 or an errno value. Requires root.
int enter_own_network(const char *address);

/// Starts a program with these descriptors as its standard streams and no other open descriptors.
///
/// Foundation's Process waits until every descendant has closed its socket, which a tmux server never does. `folder`
/// is the working directory, or NULL. Returns the process id, or -1 with errno on failure.
int spawn_with_files(
    const char *path, char *const argv[], char *const envp[], const char *folder, int input, int output, int errors);

/// Limits the size of the files that a running process writes; process 0 is the calling one. Returns 0, or -1 with
/// errno.
int limit_files(int process, long bytes);
