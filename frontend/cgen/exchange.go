package cgen

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// This file generates programs of assembly statements of x86 that exchange a word of memory with a register.

// ExchangeAssembly returns a program of n such statements; main is the head of its function main. A checksum of their
// effects is in the variable Sum at the end; the program has no undefined behaviour.
func ExchangeAssembly(seed uint64, n int, main string) string {
	rng := rand.New(rand.NewPCG(seed, 0))
	pick := func(list ...string) string { return list[rng.IntN(len(list))] }
	// One array for each size of word, of few different numbers, so that words are often equal.
	var b strings.Builder
	fmt.Fprintf(&b, "typedef char *pointer;\nunsigned long long %s;\nsigned char b[4]; unsigned short w[4]; int l[4]; unsigned long long q[4]; char pool[4], *p[4];\n%s\n{\n\tint i; _Bool f;\n", Sum, main)
	fmt.Fprintf(&b, "\tfor (i = 0; i < 4; i++) { b[i] = i; w[i] = i; l[i] = i; q[i] = i; p[i] = pool + i; }\n")
	for range n {
		k := rng.IntN(5)
		array, suffix, typ, size := "bwlqp"[k:k+1], "bwlqq"[k:k+1], []string{"signed char", "unsigned short", "int", "unsigned long long", "pointer"}[k], "bwkqq"[k:k+1]
		lock := pick("", "lock; ", `.pushsection .smp_locks,\"a\"\n.balign 4\n.long 671f - .\n.popsection\n671:\n\tlock; `)
		comment := pick("", `\n\t/* output condition code */\n`)
		at := fmt.Sprintf("%s[%d]", array, rng.IntN(4))
		// Of pointers, those into an array count.
		value, number := func() string { return fmt.Sprintf("(%s) %d", typ, rng.IntN(4)) }, "(unsigned long) x"
		op := pick("xchg", "xadd", "cmpxchg", "cmpxchg")
		if array == "p" {
			value, number = func() string { return fmt.Sprintf("pool + %d", rng.IntN(4)) }, "(unsigned long) (x - pool)"
			op = pick("xchg", "cmpxchg")
		}
		fmt.Fprintf(&b, "\t{ %s x = %s, y = %s; f = 0; i = 0;\n\t", typ, value(), value())
		switch {
		case op == "cmpxchg" && rng.IntN(2) == 0:
			// The old value is in another variable than the one that is compared.
			fmt.Fprintf(&b, `asm volatile("%scmpxchg%s %%%s2, %%1%s" : "=a"(x), "+m"(%s) : "q"(y), "0"(%s) : "memory"); `, lock, suffix, size, comment, at, value())
		case op == "cmpxchg":
			fmt.Fprintf(&b, `asm volatile("%scmpxchg%s %%%s[new], %%[ptr]%s" : "=@cc%s"(f), [ptr] "+m"(%s), [old] "+a"(x) : [new] "q"(y) : "memory"); `, lock, suffix, size, comment, pick("z", "e", "ne", "nz"), at)
		case rng.IntN(2) == 0:
			// As an input only, the word changes by way of the "memory" clobber.
			fmt.Fprintf(&b, `asm volatile("%s%s%s %%%s0, %%1%s" : "+q"(x) : "m"(%s) : "memory", "cc"); `, lock, op, suffix, size, comment, at)
		default:
			fmt.Fprintf(&b, `asm volatile("%s%s%s %%%s0, %%1%s" : "+q"(x), "+m"(%s) : : "memory", "cc"); `, lock, op, suffix, size, comment, at)
		}
		fmt.Fprintf(&b, "\n\t%s = (%s * 31 + %s) * 2 + f; }\n", Sum, Sum, number)
	}
	fmt.Fprintf(&b, "\tfor (i = 0; i < 4; i++) { %[1]s = %[1]s * 31 + b[i]; %[1]s = %[1]s * 31 + w[i]; %[1]s = %[1]s * 31 + l[i]; %[1]s = %[1]s * 31 + q[i]; %[1]s = %[1]s * 31 + (unsigned long) (p[i] - pool); }\n}\n", Sum)
	return b.String()
}
