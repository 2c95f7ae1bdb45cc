/* Mutual exclusion of N processes by N-1 levels. */
/* steps: equal */

byte level[N];
byte last[N];
byte inside;

active [N] proctype process() {
    byte mine, k;
    do
    :: true ->
        d_step { mine = mine + 1; level[_pid] = mine };
        d_step { last[mine] = _pid; k = 0 };
        do
        :: k < N -> d_step { (k == _pid || level[k] < mine || last[mine] != _pid) -> k = k + 1 }
        :: else -> break
        od;
        if
        :: mine == N - 1 ->
            inside = inside + 1;
            assert(inside == 1);
            inside = inside - 1;
            d_step { level[_pid] = 0; mine = 0 }
        :: else
        fi
    od
}
