// expect: TRUE
// topic: ring buffers
// Indices of a ring of eight stay inside, and the count inside its capacity.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

#define SIZE 8

int ring[SIZE];
int head, tail, count;

int main(void)
{
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int()) {
            if (count < SIZE) {
                assert(head >= 0 && head < SIZE);
                ring[head] = 1;
                head = head + 1 == SIZE ? 0 : head + 1;
                count++;
            }
        } else if (count > 0) {
            assert(tail >= 0 && tail < SIZE);
            ring[tail] = 0;
            tail = (tail + 1) % SIZE;
            count--;
        }
        assert(count >= 0 && count <= SIZE);
    }
    return 0;
}
