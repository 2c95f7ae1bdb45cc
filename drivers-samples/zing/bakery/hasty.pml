/* Mutual exclusion of N processes by tickets; nobody waits for those who are choosing. */

bool choosing[N];
byte ticket[N];
byte inside;

active [N] proctype customer() {
    byte rounds, k, most;
    do
    :: rounds < 2 ->
        d_step { choosing[_pid] = true; k = 0; most = 0 };
        do
        :: k < N -> d_step { if :: ticket[k] > most -> most = ticket[k] :: else fi; k = k + 1 }
        :: else -> break
        od;
        ticket[_pid] = most + 1;
        d_step { choosing[_pid] = false; k = 0; most = 0 };
        do
        :: k < N ->
            d_step { (ticket[k] == 0 || ticket[k] > ticket[_pid] || ticket[k] == ticket[_pid] && k >= _pid) -> k = k + 1 }
        :: else -> break
        od;
        inside = inside + 1;
        assert(inside == 1);
        inside = inside - 1;
        d_step { ticket[_pid] = 0; k = 0; rounds = rounds + 1 }
    :: else -> break
    od
}
