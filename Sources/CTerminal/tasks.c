#define _GNU_SOURCE
#include "CTerminal.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

/* Threads that run the tasks of Swift's concurrency and never end. The executor of Swift's runtime, libdispatch, ends idle
 * threads. If it cannot create new ones later, it tries for ever, on the thread that starts a task or ends its wait. */

enum { maximum = 3 };

/* The beginning of a job of Swift's runtime, which reserves the third and the fourth word for the executor. */
struct job {
    void *header[2];
    struct job *next;
};

struct timer {
    struct timer *next;
    /* In milliseconds of CLOCK_MONOTONIC. */
    uint64_t due;
    void (*body)(void *);
    void *context;
};

#define SWIFT __attribute__((swiftcall))
extern SWIFT void (*swift_task_enqueueGlobal_hook)(struct job *job, void *original);
extern SWIFT void swift_job_run(struct job *job, uintptr_t executor, uintptr_t implementation);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static struct job *jobs, **last = &jobs;
static struct timer *timers;
static int threads;

static uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000 + (uint64_t)time.tv_nsec / 1000000;
}

/* Runs one job or one timer that is due. Returns false if there is none. Releases the lock meanwhile. */
static bool run_next(void) {
    struct job *job = jobs;
    struct timer *timer = timers;
    if (job) {
        jobs = job->next;
        if (!jobs) last = &jobs;
        pthread_mutex_unlock(&lock);
        swift_job_run(job, 0, 0);
    } else if (timer && timer->due <= now()) {
        timers = timer->next;
        pthread_mutex_unlock(&lock);
        timer->body(timer->context);
        free(timer);
    } else {
        return false;
    }
    pthread_mutex_lock(&lock);
    return true;
}

static void work(void *unused) {
    (void)unused;
    pthread_mutex_lock(&lock);
    for (;;) {
        if (run_next()) continue;
        if (timers) {
            struct timespec end = {(time_t)(timers->due / 1000), (long)(timers->due % 1000) * 1000000};
            pthread_cond_clockwait(&changed, &lock, CLOCK_MONOTONIC, &end);
        } else {
            pthread_cond_wait(&changed, &lock);
        }
    }
}

/* Starts the missing threads. Returns false if there is none. The lock must be held. */
static bool start(void) {
    while (threads < maximum && gifplay_start_thread(work, NULL)) threads++;
    return threads > 0;
}

static void wake(void) {
    if (!start()) gifplay_fail(GIFPLAY_NO_THREAD);
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
}

static SWIFT void add_job(struct job *job, void *original) {
    (void)original;
    pthread_mutex_lock(&lock);
    job->next = NULL;
    *last = job;
    last = &job->next;
    wake();
}

void gifplay_call_later(unsigned long milliseconds, void (*body)(void *), void *context) {
    struct timer *timer = malloc(sizeof *timer);
    if (!timer) gifplay_fail("out of memory");
    /* One millisecond more, because the present one is not over. */
    uint64_t due = now() + milliseconds + 1;
    pthread_mutex_lock(&lock);
    struct timer **place = &timers;
    while (*place && (*place)->due <= due) place = &(*place)->next;
    *timer = (struct timer){*place, due, body, context};
    *place = timer;
    wake();
}

void gifplay_use_task_threads(void) { swift_task_enqueueGlobal_hook = add_job; }

#ifdef GIFPLAY_NO_DISPATCH
/* All symbols of libdispatch that the runtime names, so that the linker leaves libdispatch out. With the hook above, the
 * runtime uses none of them. scripts/build writes their list. */
#include GIFPLAY_NO_DISPATCH
#endif

bool gifplay_start_task_threads(void) {
    pthread_mutex_lock(&lock);
    bool has_thread = start();
    pthread_mutex_unlock(&lock);
    return has_thread;
}
