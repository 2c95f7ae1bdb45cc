/* A driver that is stopped while N requests may arrive. */

byte pending = 1;
bool stopping, drained, stopped;

inline leave() {
    d_step { pending = pending - 1; left = pending };
    if
    :: left == 0 -> drained = true
    :: else
    fi
}

active [N] proctype request() {
    byte left;
    if
    :: stopping
    :: else ->
        pending = pending + 1;
        assert(!stopped);
        leave()
    fi
}

active proctype stop() {
    byte left;
    stopping = true;
    leave();
    drained;
    stopped = true
}
