/* Runs a command and writes its cost to a file: time of exec, CPU time, peak memory, exit status.
 * usage: launch REPORT COMMAND [ARGUMENT...]
 * Python starts players through this program, because a player forked by Python would have Python's peak memory. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double seconds(struct timeval time) { return time.tv_sec + time.tv_usec / 1e6; }

int main(int count, char **arguments) {
    if (count < 3) return 2;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    struct timespec *start = mmap(0, sizeof *start, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (start == MAP_FAILED) return 1;
    pid_t child = fork();
    if (child < 0) return 1;
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        clock_gettime(CLOCK_MONOTONIC, start);
        execvp(arguments[2], arguments + 2);
        _exit(127);
    }
    int status;
    struct rusage usage;
    if (wait4(child, &status, 0, &usage) < 0) return 1;
    FILE *report = fopen(arguments[1], "w");
    if (!report) return 1;
    fprintf(report, "%lld.%09ld %.6f %.6f %ld %d\n", (long long)start->tv_sec, start->tv_nsec, seconds(usage.ru_utime),
            seconds(usage.ru_stime), usage.ru_maxrss, WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
    return fclose(report) ? 1 : 0;
}
