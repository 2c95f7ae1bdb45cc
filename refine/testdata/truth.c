/*
 * What is true of a program, by running it on all inputs, or on many.
 *
 *	truth SEED RUNS OP LIMIT OP LIMIT ...   check k is "value OP LIMIT"; OP 0 is none
 *	truth replay OP LIMIT ... -- V1 V2 ...  one run on these inputs
 *
 * All inputs: each run notes its choices, the next one takes another way at the last
 * of them that has one left. Where there are too many ways, or an input of too many
 * values, random inputs are drawn, often near the constants of the program.
 *
 * The program is in truth.inc. Its inputs are calls of input(), its checks of
 * check(), and program_reset() sets its globals again, so that all runs are of one
 * process. A run ends by a long jump; what gcc's sanitizer finds is a signal.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH 14   /* inputs of a run, where all are tried */
#define MOST 400   /* inputs of any run */
#define WIDE 65536 /* values of an input that are tried one by one */
#define CHECKS 16

enum { ENDED, FAILED, BLOCKED, CUT, UNDEFINED, ENDS };

static sigjmp_buf start;
static long long values[MOST];
static unsigned long long choices[MOST], spans[MOST];
static int used, given, random_inputs, replaying, too_wide, failing;

static struct check {
    int op;
    long long limit, min, max;
    long reached, failed;
    int failing, used;
    unsigned char seen[256];
    long long inputs[MOST];
} checks[CHECKS];

static void end(int how) { siglongjmp(start, how + 1); }

static unsigned long long state = 88172645463325252ull;

static unsigned long long draw(void)
{
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return state * 2685821657736338717ull;
}

static unsigned long long drawn(long long lo, unsigned long long span);

/* An input between lo and lo + span. */
static long long input(long long lo, unsigned long long span)
{
    int i = used++;

    if (i >= MOST || (!random_inputs && !replaying && i >= DEPTH) || (replaying && i >= given)) {
        used--;
        end(CUT);
    }
    if (replaying)
        return values[i];
    if (random_inputs)
        return values[i] = lo + drawn(lo, span);
    if (i >= given) {
        choices[i] = 0;
        spans[i] = span;
        given = i + 1;
        too_wide |= span >= WIDE;
    }
    return values[i] = lo + choices[i];
}

static void assume(int holds)
{
    if (!holds)
        end(BLOCKED);
}

static void check(int k, long long v)
{
    struct check *c = &checks[k];
    int holds = c->op == 0 || (c->op == 1 && v <= c->limit) || (c->op == 2 && v >= c->limit) || (c->op == 3 && v != c->limit);

    c->min = c->reached == 0 || v < c->min ? v : c->min;
    c->max = c->reached == 0 || v > c->max ? v : c->max;
    c->reached++;
    if (v >= -128 && v < 128)
        c->seen[v + 128] = 1;
    if (holds)
        return;
    if (c->failed++ == 0) {
        c->used = used;
        memcpy(c->inputs, values, sizeof values);
    }
    failing = k;
    end(FAILED);
}

#define main program_main
#include "truth.inc"
#undef main

static unsigned long long drawn(long long lo, unsigned long long span)
{
    unsigned long long r = draw() >> 8, kind = draw() >> 61, n = sizeof constants / sizeof *constants;

    if (span < WIDE)
        return r % (span + 1);
    if (kind < 3)
        return constants[r % n] + (long long)(r / n % 3) - 1 - lo;
    if (kind < 5)
        return r % 8 - lo;
    if (kind < 6)
        return r & 1 ? span - r / 2 % 3 : r / 2 % 3;
    return span + 1 ? draw() % (span + 1) : draw();
}

static void trap(int sig)
{
    (void)sig;
    end(UNDEFINED);
}

static int run(void)
{
    int how;

    used = 0;
    program_reset();
    how = sigsetjmp(start, 0);
    if (how == 0) {
        program_main();
        return ENDED;
    }
    return how - 1;
}

/* Whether there is a run that was not yet made. */
static int advance(void)
{
    for (given = used; given > 0; given--)
        if (choices[given - 1]++ < spans[given - 1])
            return 1;
    return 0;
}

static int replay(int argc, char **argv)
{
    int how;

    for (replaying = 1; given < argc; given++)
        values[given] = argv[given][0] == '-' ? strtoll(argv[given], 0, 10) : (long long)strtoull(argv[given], 0, 10);
    how = run();
    printf("%d %d\n", how, failing);
    return 0;
}

int main(int argc, char **argv)
{
    struct sigaction action = { .sa_handler = trap, .sa_flags = SA_NODEFER };
    long runs[ENDS] = { 0 }, limit, n;
    int complete = 0, i, j, k;

    for (i = 1; i < 32; i++)
        if (i == SIGILL || i == SIGTRAP || i == SIGFPE || i == SIGSEGV || i == SIGBUS)
            sigaction(i, &action, 0);
    for (i = 3 - !strcmp(argv[1], "replay"), k = 0; i + 1 < argc && strcmp(argv[i], "--"); i += 2, k++) {
        checks[k].op = atoi(argv[i]);
        checks[k].limit = strtoll(argv[i + 1], 0, 10);
    }
    if (!strcmp(argv[1], "replay"))
        return replay(argc - i - 1, argv + i + 1);
    limit = atol(argv[2]);
    for (n = 0; n < limit && !complete && !too_wide; n++) {
        runs[run()]++;
        complete = !advance();
    }
    if (!complete || runs[CUT]) {
        state += strtoull(argv[1], 0, 10) * 2654435761ull;
        complete = 0;
        for (random_inputs = 1, n = 0; n < limit / 4; n++)
            runs[run()]++;
    }
    printf("%d %ld %ld %ld %ld %ld\n", complete, runs[ENDED], runs[FAILED], runs[BLOCKED], runs[CUT], runs[UNDEFINED]);
    for (i = 0; i < k; i++) {
        struct check *c = &checks[i];
        long long gap = c->min;
        while (gap >= -128 && gap < 128 && c->seen[gap + 128])
            gap++;
        printf("%ld %ld %lld %lld %lld %d", c->reached, c->failed, c->min, c->max, gap, c->used);
        for (j = 0; j < c->used; j++)
            printf(" %lld", c->inputs[j]);
        putchar('\n');
    }
    return 0;
}
