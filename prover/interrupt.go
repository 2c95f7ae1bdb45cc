package prover

/*
#cgo LDFLAGS: -lz3
#include <stdbool.h>
#include <z3.h>

static void leave_interrupts(void *context, void *solver) {
	Z3_context c = context;
	Z3_params p = Z3_mk_params(c);
	Z3_params_inc_ref(c, p);
	Z3_params_set_bool(c, p, Z3_mk_string_symbol(c, "ctrl_c"), false);
	Z3_solver_set_params(c, solver, p);
	Z3_params_dec_ref(c, p);
}
*/
import "C"

import (
	"unsafe"

	"github.com/aclements/go-z3/z3"
)

// This file keeps Z3 from handling SIGINT. While a solver checks, Z3 puts a handler of its own in the
// place of the program's, and takes it out afterwards. With several solvers at once they are taken out
// in another order: the program then no longer hears of Ctrl-C, or Z3's handler uses memory that is
// free, and crashes. go-z3 has no way to set a solver's parameters, so its solver is looked into.

// leaveInterrupts lets the program handle SIGINT while s, which is new and of context c, checks.
func leaveInterrupts(c *z3.Context, s *z3.Solver) {
	// Both structs begin with a pointer to a struct: of the context, which begins with Z3's pointer to it;
	// of the solver, in which a pointer to the context comes first, and then Z3's.
	context := **(**unsafe.Pointer)(unsafe.Pointer(c))
	solver := (*(**[2]unsafe.Pointer)(unsafe.Pointer(s)))[1]
	C.leave_interrupts(context, solver)
}
