/* Mutual exclusion of two processes. */
/* steps: equal */

bool wants[2];
byte turn;
byte inside;

active [2] proctype process() {
    do
    :: true ->
        wants[_pid] = true;
        turn = 1 - _pid;
        !wants[1 - _pid] || turn == _pid;
        inside = inside + 1;
        assert(inside == 1);
        inside = inside - 1;
        wants[_pid] = false
    od
}
