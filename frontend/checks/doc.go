// Package checks turns assumptions of the ledger into properties: for an operation of C it says which
// conditions on the operands keep the operation defined. Package frontend asserts them in front of the
// operation.
//
//	C            kind       conditions
//	x / y        division   y != 0;  x != -2147483647 - 1 || y != -1
//	x << 3       shift      x >= 0 && x <= 268435455
//	x + y        overflow   -2147483648 <= (int64)x + (int64)y && (int64)x + (int64)y <= 2147483647
//	n + 1        overflow   n <= 9223372036854775806, for a long n
//	*p, p->f     null       p != 0
//	a[i]         bounds     0 <= i && i < 10, for int a[10]
//
//	free(p)      double-free, lifetime, leak: package heap, when the whole program is known
//	return r     uninitialised: package assigned, likewise
//
// Trade-offs. The assertions are made while C is lowered, since only there the types before and after the
// promotions are known, and the points at which operands are evaluated: the second operand of && has its
// assertions after the first. The price is that the program with checks is another program, which is read
// and abstracted anew. An assertion of a check is like one of the user: abstraction, predicates, traces,
// replay and certificates know no more of it than its [core.Check], for messages.
//
// A condition is exact: it holds if and only if C11 defines the operation for these operands. It never
// overflows itself, so that the interpreter can evaluate it, and so that the mathematical integers of
// package wp mean the same: sums of up to 32 bits are computed in 64, sums of 64 bits are compared with the
// distance of an operand to the end of the range, which takes a case distinction (Condition). Where the ranges
// of the operands show that the operation is always defined, there is no condition: char + char, x % 8 + 1.
//
//	kinds.go       the kinds, and the value of --check
//	condition.go   conditions, with case distinctions
//	arithmetic.go  the conditions of + - * / % << >>
//	ranges.go      the range of the value of an expression
//	memory.go      the conditions of accesses, and the node that says that there are none
//	ledger.go      the lines of the ledger that kinds cover
package checks
