// expect: FALSE 32
// witness: 1 2 3 4 0
// topic: state machines
// Hanging up may be taken back, but the carrier has gone.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

enum state { DOWN, DIALLING, UP, HANGING_UP };

int main(void)
{
    enum state s = DOWN;
    int carrier = 0;

    while (1) {
        int event = __VERIFIER_nondet_int();
        switch (s) {
        case DOWN:
            if (event == 1)
                s = DIALLING;
            break;
        case DIALLING:
            if (event == 2) {
                carrier = 1;
                s = UP;
            } else if (event == 0) {
                s = DOWN;
            }
            break;
        case UP:
            if (!carrier)
                reach_error();
            if (event == 3)
                s = HANGING_UP;
            break;
        case HANGING_UP:
            carrier = 0;
            s = event == 4 ? UP : DOWN;
            break;
        default:
            reach_error();
        }
    }
}
