package bpgen

// This file holds the operations on resource managers of every transaction manager, in the notation
// of transactions_text.go.

// resourceProcs are the operations on resource managers.
const resourceProcs = `
bool inDoubt(ref Resource m)
begin
  ref Enlistment e;
  if (current = null) then
    return 0;
  fi
  e := current.first;
  while (e != null) do
    if (e.manager = m) then
      return e.voted & !e.done;
    fi
    e := e.next;
  od
  return 0;
end

void timeout()
begin
  if (current = null) then
    NOTE;
    return;
  fi
  if (current.active) then
    current.active, current.doomed := 0, 1;
    NOTE;
  else
    NOTE;
  fi
end

void checkpoint(ref Resource m)
begin
  decl wait;
  wait := inDoubt(m);
  if (m.log = null) then
    NOTE;
    return;
  fi
  if (!wait) then
    m.log := null;
    NOTE;
  else
    assert(m.log.forced);
    NOTE;
  fi
end

bool query(ref Resource m)
begin
  ref Enlistment e;
  decl known;
  known := 0;
  if (current = null) then
    NOTE;
    return 0;
  fi
  e := current.first;
  while (e != null) do
    if (e.manager = m) then
      known := e.done;
      post(e, 0, known);
    fi
    e := e.next;
  od
  NOTE;
  return known;
end

void crash(ref Resource m)
begin
  m.down := 1;
  NOTE;
end

void recover(ref Resource m)
begin
  decl wait;
  if (m.down) then
    m.down := 0;
    wait := NEEDED;
    if (wait) then
      NOTE;
    else
      m.log := null;
      NOTE;
    fi
  fi
end
`
