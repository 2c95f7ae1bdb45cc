package harness

// This file has the C text that all harnesses have in common.

const prelude = `extern int dprintf(int, const char *, ...);
extern void _Exit(int) __attribute__((noreturn));

static void c2bp_failed(const char *file, unsigned line)
{
	dprintf(2, "c2bp: failed: %s:%u\n", file, line);
	_Exit(98);
}

static void c2bp_failed_at(const void *call)
{
	dprintf(2, "c2bp: failed at: %p\n", call);
	_Exit(98);
}

static void c2bp_diverged(const char *why)
{
	dprintf(2, "c2bp: diverged: %s\n", why);
	_Exit(97);
}
`

// fixed has the functions with a fixed meaning that a program may declare and not define.
var fixed = []struct{ name, text string }{
	{"__assert_fail", `void __assert_fail(const char *e, const char *file, unsigned line, const char *f)
{
	c2bp_failed(file, line);
}
`},
	{"__assert", `void __assert(const char *e, const char *file, int line)
{
	c2bp_failed(file, line);
}
`},
	{"assert", `void assert(int e)
{
	if (!e)
		c2bp_failed_at(__builtin_return_address(0));
}
`},
	{"__VERIFIER_assert", `void __VERIFIER_assert(int e)
{
	if (!e)
		c2bp_failed_at(__builtin_return_address(0));
}
`},
	{"__VERIFIER_error", `void __VERIFIER_error(void)
{
	c2bp_failed_at(__builtin_return_address(0));
}
`},
	{"reach_error", `void reach_error(void)
{
	c2bp_failed_at(__builtin_return_address(0));
}
`},
	{"__VERIFIER_assume", `void __VERIFIER_assume(int e)
{
	if (!e)
		c2bp_diverged("an assumption does not hold");
}
`},
	{"assume_abort_if_not", `void assume_abort_if_not(int e)
{
	if (!e)
		c2bp_diverged("an assumption does not hold");
}
`},
	{"__CPROVER_assert", `void __CPROVER_assert(int e)
{
	if (!e)
		c2bp_failed_at(__builtin_return_address(0));
}
`},
	{"__CPROVER_precondition", `void __CPROVER_precondition(int e)
{
	if (!e)
		c2bp_failed_at(__builtin_return_address(0));
}
`},
	{"__CPROVER_postcondition", `void __CPROVER_postcondition(int e)
{
	if (!e)
		c2bp_failed_at(__builtin_return_address(0));
}
`},
	{"__ESBMC_assert", `void __ESBMC_assert(int e)
{
	if (!e)
		c2bp_failed_at(__builtin_return_address(0));
}
`},
	{"klee_report_error", `void klee_report_error(const char *file, int line, const char *message, const char *suffix)
{
	c2bp_failed_at(__builtin_return_address(0));
}
`},
	{"__CPROVER_assume", `void __CPROVER_assume(int e)
{
	if (!e)
		c2bp_diverged("an assumption does not hold");
}
`},
	{"__ESBMC_assume", `void __ESBMC_assume(int e)
{
	if (!e)
		c2bp_diverged("an assumption does not hold");
}
`},
	{"klee_assume", `void klee_assume(unsigned long e)
{
	if (!e)
		c2bp_diverged("an assumption does not hold");
}
`},
}

// weak precedes every definition: one of the program is used instead.
const weak = "__attribute__((weak)) "
