/* Prints the names of the functions that a program calls, for the symbol order of the linker (scripts/build).
 * usage: called-functions PROGRAM [ARGUMENT...]
 * The program runs on a pseudo terminal of 80x24 that discards the output and replies to the queries for the device
 * attributes and the width of a half-block. A breakpoint at the beginning of each function stops the program at the first
 * call only, so it runs at almost its usual speed. The names do not depend on the speed of the machine: all threads use one
 * processor, a breakpoint holds the main thread until the other threads sleep, and the terminal reads when all threads
 * sleep. */
#define _GNU_SOURCE
#include <dirent.h>
#include <elf.h>
#include <fcntl.h>
#include <pty.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct {
    const char *name;
    uint64_t address;
    unsigned char original;
    bool is_called;
} function;

static function *functions;
static size_t count;

static int by_address(const void *a, const void *b) {
    const function *x = a, *y = b;
    return (x->address > y->address) - (x->address < y->address);
}

static void fail(const char *what) {
    perror(what);
    exit(1);
}

/* Reads the symbols of the functions in the program's file. */
static void read_functions(const char *path) {
    int file = open(path, O_RDONLY);
    struct stat status;
    if (file < 0 || fstat(file, &status)) fail(path);
    const char *start = mmap(NULL, status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    if (start == MAP_FAILED) fail(path);
    const Elf64_Ehdr *header = (const void *)start;
    const Elf64_Shdr *sections = (const void *)(start + header->e_shoff);
    for (int i = 0; i < header->e_shnum; i++) {
        if (sections[i].sh_type != SHT_SYMTAB) continue;
        const Elf64_Sym *symbols = (const void *)(start + sections[i].sh_offset);
        const char *names = start + sections[sections[i].sh_link].sh_offset;
        size_t all = sections[i].sh_size / sizeof *symbols;
        functions = calloc(all, sizeof *functions);
        if (!functions) fail("calloc");
        for (size_t j = 0; j < all; j++) {
            if (ELF64_ST_TYPE(symbols[j].st_info) != STT_FUNC || symbols[j].st_shndx == SHN_UNDEF) continue;
            functions[count++] = (function){names + symbols[j].st_name, symbols[j].st_value, 0, false};
        }
    }
    qsort(functions, count, sizeof *functions, by_address);
}

static void read_terminal(int terminal) {
    static const char width[] = "\33[1;1R\33[1;2R", attributes[] = "\33[?62;22c";
    char bytes[65536];
    for (ssize_t size; (size = read(terminal, bytes, sizeof bytes)) > 0;) {
        if (memmem(bytes, size, "\33[6n", 4) && write(terminal, width, sizeof width - 1) < 0) return;
        if (memmem(bytes, size, "\33[c", 3) && write(terminal, attributes, sizeof attributes - 1) < 0) return;
    }
}

/* Returns the address at which the kernel has mapped the program. */
static uint64_t base_of(pid_t process) {
    char path[64];
    uint64_t base = 0;
    snprintf(path, sizeof path, "/proc/%d/maps", process);
    FILE *maps = fopen(path, "r");
    if (!maps || fscanf(maps, "%lx", &base) != 1) fail(path);
    fclose(maps);
    return base;
}

static void set_breakpoints(int memory, uint64_t base) {
    for (size_t i = 0; i < count; i++) {
        off_t place = (off_t)(base + functions[i].address);
        if (i && functions[i].address == functions[i - 1].address) {
            functions[i].original = functions[i - 1].original;
        } else if (pread(memory, &functions[i].original, 1, place) != 1 || pwrite(memory, "\xCC", 1, place) != 1) {
            fail("a breakpoint");
        }
    }
}

/* Records the function at which the thread has stopped, and removes its breakpoint. */
static bool pass_breakpoint(pid_t thread, int memory, uint64_t base) {
    struct user_regs_struct registers;
    if (ptrace(PTRACE_GETREGS, thread, NULL, &registers)) return false;
    function wanted = {.address = registers.rip - 1 - base};
    function *found = bsearch(&wanted, functions, count, sizeof wanted, by_address);
    if (!found) return false;
    while (found > functions && found[-1].address == wanted.address) found--;
    for (function *f = found; f < functions + count && f->address == wanted.address; f++) f->is_called = true;
    if (pwrite(memory, &found->original, 1, (off_t)(base + wanted.address)) != 1) fail("a breakpoint");
    registers.rip--;
    ptrace(PTRACE_SETREGS, thread, NULL, &registers);
    return true;
}

static void use_one_processor(void) {
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set)) return;
    int first = 0;
    while (first < CPU_SETSIZE - 1 && !CPU_ISSET(first, &set)) first++;
    CPU_ZERO(&set);
    CPU_SET(first, &set);
    sched_setaffinity(0, sizeof set, &set);
}

