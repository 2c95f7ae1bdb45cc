package prover

/*
#cgo LDFLAGS: -lz3
#include <stdbool.h>
#include <z3.h>

static void set_parameters(void *context, void *solver) {
	Z3_context c = context;
	Z3_params p = Z3_mk_params(c);
	Z3_params_inc_ref(c, p);
	Z3_params_set_bool(c, p, Z3_mk_string_symbol(c, "ctrl_c"), false);
	Z3_params_set_bool(c, p, Z3_mk_string_symbol(c, "arith.enable_hnf"), false);
	Z3_solver_set_params(c, solver, p);
	Z3_params_dec_ref(c, p);
}
*/
import "C"

import (
	"unsafe"

	"github.com/aclements/go-z3/z3"
)

// This file sets the parameters of Z3's solvers.
//
// ctrl_c keeps Z3 from handling SIGINT. While a solver checks, Z3 puts a handler of its own in the
// place of the program's, and takes it out afterwards. With several solvers at once they are taken out
// in another order: the program then no longer hears of Ctrl-C, or Z3's handler uses memory that is
// free, and crashes.
//
// arith.enable_hnf leaves out cuts by the Hermite normal form of the equations, one of several ways in which
// Z3 looks for integers. The numbers in it grow, with addresses of 64 bits among the coefficients, and Z3 does not count
// that as work: of the conditions of a path through a driver it took 2 seconds, where branches and Gomory cuts
// alone take a twentieth of one. It is the same question with the same answer.
//
// go-z3 has no way to set a solver's parameters, so its solver is looked into.

// setParameters sets the parameters of s, which is new and of context c.
func setParameters(c *z3.Context, s *z3.Solver) {
	// Both structs begin with a pointer to a struct: of the context, which begins with Z3's pointer to it;
	// of the solver, in which a pointer to the context comes first, and then Z3's.
	context := **(**unsafe.Pointer)(unsafe.Pointer(c))
	solver := (*(**[2]unsafe.Pointer)(unsafe.Pointer(s)))[1]
	C.set_parameters(context, solver)
}
