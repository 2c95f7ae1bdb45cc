/* A coordinator asks N participants for their votes. */

chan votes = [N] of { bool };
chan inbox[N] = [1] of { bool };
bool committed, aborted;

inline decide(c) {
    d_step {
        if
        :: c -> committed = true
        :: else -> aborted = true
        fi;
        assert(!(committed && aborted))
    }
}

active [N] proctype participant() {
    bool vote, commit;
    if
    :: vote = false
    :: vote = true
    fi;
    votes!vote;
    if
    :: !vote -> decide(false)
    :: else ->
        inbox[_pid]?commit;
        decide(commit)
    fi
}

active proctype coordinator() {
    byte i;
    bool vote, commit = true;
    do
    :: i < N -> d_step { votes?vote -> commit = commit && vote; i = i + 1 }
    :: else -> break
    od;
    i = 0;
    do
    :: i < N -> d_step { inbox[i]!commit; i = i + 1 }
    :: else -> break
    od
}