/* Whether all threads sleep or have ended. The main thread can be held at a breakpoint. */
static bool is_asleep(pid_t process, bool is_held) {
    char path[320], text[512];
    snprintf(path, sizeof path, "/proc/%d/task", process);
    DIR *threads = opendir(path);
    if (!threads) return true;
    bool sleep = true;
    for (struct dirent *entry; sleep && (entry = readdir(threads));) {
        if (*entry->d_name == '.' || (is_held && atoi(entry->d_name) == process)) continue;
        snprintf(path, sizeof path, "/proc/%d/task/%s/stat", process, entry->d_name);
        int file = open(path, O_RDONLY);
        ssize_t size = file < 0 ? 0 : read(file, text, sizeof text - 1);
        if (file >= 0) close(file);
        text[size > 0 ? size : 0] = 0;
        const char *state = strrchr(text, ')');
        sleep = !state || strchr("SZX", state[2]);
    }
    closedir(threads);
    return sleep;
}

int main(int argc, char **argv) {
    if (argc < 2) {
        fputs("usage: called-functions PROGRAM [ARGUMENT...]\n", stderr);
        return 2;
    }
    use_one_processor();
    read_functions(argv[1]);
    int terminal;
    struct winsize size = {24, 80, 0, 0};
    pid_t process = forkpty(&terminal, NULL, NULL, &size);
    if (process < 0) fail("forkpty");
    if (!process) {
        ptrace(PTRACE_TRACEME, 0, NULL, NULL);
        execv(argv[1], argv + 1);
        _exit(127);
    }
    fcntl(terminal, F_SETFL, O_NONBLOCK);
    int status;
    waitpid(process, &status, 0);
    if (!WIFSTOPPED(status)) fail(argv[1]);
    ptrace(PTRACE_SETOPTIONS, process, NULL, PTRACE_O_TRACECLONE | PTRACE_O_EXITKILL);
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/mem", process);
    int memory = open(path, O_RDWR);
    if (memory < 0) fail(path);
    uint64_t base = base_of(process);
    set_breakpoints(memory, base);
    ptrace(PTRACE_CONT, process, NULL, NULL);
    bool is_held = false;
    for (pid_t thread; (thread = waitpid(-1, &status, __WALL | WNOHANG)) >= 0;) {
        if (!thread) {
            if (!is_asleep(process, is_held)) {
                usleep(100);
            } else if (is_held) {
                is_held = false;
                ptrace(PTRACE_CONT, process, NULL, NULL);
            } else {
                read_terminal(terminal);
                usleep(100);
            }
            continue;
        }
        if (!WIFSTOPPED(status)) {
            if (thread == process) break;
            continue;
        }
        long number = WSTOPSIG(status);
        bool is_event = number == SIGSTOP || (number == SIGTRAP && status >> 16);
        bool is_call = !is_event && number == SIGTRAP && pass_breakpoint(thread, memory, base);
        if (is_call && thread == process) {
            is_held = true;
            continue;
        }
        ptrace(PTRACE_CONT, thread, NULL, (void *)(is_event || is_call ? 0 : number));
    }
    if (!WIFEXITED(status) || WEXITSTATUS(status)) {
        fprintf(stderr, "called-functions: %s ended with status %d\n", argv[1], status);
        return 1;
    }
    for (size_t i = 0; i < count; i++)
        if (functions[i].is_called) puts(functions[i].name);
}
