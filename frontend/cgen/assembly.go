package cgen

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// This file generates programs of assembly statements of x86 that change or test a word of memory.

// WordAssembly returns a program of n such statements; main is the head of its function main. A checksum
// of their effects is in the variable Sum at the end; the program has no undefined behaviour.
func WordAssembly(seed uint64, n int, main string) string {
	rng := rand.New(rand.NewPCG(seed, 0))
	pick := func(list ...string) string { return list[rng.IntN(len(list))] }
	// One array for each size of word. Statements use the words from 4 to 11, so that bit
	// offsets of up to four words on either side stay inside.
	var b strings.Builder
	fmt.Fprintf(&b, "unsigned long long %s;\nunsigned char b[16]; unsigned short w[16]; unsigned l[16]; unsigned long long q[16];\n%s\n{\n\tint i; _Bool f; long n;\n", Sum, main)
	fmt.Fprintf(&b, "\tfor (i = 0; i < 16; i++) { b[i] = 37 * i + %d; w[i] = 9973 * i + %d; l[i] = 99991u * 99991 * i + %d; q[i] = 99991ull * 99991 * 99991 * i + %d; }\n",
		rng.IntN(256), rng.IntN(1000), rng.IntN(1000), rng.IntN(1000))
	// The statement: which word, with which prefix as the kernel writes it, with which operands
	// and which result.
	for range n {
		k := rng.IntN(4)
		array, suffix, bits := "bwlq"[k:k+1], "bwlq"[k:k+1], 8<<k
		lock := pick("", "lock; ", "lock ", `.pushsection .smp_locks,\"a\"\n.balign 4\n.long 671f - .\n.popsection\n671:\n\tlock; `)
		comment := pick("", `\n\t/* output condition code */\n`)
		// As an input only, the word changes by way of the "memory" clobber: an analysis
		// that takes the constraints for all effects misses the write.
		input := rng.IntN(2) == 0 // the word is an input, and all memory changes
		flag := rng.IntN(2) == 0
		op, cond := pick("or", "and", "xor", "add", "sub", "inc", "dec", "bts", "btr", "btc", "bt", "test"), pick("e", "z", "ne", "nz", "s", "ns")
		// Bit operations have no form for bytes.
		onBits := strings.HasPrefix(op, "bt")
		if onBits && k == 0 {
			continue
		}
		at := fmt.Sprintf("%s[%d]", array, 4+rng.IntN(8))
		number := fmt.Sprint(rng.Int32() - 1<<30)
		if onBits {
			number, cond = fmt.Sprint(rng.IntN(8*bits)-4*bits), "c" // up to four words from there
		}
		// bt and test write nothing: they have no lock, and only their flag shows anything.
		if op == "bt" || op == "test" {
			lock, flag = "", true
		}
		// The operands have numbers as they come: the flag, the word if it changes as one, the rest.
		var out []string
		if flag {
			out = append(out, fmt.Sprintf(`"=@cc%s"(f)`, cond))
		}
		dst := len(out)
		in := []string{`"r"(n)`}
		if input {
			in = append([]string{fmt.Sprintf(`"m"(%s)`, at)}, in...)
		} else {
			out = append(out, fmt.Sprintf(`[word] "+m"(%s)`, at))
		}
		// %b1, %w1, %k1 and %q1 are the names of an operand register in the size of the
		// word.
		word, src := fmt.Sprintf("%%%d", dst), fmt.Sprintf("%%%s%d, ", map[int]string{8: "b", 16: "w", 32: "k", 64: "q"}[bits], dst+1)
		if !input && rng.IntN(2) == 0 {
			word = "%[word]"
		}
		switch {
		// inc and dec have one operand; other operations may have a constant in the place
		// of the register.
		case op == "inc" || op == "dec":
			src, in = "", in[:len(in)-1]
		case !onBits && rng.IntN(3) == 0:
			src, in = fmt.Sprintf("$%d, ", rng.IntN(100)), in[:len(in)-1]
		}
		fmt.Fprintf(&b, "\tf = 0; n = %s; asm volatile(\"%s%s%s %s%s%s\" : %s : %s : \"memory\"); %s = %s * 31 + f;\n",
			number, lock, op, suffix, src, word, comment, strings.Join(out, ", "), strings.Join(in, ", "), Sum, Sum)
	}
	fmt.Fprintf(&b, "\tfor (i = 0; i < 16; i++) { %[1]s = %[1]s * 31 + b[i]; %[1]s = %[1]s * 31 + w[i]; %[1]s = %[1]s * 31 + l[i]; %[1]s = %[1]s * 31 + q[i]; }\n}\n", Sum)
	return b.String()
}
