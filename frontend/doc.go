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
//	door      load options explain                          Options, Load, the constructs that are not exact
//	read      package ccfix                                 cc/v4 parses and type-checks a file, with
//	                                                        work-arounds for its defects
//	know      facts; packages ctree, layout                 facts about the program, in layers;
//	                                                        syntax trees, and the layouts of types
//	link      link declare attributes addrtaken             files become one program, objects become variables
//	          outside microsoft                             names that others define; -fms-extensions
//	types     types arith compatible generic                types that cc has, checked where it is often wrong
//	          qualifiers qualifiersexpr constraints         const and volatile; violations of constraints
//	analyse   effects mentions volatile recast order        the objects that functions read, write and mention
//	models    model modelfile primitive                     library functions, in C (models/lib/models.c)
//	          literalcalls comparisons errno                literal arguments; few bytes compared; errno
//	lower     stmt jumps expr assign cond call blocks       statements become nodes, with builder
//	          pure pureplace operators float math lose      pure expressions, floating point
//	          place pointer addr aggregate record           places in memory, structures
//	          init parts initstore                          initialisers, and their order
//	          intrinsics bits overflow atomics varargs      functions of the compiler
//	          synthesise threads signals cleanups           functions that the program does not define
//	          assembly asmtext asmbits fileasm              assembly
//	start     entry reached stated assumed                  the procedure main; only code that it reaches is lowered
//	end       ending models/lib/exit.c                          the end of the program
//	resolve   predicates; package predicate                 predicates, by a second parse
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
//	__VERIFIER_error(), reach_error()   Assert 0 (also in an empty body, see failing.go)
//	__VERIFIER_assume(e)                Assume
//	abort(), exit(), noreturn externals Assume 0
//	atexit(f), destructors              the program is linked with models/lib/exit.c
//	__VERIFIER_nondet_T()               Havoc
//	a declaration without initialiser   Havoc, each time it is executed
//	*p, p->f, a[i], s.f, x              a place in memory (Mem), or a variable; read, assigned, its address taken
//	p + i, p - q, p == q, &p->f         Index, Diff, Binary, Offset
//	(T *)((unsigned long)p + 8)         Offset, with the name of the member that is there
//	s = t, s = f(), f(s), return s      Copy; the destination of the call; the address of s; Copy to \result
//	T x = { … }, (T){ … }               Fill with zero where something is left out, an Assign for each part;
//	                                    a Branch around what a later initialiser overrides
//	"text"                              a global variable, set by Data at the start of the program
//	int a[n], alloca(n)                 Alloc with Stack; a is a pointer variable
//	malloc, kfree, strcpy, printf, …    the body of a model, copied: see models/lib/models.c
//	f, &f, (*fp)(e), s->op(e)           FuncAddr, a Call with a Target
//	va_start, va_arg                    a pointer into the variable that holds the arguments
//	a read of what is volatile          Havoc of a temporary; of a pointer: its value, or a Havoc;
//	                                    nothing special where nobody else changes it, see volatilekept.go
//	float, double                       exact, see float.go and math.go; with --32 as long double
//	long double, vectors, __int128      no values: stores are Havoc, what is computed of them is arbitrary
//	0.5 as a condition, (int)2.75       computed, see floating.go
//	an undefined function               a Proc without body; it may call the functions that it is given
//	asm                                 Havoc of its outputs; of the region if it uses memory
//	signal(n, f), sigaction             f may run at any time, see signals.go
//	threads                             what they may share is arbitrary at each read, see threads.go
//	asm goto                            and then a branch to any of its labels, or on
//	__attribute__((cleanup(f)))         a call of f wherever control leaves the block
//	setjmp                              refused: control flow that cannot be followed
//
// Evaluation is from left to right, in initialisers by members. The value of an expression is a pure
// expression over the state after its side effects (i++ is i - 1), kept in a
// temporary only if something later changes what it reads: a write through a pointer
// or a call may change all memory, but for variables whose address is never taken.
// Where C leaves an order open that matters, there is a warning and a line in the
// ledger.
//
// What it is not: it proves nothing, it knows no predicates when it lowers, and
// the program it makes is over-approximated only: every execution of the C
// program, under the assumptions in Program.Ledger, is one of the core program.
package frontend
