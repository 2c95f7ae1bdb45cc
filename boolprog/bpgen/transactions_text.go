package bpgen

// This file holds the text that all transaction managers share. At NOTE, a procedure may be called
// that allocates notes; NEEDED is whether a manager that recovers must keep its last record.

const managerClasses = `class Record { bool commit; bool forced; }
class Resource { bool down; ref Record log; }
class Enlistment { bool voted; bool refused; bool done; ref Resource manager; ref Enlistment next; }
class Transaction { bool active; bool prepared; bool committed; bool doomed; ref Enlistment first; }
class Message { bool ask; bool outcome; ref Enlistment about; }
ref Transaction current;
ref Message inbox;
ref Record trace;
`

// transactionProcs are the operations on the current transaction and what they share.
const transactionProcs = `
void start()
begin
  ref Transaction t;
  if (current = null) then
    t := new Transaction;
    t.active := 1;
    current := t;
    NOTE;
  else
    NOTE;
  fi
end

void enlist(ref Resource m)
begin
  ref Enlistment e;
  if (current = null) then
    NOTE;
    return;
  fi
  if (!current.active) then
    NOTE;
    return;
  fi
  if (m.down) then
    current.doomed := 1;
    NOTE;
    return;
  fi
  e := current.first;
  while (e != null) do
    if (e.manager = m) then
      NOTE;
      return;
    fi
    e := e.next;
  od
  e := new Enlistment;
  e.manager := m;
  e.next := current.first;
  current.first := e;
  NOTE;
end

void post(ref Enlistment e, ask, outcome)
begin
  ref Message p;
  p := new Message;
  p.ask, p.outcome := ask, outcome;
  p.about := e;
  inbox := p;
end

bool vote(ref Enlistment e)
begin
  ref Resource m;
  m := e.manager;
  post(e, 1, 0);
  if (m.down) then
    e.refused := 1;
    NOTE;
    return 0;
  fi
  if (*) then
    force(m, 0);
    e.voted := 1;
    NOTE;
    return 1;
  fi
  e.refused := 1;
  NOTE;
  return 0;
end

void force(ref Resource m, commit)
begin
  ref Record r;
  r := new Record;
  r.forced := 1;
  r.commit := commit;
  m.log := r;
end

bool prepare()
begin
  ref Enlistment e;
  decl ok, all;
  if (current = null) then
    NOTE;
    return 0;
  fi
  if (!current.active) then
    NOTE;
    return current.prepared;
  fi
  all := !current.doomed;
  e := current.first;
  while (e != null) do
    ok := vote(e);
    all := all & ok;
    e := e.next;
  od
  current.active := 0;
  current.prepared := all;
  current.doomed := !all;
  NOTE;
  return all;
end

void commit()
begin
  ref Enlistment e;
  if (current = null) then
    NOTE;
    return;
  fi
  if (!current.prepared) then
    NOTE;
    return;
  fi
  assert(!current.doomed);
  e := current.first;
  while (e != null) do
    finish(e, 1);
    e := e.next;
  od
  current.prepared, current.committed := 0, 1;
  NOTE;
end

void rollback()
begin
  ref Enlistment e;
  if (current = null) then
    NOTE;
    return;
  fi
  if (current.committed) then
    NOTE;
    return;
  fi
  current.active, current.prepared, current.doomed := 0, 0, 1;
  e := current.first;
  while (e != null) do
    finish(e, 0);
    e := e.next;
  od
  NOTE;
end

void finish(ref Enlistment e, outcome)
begin
  ref Resource m;
  ref Record r;
  m := e.manager;
  post(e, 0, outcome);
  if (outcome) then
    assert(e.voted & !e.refused);
    r := m.log;
    assert(r.forced);
    r.commit := 1;
    NOTE;
  else
    m.log := null;
    NOTE;
  fi
  e.done := 1;
end

void forget()
begin
  ref Enlistment e;
  if (current = null) then
    NOTE;
    return;
  fi
  if (!(current.committed | current.doomed)) then
    NOTE;
    return;
  fi
  e := current.first;
  while (e != null) do
    assert(current.committed => e.done & e.voted);
    assert(current.committed => !current.doomed);
    e := e.next;
  od
  NOTE;
  current := null;
end
`
