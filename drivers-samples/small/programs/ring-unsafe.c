// expect: FALSE 19
// witness: 1 1 1 1 1 1 1 1
// topic: ring buffers
// The index is reset one step too late.
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

#define SIZE 3

int ring[SIZE];
int head, tail, count;

int main(void)
{
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int()) {
            if (count <= SIZE) {
                assert(head >= 0 && head < SIZE);
                ring[head] = 1;
                head = head == SIZE ? 0 : head + 1;
                count++;
            }
        } else if (count > 0) {
            assert(tail >= 0 && tail < SIZE);
            ring[tail] = 0;
            tail = (tail + 1) % SIZE;
            count--;
        }
    }
    return 0;
}
