package cgen

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// This file generates programs of assembly statements of x86 that find a one among the bits of a word.

// ScanAssembly returns a program of n such statements; main is the head of its function main. A checksum of their
// effects is in the variable Sum at the end; the program has no undefined behaviour.
func ScanAssembly(seed uint64, n int, main string) string {
	rng := rand.New(rand.NewPCG(seed, 0))
	pick := func(list ...string) string { return list[rng.IntN(len(list))] }
	var b strings.Builder
	fmt.Fprintf(&b, "unsigned long long %s;\nint l; unsigned u; long q; unsigned long v;\n%s\n{\n", Sum, main)
	for range n {
		// A word with few or many ones, often one with none.
		word := rng.Uint64() & rng.Uint64() & rng.Uint64() >> rng.IntN(64)
		if rng.IntN(4) == 0 {
			word = 0
		}
		k := rng.IntN(4)
		variable, typ, suffix := "luqv"[k:k+1], []string{"int", "unsigned", "long", "unsigned long"}[k], "llqq"[k:k+1]
		op := pick("bsf", "bsr")
		fmt.Fprintf(&b, "\t{ %s = (%s) %dull; %s n = %d; int i = -1;\n\t", variable, typ, word, typ, rng.IntN(9))
		switch rng.IntN(4) {
		// Of 0 the register stays as it is.
		case 0:
			fmt.Fprintf(&b, `asm ("%s%s %%1, %%0" : "=r" (n) : "rm" (%s), "0" (%s));`, op, suffix, variable, pick("n", "("+typ+") -1", "n + 1"))
		// A wide instruction with a register of which only the lower half is used.
		case 1:
			width := map[string]string{"l": "k", "q": "q"}[suffix]
			fmt.Fprintf(&b, `asm ("%s%s %%1, %%%s0" : "+r" (i) : "rm" (%s)); n = i;`, op, suffix, width, variable)
		case 2:
			fmt.Fprintf(&b, `asm volatile ("%s %%[w], %%[n]" : [n] "+r" (n) : [w] "r" (%s) : "cc");`, op, variable)
		// Of 0 nothing is certain.
		default:
			fmt.Fprintf(&b, `if (%s) asm ("%s%%1, %%0" : "=r" (n) : "%s" (%s));`, variable, pick("bsf ", "rep; bsf ", "bsr "), pick("r", "m", "rm"), variable)
		}
		fmt.Fprintf(&b, "\n\t%s = %s * 31 + (unsigned long) n + (unsigned) i; }\n", Sum, Sum)
	}
	b.WriteString("}\n")
	return b.String()
}
