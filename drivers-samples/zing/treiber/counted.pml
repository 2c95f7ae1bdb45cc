/* The top has a counter that each exchange increments. */

byte next[3];
bool taken[3];
byte top = 1;
byte count;

inline pop(result) {
    done = false;
    do
    :: !done ->
        d_step { old = top; seen = count };
        if
        :: old == 0 -> result = 0; done = true
        :: else ->
            after = next[old];
            d_step {
                if
                :: top == old && count == seen -> count = count + 1; top = after; assert(!taken[old]); taken[old] = true; result = old; done = true
                :: else
                fi
            }
        fi
    :: else -> break
    od
}

inline push(node) {
    done = false;
    do
    :: !done ->
        d_step { old = top; seen = count };
        next[node] = old;
        d_step {
            if
            :: top == old && count == seen -> count = count + 1; top = node; taken[node] = false; done = true
            :: else
            fi
        }
    :: else -> break
    od
}

proctype use() {
    byte one, two, old, after, seen;
    bool done;
    pop(one);
    pop(two);
    if :: one != 0 -> push(one) :: else fi;
    if :: two != 0 -> push(two) :: else fi
}

init {
    byte i;
    atomic {
        next[1] = 2;
        do
        :: i < N -> run use(); i = i + 1
        :: else -> break
        od
    }
}
