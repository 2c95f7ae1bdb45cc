/* Each process gives way before it says that it wants to enter. */
/* steps: equal */

bool wants[2];
byte turn;
byte inside;

active [2] proctype process() {
    do
    :: true ->
        turn = 1 - _pid;
        wants[_pid] = true;
        !wants[1 - _pid] || turn == _pid;
        inside = inside + 1;
        assert(inside == 1);
        inside = inside - 1;
        wants[_pid] = false
    od
}
