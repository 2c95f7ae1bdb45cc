/* A request counts itself first, and looks then whether the driver is being stopped. */

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
    pending = pending + 1;
    if
    :: stopping
    :: else -> assert(!stopped)
    fi;
    leave()
}

active proctype stop() {
    byte left;
    stopping = true;
    leave();
    drained;
    stopped = true
}
