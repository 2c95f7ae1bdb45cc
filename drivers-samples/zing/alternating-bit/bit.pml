/* The alternating bit protocol over channels of N frames that lose frames. */
/* steps: equal */

chan there = [N] of { bool, byte };
chan back = [N] of { bool };
bool alternating;
byte data;

active proctype sender() {
    do
    :: true -> there!alternating,data
    od
}

active proctype acknowledged() {
    bool got;
    do
    :: true ->
        d_step {
            back?got;
            if
            :: got == alternating -> alternating = !alternating; data = (data + 1) % 3
            :: else
            fi
        }
    od
}

active proctype receiver() {
    bool expected, b;
    byte next, d;
    do
    :: true ->
        d_step {
            there?b,d;
            if
            :: b == expected -> assert(d == next); expected = !expected; next = (next + 1) % 3
            :: else
            fi
        };
        back!b
    od
}

active proctype losesFrames() {
    do
    :: true -> there?_,_
    od
}

active proctype losesBits() {
    do
    :: true -> back?_
    od
}
