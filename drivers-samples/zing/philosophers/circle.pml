/* Philosopher i needs forks i and i+1 modulo N, and takes fork i first. */
/* steps: equal */

bool fork[N];

active [N] proctype dine() {
    byte one = _pid;
    byte other = (_pid + 1) % N;
    do
    :: true ->
        d_step { !fork[one] -> fork[one] = true };
        d_step { !fork[other] -> fork[other] = true };
        fork[one] = false;
        fork[other] = false
    od
}
