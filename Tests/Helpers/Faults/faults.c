/* A library for LD_PRELOAD that makes one call of the C library fail, or all calls from that one on.
 *
 * GIFPLAY_FAULT=KIND:NUMBER[+] chooses the call; the kinds are thread, memory, mapping and descriptor. The calls are
 * counted from 1, beginning when main.swift calls mallopt, because no program can report a failure of the loader. When
 * the first call fails, the file GIFPLAY_FAULT_REPORT is created. The kind signal sends SIGTERM to the process before the
 * call that creates this descriptor. With the number 0, no call fails, and the number of calls is written to the file
 * GIFPLAY_FAULT_REPORT at the exit.
 *
 * With GIFPLAY_FAULT=gate, the creation of threads fails while the file GIFPLAY_FAULT_REPORT exists. With block, a
 * thread that calls writev waits for ever once that file exists, which must be a FIFO that is open for writing. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum kind { none, thread, memory, mapping, descriptor, terminate, gate, block };

static enum kind failing;
static bool fails_on;
static long first;
static const char *report;
static atomic_long calls;
static atomic_bool counts;

__attribute__((constructor)) static void configure(void) {
    static const char *const names[] = {"", "thread", "memory", "mapping", "descriptor", "signal", "gate", "block"};
    const char *text = getenv("GIFPLAY_FAULT");
    report = getenv("GIFPLAY_FAULT_REPORT");
    if (!text || !report) return;
    const char *colon = strchrnul(text, ':');
    for (int kind = thread; kind <= block; kind++)
        if (strncmp(names[kind], text, (size_t)(colon - text)) == 0) failing = (enum kind)kind;
    if (*colon) first = strtol(colon + 1, NULL, 10);
    fails_on = text[strlen(text) - 1] == '+';
}

__attribute__((destructor)) static void write_count(void) {
    if (failing == none || failing >= terminate || first != 0) return;
    char text[24];
    int length = snprintf(text, sizeof text, "%ld", (long)calls);
    int file = (int)syscall(SYS_openat, AT_FDCWD, report, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
    if (write(file, text, (size_t)length) != length) _exit(97);
}

int mallopt(int parameter, int value) {
    counts = true;
    int (*original)(int, int) = (int (*)(int, int))dlsym(RTLD_NEXT, "mallopt");
    return original(parameter, value);
}

static bool has_report(void) { return syscall(SYS_faccessat, AT_FDCWD, report, F_OK) == 0; }

static bool fails(enum kind kind, int error) {
    if (!counts) return false;
    if (failing == gate) {
        if (kind != thread || !has_report()) return false;
        errno = error;
        return true;
    }
    if (kind != failing && !(failing == terminate && kind == descriptor)) return false;
    long number = atomic_fetch_add(&calls, 1) + 1;
    if (number != first && !(fails_on && number > first)) return false;
    if (number == first) {
        long file = syscall(SYS_openat, AT_FDCWD, report, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
        if (file >= 0) syscall(SYS_close, file);
    }
    if (failing == terminate) {
        kill(getpid(), SIGTERM);
        return false;
    }
    errno = error;
    return true;
}

#define ORIGINAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

int pthread_create(pthread_t *id, const pthread_attr_t *attributes, void *(*body)(void *), void *context) {
    return fails(thread, EAGAIN) ? EAGAIN : ORIGINAL(pthread_create)(id, attributes, body, context);
}

ssize_t writev(int file, const struct iovec *parts, int count) {
    if (failing == block && counts && has_report()) {
        int fifo = (int)syscall(SYS_openat, AT_FDCWD, report, O_RDONLY | O_CLOEXEC, 0);
        char byte;
        for (;;) syscall(SYS_read, fifo, &byte, 1);
    }
    return syscall(SYS_writev, file, parts, count);
}

/* malloc cannot use dlsym, which allocates memory itself. */
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

void *malloc(size_t size) { return fails(memory, ENOMEM) ? NULL : __libc_malloc(size); }
void *calloc(size_t count, size_t size) { return fails(memory, ENOMEM) ? NULL : __libc_calloc(count, size); }
void *realloc(void *old, size_t size) { return fails(memory, ENOMEM) ? NULL : __libc_realloc(old, size); }
void *memalign(size_t alignment, size_t size) {
    return fails(memory, ENOMEM) ? NULL : __libc_memalign(alignment, size);
}
void *aligned_alloc(size_t alignment, size_t size) {
    return fails(memory, ENOMEM) ? NULL : __libc_memalign(alignment, size);
}
int posix_memalign(void **result, size_t alignment, size_t size) {
    if (fails(memory, ENOMEM)) return ENOMEM;
    *result = __libc_memalign(alignment, size);
    return *result ? 0 : ENOMEM;
}

void *mmap(void *address, size_t size, int protection, int flags, int file, off_t offset) {
    if (fails(mapping, ENOMEM)) return MAP_FAILED;
    return (void *)syscall(SYS_mmap, address, size, protection, flags, file, offset);
}
void *mmap64(void *address, size_t size, int protection, int flags, int file, off_t offset)
    __attribute__((alias("mmap")));

static int mode(int flags, va_list arguments) { return flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, int) : 0; }

#define OPENAT(folder, path, flags) \
    va_list arguments; \
    va_start(arguments, flags); \
    int permissions = mode(flags, arguments); \
    va_end(arguments); \
    return fails(descriptor, EMFILE) ? -1 : (int)syscall(SYS_openat, folder, path, flags, permissions)

int open(const char *path, int flags, ...) { OPENAT(AT_FDCWD, path, flags); }
int open64(const char *path, int flags, ...) { OPENAT(AT_FDCWD, path, flags); }
int openat(int folder, const char *path, int flags, ...) { OPENAT(folder, path, flags); }
int openat64(int folder, const char *path, int flags, ...) { OPENAT(folder, path, flags); }

#define DESCRIPTOR(name, parameters, ...) \
    int name parameters { \
        int (*original) parameters = (int (*) parameters)dlsym(RTLD_NEXT, #name); \
        return fails(descriptor, EMFILE) ? -1 : original(__VA_ARGS__); \
    }

DESCRIPTOR(pipe, (int ends[2]), ends)
DESCRIPTOR(pipe2, (int ends[2], int flags), ends, flags)
DESCRIPTOR(eventfd, (unsigned count, int flags), count, flags)
DESCRIPTOR(signalfd, (int file, const void *mask, int flags), file, mask, flags)
DESCRIPTOR(epoll_create1, (int flags), flags)
DESCRIPTOR(memfd_create, (const char *name, unsigned flags), name, flags)
DESCRIPTOR(mkostemp, (char *pattern, int flags), pattern, flags)
DESCRIPTOR(shm_open, (const char *name, int flags, mode_t permissions), name, flags, permissions)
DESCRIPTOR(socket, (int domain, int type, int protocol), domain, type, protocol)
DESCRIPTOR(socketpair, (int domain, int type, int protocol, int ends[2]), domain, type, protocol, ends)
DESCRIPTOR(dup, (int file), file)

void *opendir(const char *path) {
    return fails(descriptor, EMFILE) ? NULL : ((void *(*)(const char *))dlsym(RTLD_NEXT, "opendir"))(path);
}
