package families

import "fmt"

// This file generates programs with many locks.

// Locks returns a program with n locks and one loop. Each iteration chooses a subset of the locks,
// takes those, and releases them: 2^n paths. No lock may be taken twice or released when not held.
// In the unsafe program the lock in the middle is kept in iterations that choose the first and the
// last as well, and the next iteration takes it again.
//
// It panics if n is not positive.
//
//	while (1) {
//	    if (__VERIFIER_nondet_int() == 0)
//	        goto out;
//	    want1 = __VERIFIER_nondet_int();
//	    if (want1 != 0) {
//	        if (held1 != 0)
//	            goto ERROR;
//	        held1 = 1;
//	    }
//	    if (want1 != 0) {
//	        if (held1 != 1)
//	            goto ERROR;
//	        held1 = 0;
//	    }
//	}
func Locks(n int, unsafe bool) Program {
	if n < 1 {
		panic("families: Locks needs a lock")
	}
	var t text
	t.line("/* %d locks, taken and given back in every combination. */", n)
	t.line("extern int __VERIFIER_nondet_int(void);")
	t.line("")
	t.line("int main(void)")
	t.line("{")
	for i := range n {
		t.line("int want%d, held%d = 0;", i+1, i+1)
	}
	t.line("")
	t.line("while (1) {")
	t.line("if (__VERIFIER_nondet_int() == 0)")
	t.line("    goto out;")
	for i := range n {
		// Choose the locks,
		t.line("want%d = __VERIFIER_nondet_int();", i+1)
	}
	for i := range n {
		t.line("if (want%d != 0) {", i+1)
		// take them,
		t.line("if (held%d != 0)", i+1)
		t.line("    goto ERROR;")
		t.line("held%d = 1;", i+1)
		t.line("}")
	}
	for i := range n {
		t.line("if (want%d != 0) {", i+1)
		// and release them.
		t.line("if (held%d != 1)", i+1)
		t.line("    goto ERROR;")
		if unsafe && i == n/2 {
			t.line("if (want1 == 0 || want%d == 0)", n)
			t.line("    held%d = 0;", i+1)
		} else {
			t.line("held%d = 0;", i+1)
		}
		t.line("}")
	}
	t.line("}")
	t.line("out:")
	t.line("return 0;")
	t.line("ERROR:")
	t.line("return 1;")
	t.line("}")

	// Two iterations that choose all locks.
	witness := make([]int64, 2*(n+1))
	for i := range witness {
		witness[i] = 1
	}
	return finish(fmt.Sprintf("locks-%d", n), t.String(), unsafe, witness)
}
