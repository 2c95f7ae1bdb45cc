/* A producer takes the lock before it waits for a free slot. */
/* steps: equal */

byte available = 2, used;
bool locked;
byte ring[2];
byte head, tail;

active [N] proctype producer() {
    do
    :: true ->
        d_step { !locked -> locked = true };
        d_step { available > 0 -> available = available - 1 };
        assert(ring[tail] == 0);
        ring[tail] = 1;
        tail = (tail + 1) % 2;
        locked = false;
        used = used + 1
    od
}

active [2] proctype consumer() {
    do
    :: true ->
        d_step { used > 0 -> used = used - 1 };
        d_step { !locked -> locked = true };
        assert(ring[head] == 1);
        ring[head] = 0;
        head = (head + 1) % 2;
        locked = false;
        available = available + 1
    od
}
