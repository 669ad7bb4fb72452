#define _GNU_SOURCE
#include "CSpawn.h"

#include <fcntl.h>
#include <pty.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <unistd.h>

static void replace_process(const char *path, char *const argv[], char *const envp[]) {
    /* The program must not inherit the test runner's blocked or ignored signals or its open descriptors. */
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_DFL);
    for (int descriptor = 3; descriptor < 1024; descriptor++) close(descriptor);
    execve(path, argv, envp);
    _exit(127);
}

int spawn_on_pty(
    const char *path, char *const argv[], char *const envp[], const struct winsize *size, int *master) {
    int process = forkpty(master, NULL, NULL, size);
    if (process == 0) replace_process(path, argv, envp);
    if (process > 0) fcntl(*master, F_SETFD, FD_CLOEXEC);
    return process;
}

int resize_pty(int master, int columns, int rows) {
    struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns};
    return ioctl(master, TIOCSWINSZ, &size);
}

int spawn_with_files(
    const char *path, char *const argv[], char *const envp[], const char *folder, int input, int output, int errors) {
    int process = fork();
    if (process != 0) return process;
    if (folder && chdir(folder) != 0) _exit(127);
    dup2(input, 0);
    dup2(output, 1);
    dup2(errors, 2);
    replace_process(path, argv, envp);
    return -1;
}

int limit_files(int process, long bytes) {
    struct rlimit limit = {.rlim_cur = (rlim_t)bytes, .rlim_max = (rlim_t)bytes};
    return prlimit(process, RLIMIT_FSIZE, &limit, NULL);
}
