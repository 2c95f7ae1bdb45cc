/* What the programs of the end-to-end tests call and do not define. main runs the
   program many times, each run in a process of its own with its own inputs, and
   prints for every run how it ended:

     failed     a property was violated
     ended      the program ended
     discarded  undefined behaviour, an assumption that did not hold, or time is up */
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { RUN_FAILED = 10, RUN_IGNORED = 11 };

static unsigned long long state;

static unsigned below(unsigned n)
{
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (unsigned)(state >> 33) % n;
}

/* A value that is likely to matter. */
static long input(void)
{
    static const long list[] = { 0, 1, -1, 2, 3, 4, 5, 7, 10, 100, 127, 128, -128, 200, 255, 256, 257, 300, 511, 512,
        32767, 65535, 65536, 2147483647, -2147483647 - 1, 4294967295, 4294967296 };
    switch (below(4)) {
    case 0: return below(3);
    case 1: return below(12);
    case 2: return -(long)below(4);
    }
    return list[below(sizeof list / sizeof *list)];
}

#define NONDET(name, type) type __VERIFIER_nondet_##name(void) { return (type)input(); }
NONDET(int, int) NONDET(uint, unsigned) NONDET(char, char) NONDET(uchar, unsigned char)
NONDET(short, short) NONDET(ushort, unsigned short) NONDET(long, long) NONDET(ulong, unsigned long)
NONDET(bool, _Bool)

void c2bp_failed(void) { _exit(RUN_FAILED); }

__attribute__((weak)) void reach_error(void) { _exit(RUN_FAILED); }
__attribute__((weak)) void __VERIFIER_error(void) { _exit(RUN_FAILED); }
__attribute__((weak)) void __VERIFIER_assert(int e) { if (!e) _exit(RUN_FAILED); }
__attribute__((weak)) void assert(int e) { if (!e) _exit(RUN_FAILED); }
__attribute__((weak)) void __VERIFIER_assume(int e) { if (!e) _exit(RUN_IGNORED); }
void __assert_fail(const char *e, const char *f, unsigned l, const char *p) { _exit(RUN_FAILED); }

extern int c2bp_main(int argc, char **argv);

static int is_run;

/* A run that comes to its end ends well, whatever its status. This is done last. */
__attribute__((destructor(101))) static void ended(void)
{
    if (is_run)
        _exit(0);
}

int main(int argc, char **argv)
{
    int from = atoi(argv[1]), to = atoi(argv[2]);
    struct itimerval limit = { { 0, 0 }, { 0, 200000 } };
    for (int run = from; run < to; run++) {
        int status;
        fflush(stdout);
        if (fork() == 0) {
            state = run * 7919UL + 1;
            below(2);
            setitimer(ITIMER_VIRTUAL, &limit, 0);
            freopen("/dev/null", "w", stderr);
            is_run = 1;
            exit(c2bp_main(1, argv + 2));
        }
        wait(&status);
        if (WIFEXITED(status) && WEXITSTATUS(status) == RUN_FAILED)
            puts("failed");
        else if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
            puts("ended");
        else
            puts("discarded");
    }
    fflush(stdout);
    _exit(0); /* without the program's destructors */
}
