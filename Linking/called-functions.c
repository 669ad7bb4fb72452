/* Prints the names of the functions that a program calls, for the symbol order of the linker (scripts/build).
 * usage: called-functions PROGRAM [ARGUMENT...]
 * The program runs on a pseudo terminal of 80x24 that discards the output and replies to the queries for the device
 * attributes and the width of a half-block. A breakpoint at the beginning of each function stops the program at the first
 * call only, so it runs at almost its usual speed. With a blank before each name, also prints all functions of the modules
 * whose calls depend on the speed of the machine. */
#define _GNU_SOURCE
#include <elf.h>
#include <fcntl.h>
#include <pthread.h>
#include <pty.h>
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

/* Their names are mangled. The player waits or drops frames, and system calls can be interrupted. */
static const char *const timed_modules[] = {
    "$s4Base", "$s6Pixels", "$s8Playback", "$s9GIFDecode", "$s10TerminalIO", "$s5Glibc",
};

static bool is_in_timed_module(const char *name) {
    for (size_t i = 0; i < sizeof timed_modules / sizeof *timed_modules; i++)
        if (!strncmp(name, timed_modules[i], strlen(timed_modules[i]))) return true;
    return false;
}

static int by_address(const void *a, const void *b) {
    const function *x = a, *y = b;
    return (x->address > y->address) - (x->address < y->address);
}

static int by_name(const void *a, const void *b) {
    return strcmp(((const function *)a)->name, ((const function *)b)->name);
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

static void *discard(void *terminal) {
    static const char width[] = "\33[1;1R\33[1;2R", attributes[] = "\33[?62;22c";
    char bytes[65536];
    for (ssize_t size; (size = read(*(int *)terminal, bytes, sizeof bytes)) > 0;) {
        if (memmem(bytes, size, "\33[6n", 4) && write(*(int *)terminal, width, sizeof width - 1) < 0) break;
        if (memmem(bytes, size, "\33[c", 3) && write(*(int *)terminal, attributes, sizeof attributes - 1) < 0) break;
    }
    return NULL;
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

int main(int argc, char **argv) {
    if (argc < 2) {
        fputs("usage: called-functions PROGRAM [ARGUMENT...]\n", stderr);
        return 2;
    }
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
    pthread_t reader;
    if (pthread_create(&reader, NULL, discard, &terminal)) fail("pthread_create");
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
    for (pid_t thread; (thread = waitpid(-1, &status, __WALL)) > 0;) {
        if (!WIFSTOPPED(status)) {
            if (thread == process) break;
            continue;
        }
        long number = WSTOPSIG(status);
        bool is_event = number == SIGSTOP || (number == SIGTRAP && status >> 16);
        if (is_event || (number == SIGTRAP && pass_breakpoint(thread, memory, base))) number = 0;
        ptrace(PTRACE_CONT, thread, NULL, (void *)number);
    }
    if (!WIFEXITED(status) || WEXITSTATUS(status)) {
        fprintf(stderr, "called-functions: %s ended with status %d\n", argv[1], status);
        return 1;
    }
    qsort(functions, count, sizeof *functions, by_name);
    for (size_t i = 0; i < count; i++)
        if (functions[i].is_called) puts(functions[i].name);
    for (size_t i = 0; i < count; i++)
        if (is_in_timed_module(functions[i].name)) printf(" %s\n", functions[i].name);
}
