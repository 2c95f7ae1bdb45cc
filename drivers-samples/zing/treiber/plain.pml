/* A stack without locks, of two nodes 1 and 2, used by N processes. 0 is no node. */

byte next[3];
bool taken[3];
byte top = 1;

inline pop(result) {
    done = false;
    do
    :: !done ->
        old = top;
        if
        :: old == 0 -> result = 0; done = true
        :: else ->
            after = next[old];
            d_step {
                if
                :: top == old -> top = after; assert(!taken[old]); taken[old] = true; result = old; done = true
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
        old = top;
        next[node] = old;
        d_step {
            if
            :: top == old -> top = node; taken[node] = false; done = true
            :: else
            fi
        }
    :: else -> break
    od
}

proctype use() {
    byte one, two, old, after;
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
