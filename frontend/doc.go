// Package frontend reads C and makes a core program of it.
//
//	u, err := frontend.Load(ctx, files, frontend.Options{})
//	// u.Program: the program;  u.Diags: what was over-approximated, and where
//	preds, err := u.Resolve(texts)
//
// For example
//
//	int g;                                  proc main() int32
//	int main(void)                            local i int32
//	{                                         local \result int32
//	    int i = 0;                            0: g := 0         -> 1
//	    while (i++ < 3)                       1: i := 0         -> 2
//	        g += i;                           2: i := i + 1     -> 3
//	    assert(g == 6);                       3: branch         -> 4 5
//	    return 0;                             4: assume i - 1 < 3  -> 6
//	}                                         5: assume i - 1 >= 3 -> 7
//	                                          6: g := g + i     -> 2
//	                                          7: assert g == 6  -> 8
//	                                          8: \result := 0   -> 9
//	                                          9: return
//
// The phases, each in files of its own:
//
//	read      parse include pragma scrub modes lines refuse   cc/v4 parses and type-checks a file
//	link      link declare attributes                         files become one program, objects become variables
//	look      effects                                         what every function may read and write
//	lower     stmt jumps expr assign cond call intrinsics     statements become nodes, with builder
//	start     entry                                           initialisers and the procedure main
//	resolve   resolve predtext insert spell                   predicates, by a second parse
//
// What it takes from modernc.org/cc/v4 is syntax, scopes, declared types and the
// values of literals. Types of expressions, conversions, constants and sizes are
// computed here (arith, operators, pure), because cc is wrong about some.
//
// # What C becomes
//
//	C                                   core
//	x = e, x op= e, x++                 one Assign, conversions explicit
//	x = f(e), int x = f(e)              one Call, with ResultConv where types differ
//	if, while, do, for, ?:, && ||       Branch, and an Assume on each side
//	switch                              a chain of such, one for each case
//	goto, labels, computed goto         edges; a Skip carries the label
//	assert(e), __VERIFIER_assert(e)     Assert, with e as it is; for && and || on the false way
//	__VERIFIER_error(), reach_error()   Assert 0
//	__VERIFIER_assume(e)                Assume
//	abort(), exit(), noreturn externals Assume 0
//	__VERIFIER_nondet_T()               Havoc
//	a declaration without initialiser   Havoc, each time it is executed
//	a read of a volatile variable       Havoc of a temporary
//	*p, p->f, a[i], s.f as a value      Havoc: an arbitrary value, and a diagnostic
//	*p = e, p->f = e                    Havoc of the region: all address-taken variables
//	a[i] = e, s.f = e of a variable     nothing: elements are not represented
//	fp(e)                               a Branch over all functions it may be, and an unknown one
//	an undefined function               a Proc without body
//	asm                                 Havoc of its outputs and of the region
//	setjmp, asm goto, threads           refused: control flow that cannot be followed
//
// Evaluation is from left to right. The value of an expression is a pure
// expression over the state after its side effects (i++ is i - 1), kept in a
// temporary only if something later changes what it reads. Where C leaves an
// order open that matters, there is a warning and a line in the ledger.
//
// What it is not: it proves nothing, it knows no predicates when it lowers, and
// the program it makes is over-approximated only: every execution of the C
// program, under the assumptions in Program.Ledger, is one of the core program.
package frontend
