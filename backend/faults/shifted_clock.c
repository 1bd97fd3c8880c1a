/* A clock that is wrong, for one process and whatever it forks: loaded by LD_PRELOAD, it adds FAULTS_CLOCK_SHIFT_SECONDS to what the
   process is told of the time of day, or the number in FAULTS_CLOCK_SHIFT_FILE (8 bytes), which may change while it runs. Clocks that
   only measure how long something takes are left alone, as on a host whose date is wrong. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const volatile int64_t *shared;

__attribute__((constructor)) static void share(void) {
    const char *path = getenv("FAULTS_CLOCK_SHIFT_FILE");
    int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0) return;
    void *at = mmap(NULL, sizeof *shared, PROT_READ, MAP_SHARED, file, 0);
    if (at != MAP_FAILED) shared = at;
    close(file);
}

static time_t shift(void) {
    if (shared) return (time_t)*shared;
    const char *said = getenv("FAULTS_CLOCK_SHIFT_SECONDS");
    return said ? (time_t)atoll(said) : 0;
}

int clock_gettime(clockid_t which, struct timespec *now) {
    static int (*real)(clockid_t, struct timespec *);
    if (!real) real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    int failed = real(which, now);
    if (!failed && (which == CLOCK_REALTIME || which == CLOCK_REALTIME_COARSE)) now->tv_sec += shift();
    return failed;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    struct timespec exact;
    (void)zone;
    if (clock_gettime(CLOCK_REALTIME, &exact)) return -1;
    now->tv_sec = exact.tv_sec;
    now->tv_usec = exact.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *kept) {
    struct timespec exact;
    if (clock_gettime(CLOCK_REALTIME, &exact)) return (time_t)-1;
    if (kept) *kept = exact.tv_sec;
    return exact.tv_sec;
}
