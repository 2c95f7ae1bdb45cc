/* A reader looks whether somebody writes, and says only then that it reads. */
/* steps: equal */

byte readers;
bool writing;
byte inside;

active [N] proctype reader() {
    do
    :: true ->
        !writing;
        readers = readers + 1;
        inside = inside + 1;
        assert(!writing);
        inside = inside - 1;
        readers = readers - 1
    od
}

active [2] proctype writer() {
    do
    :: true ->
        d_step { (readers == 0 && !writing) -> writing = true };
        assert(inside == 0);
        writing = false
    od
}
