package bpgen

import (
	"cmp"
	"fmt"
	"strings"
)

// This file generates a program with the shape of the transaction manager that is measured in
// Qadeer–Rajamani 2005, §7. The paper says of that program that objects are allocated in 57 places,
// several of them in procedures that are called from several sites, that classes are recursive but
// chains bounded, and how many summaries there were.

// TransactionConfig is the size of a TransactionManager; a field that is 0 has the default in
// parentheses, and a negative one is 0.
type TransactionConfig struct {
	Managers   int  // resource managers: the longest chain of enlistments (2)
	Sites      int  // places where objects are allocated, or one fewer; there are 7 at least (57)
	Operations int  // places where main calls an operation (78)
	Unrelated  int  // Boolean globals that only main reads: they multiply visible states, not patterns (1)
	Locals     int  // Booleans of main: they multiply its states, not visible states (2)
	Bug        bool // a manager that recovers loses a record that is still needed: a null is dereferenced
}

// defaults returns c with the defaults of fields that are 0.
func (c TransactionConfig) defaults() TransactionConfig {
	for field, value := range map[*int]int{&c.Managers: 2, &c.Sites: 57, &c.Operations: 78, &c.Unrelated: 1, &c.Locals: 2} {
		*field = max(0, cmp.Or(*field, value))
	}
	c.Managers = max(1, c.Managers)
	return c
}

// TransactionManager returns the text of a program with references: a transaction enlists resource
// managers, asks them to prepare and then tells all of them to commit or to roll back, while they
// crash and recover at any time. Its assertions hold: if one manager commits, all do.
func TransactionManager(c TransactionConfig) string {
	c = c.defaults()
	// 1. The procedures, and the number of notes that are missing to the number of sites.
	needed := "inDoubt(m)"
	if c.Bug {
		needed = "0"
	}
	procs := strings.ReplaceAll(transactionProcs+resourceProcs, "NEEDED", needed)
	main := managerMain(c)
	notes := (c.Sites - strings.Count(procs+main, "new ")) / 2 // of which each allocates in two places
	// 2. Declarations, procedures and notes.
	var b strings.Builder
	b.WriteString(managerClasses)
	for i := range c.Managers {
		fmt.Fprintf(&b, "ref Resource m%d;\n", i)
	}
	for i := range c.Unrelated {
		fmt.Fprintf(&b, "decl u%d;\n", i)
	}
	b.WriteString(withNotes(main+procs, notes))
	for i := range notes {
		b.WriteString(note(i))
	}
	return b.String()
}

// withNotes replaces each NOTE by a call of one of n procedures that allocate notes, in turn; by
// skip if n is 0. So objects of one place are allocated in calls from several places.
func withNotes(text string, n int) string {
	parts := strings.Split(text, "NOTE;")
	var b strings.Builder
	for i, part := range parts {
		b.WriteString(part)
		switch {
		case i+1 == len(parts):
		case n <= 0:
			b.WriteString("skip;")
		default:
			fmt.Fprintf(&b, "note%d();", i%n)
		}
	}
	return b.String()
}

// note returns a procedure that records the state of the current transaction and its enlistments.
// Each has two places of allocation, and reads other fields than its neighbours.
func note(i int) string {
	flags := []string{"active", "prepared", "committed", "doomed"}
	details := []string{"voted", "refused", "done"}
	return fmt.Sprintf(`
void note%d()
begin
  ref Record r;
  ref Enlistment e;
  if (current = null) then
    r := new Record;
    r.commit := %d;
  else
    r := new Record;
    r.commit := current.%s | current.%s;
    e := current.first;
    while (e != null) do
      r.forced := r.forced | e.%s & !e.manager.down;
      e := e.next;
    od
  fi
  trace := r;
end
`, i, i%2, flags[i%4], flags[(i+1+i/4%3)%4], details[i%3])
}

// managerMain returns the procedure main: it does operations for ever, in any order.
func managerMain(c TransactionConfig) string {
	var b, labels strings.Builder
	// Each operation, each inversion of an unrelated or local Boolean, and the end has a label.
	for i := range c.Operations + c.Unrelated + c.Locals + 1 {
		if i > 0 {
			labels.WriteString(", ")
		}
		// One label for each operation, and one to stop.
		fmt.Fprintf(&labels, "A%d", i)
	}
	// Initialise, then jump to any operation, again and again.
	b.WriteString("\nvoid main()\nbegin\n  decl ok;\n")
	for i := range c.Locals {
		fmt.Fprintf(&b, "  decl c%d;\n", i)
	}
	b.WriteString("  ok := 0;\n  trace := new Record;\n")
	for i := range c.Managers {
		fmt.Fprintf(&b, "  m%d := new Resource;\n", i)
	}
	for i := range c.Unrelated {
		fmt.Fprintf(&b, "  u%d := 0;\n", i)
	}
	for i := range c.Locals {
		fmt.Fprintf(&b, "  c%d := 0;\n", i)
	}
	fmt.Fprintf(&b, "  Again: goto %s;\n", labels.String())
	for i := range c.Operations {
		fmt.Fprintf(&b, "  A%d: %s\n  goto Again;\n", i, operation(c, i))
	}
	for i := range c.Unrelated {
		fmt.Fprintf(&b, "  A%d: u%d := !u%[2]d;\n  goto Again;\n", c.Operations+i, i)
	}
	for i := range c.Locals {
		fmt.Fprintf(&b, "  A%d: c%d := !c%[2]d;\n  goto Again;\n", c.Operations+c.Unrelated+i, i)
	}
	fmt.Fprintf(&b, "  A%d: skip;\nend\n", c.Operations+c.Unrelated+c.Locals)
	return b.String()
}

// operations is the number of different operations.
const operations = 13

// operation returns the statements of one place in main. The same operation occurs in several
// places, under other conditions.
func operation(c TransactionConfig, i int) string {
	m := i / operations % c.Managers
	do := [operations]string{
		"start();",
		fmt.Sprintf("enlist(m%d);", m),
		"ok := prepare();",
		"commit();",
		"rollback();",
		"forget();",
		fmt.Sprintf("crash(m%d);", m),
		fmt.Sprintf("recover(m%d);", m),
		"ok := prepare(); if (ok) then commit(); else rollback(); fi",
		"ok := trace.commit; if (ok) then timeout(); fi",
		"timeout();",
		fmt.Sprintf("checkpoint(m%d);", m),
		fmt.Sprintf("ok := query(m%d); if (ok) then forget(); fi", m),
	}
	what := do[i%operations]
	switch round := i / operations; {
	// The same operation under a condition is another place in the program.
	case round%2 == 1 && c.Locals > 0:
		what = fmt.Sprintf("if (c%d) then %s fi", i%c.Locals, what)
	case round%2 == 0 && round > 0 && c.Unrelated > 0:
		what = fmt.Sprintf("if (u%d) then %s fi", i%c.Unrelated, what)
	}
	return what
}
