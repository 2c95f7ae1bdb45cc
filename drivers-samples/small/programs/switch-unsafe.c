// expect: FALSE 38
// witness: 3
// topic: enums and switches
// A break too many.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

enum sleep { SLEEP_NONE, SLEEP_LIGHT, SLEEP_DEEP, SLEEP_OFF };

int clock_on = 1, display_on = 1, ram_on = 1;

void enter(enum sleep level)
{
    switch (level) {
    case SLEEP_OFF:
        ram_on = 0;
        break;
    case SLEEP_DEEP:
        clock_on = 0;
        /* fall through */
    case SLEEP_LIGHT:
        display_on = 0;
        break;
    default:
        break;
    }
}

int main(void)
{
    int level = __VERIFIER_nondet_int();

    if (level < SLEEP_NONE || level > SLEEP_OFF)
        return 1;
    enter((enum sleep)level);
    if (!ram_on)
        assert(!clock_on);
    if (!clock_on)
        assert(!display_on);
    assert(level != SLEEP_NONE || display_on);
    return 0;
}
