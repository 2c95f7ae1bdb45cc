/*
 * The world of a program: where its inputs come from and how a run of it ends.
 *
 *	program run V1 V2 ...            one run on these inputs
 *	program sample SEED N C1 C2 ...  N runs on random inputs, drawn with preference
 *	                                 for the neighbourhood of the constants C1 C2 ...
 *
 * Each run is a process of its own. For each a line is printed: how it ended, the
 * line of the failing property, how many assertions held, how many inputs were used,
 * and for a failure which.
 */
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#define BUDGET 4000 /* inputs of a random run */

enum { ENDED, FAILED = 41, BLOCKED, CUT, SHORT };

struct report {
    int line;
    long passed;
    int used;
    long long inputs[BUDGET];
};

static struct report *report;
static int sampling, available;
static char **given;
static unsigned long long state;
static int constants;
static long long constant[4096];

extern int program_main();

void env_passed(void) { report->passed++; }

void env_failed(int line)
{
    report->line = line;
    _exit(FAILED);
}

void env_assert(int line, int condition)
{
    if (!condition)
        env_failed(line);
    env_passed();
}

void __VERIFIER_assume(int condition)
{
    if (!condition)
        _exit(BLOCKED);
}

/* xorshift64* */
static unsigned long long draw(void)
{
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return state * 2685821657736338717ull;
}

static long long random_input(void)
{
    static const long long borders[] = {
        -2147483648ll, 2147483647ll, -32768, 32767, -128, 127, 255, 256, 65535, 4294967295ll, -1, 1000,
    };
    unsigned long long r = draw() >> 8;
    unsigned kind = draw() >> 60;

    if (kind < 6 && constants > 0)
        return constant[r % constants] + (long long)(r / constants % 8 < 6 ? 0 : draw() % 3 - 1);
    if (kind < 13)
        return (long long)(r % 8) - 2;
    if (kind < 15)
        return borders[r % (sizeof borders / sizeof *borders)];
    return (long long)draw();
}

static long long next_input(void)
{
    long long v;

    if (report->used >= (sampling ? BUDGET : available))
        _exit(sampling ? CUT : SHORT);
    v = sampling ? random_input() : strtoll(given[report->used], 0, 10);
    report->inputs[report->used++] = v;
    return v;
}

int __VERIFIER_nondet_int(void) { return (int)next_input(); }
unsigned int __VERIFIER_nondet_uint(void) { return (unsigned int)next_input(); }
char __VERIFIER_nondet_char(void) { return (char)next_input(); }
unsigned char __VERIFIER_nondet_uchar(void) { return (unsigned char)next_input(); }
short __VERIFIER_nondet_short(void) { return (short)next_input(); }
unsigned short __VERIFIER_nondet_ushort(void) { return (unsigned short)next_input(); }
long __VERIFIER_nondet_long(void) { return (long)next_input(); }
unsigned long __VERIFIER_nondet_ulong(void) { return (unsigned long)next_input(); }
_Bool __VERIFIER_nondet_bool(void) { return next_input() & 1; }

/* Memory is scarce in one of eight random runs. */
void *__real_malloc(size_t);
void *__wrap_malloc(size_t n)
{
    if (sampling && (state >> 20) % 8 == 0 && draw() % 2)
        return 0;
    return __real_malloc(n);
}

static const char *ending(int status)
{
    if (WIFSIGNALED(status))
        return WTERMSIG(status) == SIGVTALRM ? "stuck" : "undefined";
    switch (WEXITSTATUS(status)) {
    case FAILED:
        return "failed";
    case BLOCKED:
        return "blocked";
    case CUT:
        return "cut";
    case SHORT:
        return "short";
    default:
        return "ended";
    }
}

static void run(void)
{
    struct itimerval limit = { { 0, 0 }, { 1, 0 } };
    const char *how;
    int status, i;
    pid_t child;

    memset(report, 0, offsetof(struct report, inputs));
    fflush(stdout);
    child = fork();
    if (child < 0) {
        perror("fork");
        exit(1);
    }
    if (child == 0) {
        setitimer(ITIMER_VIRTUAL, &limit, 0);
        program_main();
        _exit(ENDED);
    }
    if (waitpid(child, &status, 0) != child) {
        perror("waitpid");
        exit(1);
    }
    how = ending(status);
    printf("%s %d %ld %d", how, report->line, report->passed, report->used);
    if (!strcmp(how, "failed") || !strcmp(how, "undefined") || !strcmp(how, "stuck"))
        for (i = 0; i < report->used; i++)
            printf(" %lld", report->inputs[i]);
    putchar('\n');
}

int main(int argc, char **argv)
{
    int i, n;

    report = mmap(0, sizeof *report, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (argc < 2 || report == MAP_FAILED)
        return 1;
    if (!strcmp(argv[1], "run")) {
        given = argv + 2;
        available = argc - 2;
        run();
        return 0;
    }
    if (argc < 4)
        return 1;
    sampling = 1;
    state = strtoull(argv[2], 0, 10) * 2654435761ull + 88172645463325252ull;
    n = atoi(argv[3]);
    for (i = 4; i < argc && constants < 4096; i++)
        constant[constants++] = strtoll(argv[i], 0, 10);
    for (i = 0; i < n; i++) {
        run();
        draw(); /* the child drew from its own copy */
    }
    return 0;
}
