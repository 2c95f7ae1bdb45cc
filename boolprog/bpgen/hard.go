package bpgen

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// This file generates programs that are hard for decision diagrams: their cost depends on the order
// of the variables.

// declaration is the order in which operands of k bits are declared. An engine that keeps to the
// declared order needs few nodes with the first, and with the others a number that is exponential
// in k.
type declaration int

const (
	interleaved declaration = iota // bit by bit: a good order
	separate                       // operand by operand: a bad one
	shuffled
)

// String returns the order in one word, for the names of programs.
func (d declaration) String() string { return [...]string{"interleaved", "separate", "shuffled"}[d] }

// declare returns the declarations of the bits of some operands.
func (d declaration) declare(k int, operands ...string) string {
	var list []string
	for _, v := range operands {
		for i := range k {
			list = append(list, fmt.Sprint(v, i))
		}
	}
	// The list is operand by operand at first.
	switch d {
	case interleaved:
		slices.SortStableFunc(list, func(x, y string) int { return bitOf(x) - bitOf(y) })
	case shuffled:
		rand.New(rand.NewPCG(uint64(k), 5)).Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	}
	return "decl " + strings.Join(list, ", ") + ";\n"
}

// bitOf returns the number in a name such as a12.
func bitOf(name string) (i int) {
	fmt.Sscan(name[1:], &i)
	return i
}

// adder returns a ripple-carry adder of k bits that checks each bit of the sum against another
// formula.
//
//	s3, c := a3 ^ b3 ^ c, a3 & b3 | a3 & c | b3 & c;
//	assert(s3 = (a3 = (b3 = c)));
//
// Its one carry is overwritten, so only the order of a, b and s matters: bit i of s depends on the
// bits 0 … i of a and b.
func adder(d declaration, k int) string {
	var b strings.Builder
	b.WriteString(d.declare(k, "a", "b", "s"))
	b.WriteString("void main() begin decl c;\nc := 0;\n")
	for i := range k {
		// The sum and the next carry of one bit, in parallel, from the carry before.
		fmt.Fprintf(&b, "s%[1]d, c := a%[1]d ^ b%[1]d ^ c, a%[1]d & b%[1]d | a%[1]d & c | b%[1]d & c;\n", i)
	}
	b.WriteString("c := 0;\n")
	for i := range k {
		// The sum again as a chain of equalities, and the carry in another form.
		fmt.Fprintf(&b, "assert(s%[1]d = (a%[1]d = (b%[1]d = c)));\nc := (a%[1]d | b%[1]d) & c | a%[1]d & b%[1]d;\n", i)
	}
	b.WriteString("end\n")
	return b.String()
}

// carries returns an adder that names each of its carries. All of them stay live until the
// assertions, in contrast to those of adder.
func carries(d declaration, k int) string {
	var b strings.Builder
	b.WriteString(d.declare(k, "a", "b", "s", "c"))
	b.WriteString("void main() begin\nc0 := 0;\n")
	for i := range k {
		fmt.Fprintf(&b, "s%[1]d := a%[1]d ^ b%[1]d ^ c%[1]d;\n", i)
		if i+1 < k {
			fmt.Fprintf(&b, "c%[2]d := a%[1]d & b%[1]d | a%[1]d & c%[1]d | b%[1]d & c%[1]d;\n", i, i+1)
		}
	}
	for i := range k {
		fmt.Fprintf(&b, "assert(s%[1]d = (a%[1]d = (b%[1]d = c%[1]d)));\n", i)
	}
	b.WriteString("end\n")
	return b.String()
}

// comparator returns a program that compares two numbers from the lowest bit, and again from the
// highest. l, m and the operands are related at the end: a < b, in two ways.
func comparator(d declaration, k int) string {
	var b strings.Builder
	b.WriteString(d.declare(k, "a", "b"))
	b.WriteString("void main() begin decl l, done, m;\nl := 0;\n")
	for i := range k {
		// The higher bit decides; equal bits leave it to the lower ones.
		fmt.Fprintf(&b, "l := !a%[1]d & b%[1]d | (a%[1]d = b%[1]d) & l;\n", i)
	}
	b.WriteString("m, done := 0, 0;\n")
	for i := k - 1; i >= 0; i-- {
		// The first difference decides; choose(x, !x) is x.
		fmt.Fprintf(&b, "m, done := choose(done & m | !done & !a%[1]d & b%[1]d, !(done & m | !done & !a%[1]d & b%[1]d)), done | a%[1]d != b%[1]d;\n", i)
	}
	b.WriteString("assert(l = m);\nend\n")
	return b.String()
}

// equality returns a program that assumes that two numbers are equal, bit by bit, then asserts it.
// In between the set of states is the equality itself, which has 2^k nodes if the operands are
// separate.
func equality(d declaration, k int) string {
	var b strings.Builder
	b.WriteString(d.declare(k, "a", "b"))
	b.WriteString("void main() begin\n")
	for _, what := range []string{"assume", "assert"} {
		for i := range k {
			fmt.Fprintf(&b, "%s(a%d = b%[2]d);\n", what, i)
		}
	}
	b.WriteString("end\n")
	return b.String()
}

// counter returns a program that counts k bits up in a loop, any number of times, together with a
// copy. It needs 2^k rounds until all states have been reached.
func counter(d declaration, k int) string {
	var b strings.Builder
	b.WriteString(d.declare(k, "a", "b"))
	b.WriteString("void main() begin\n")
	for i := range k {
		fmt.Fprintf(&b, "a%d, b%[1]d := 0, 0;\n", i)
	}
	b.WriteString("while (*) do\n")
	// Each bit is inverted if all lower bits are 1.
	for _, v := range []string{"a", "b"} {
		var left, right []string
		carry := "1"
		for i := range k {
			left = append(left, fmt.Sprint(v, i))
			right = append(right, fmt.Sprintf("%s%d ^ (%s)", v, i, carry))
			carry += fmt.Sprintf(" & %s%d", v, i)
		}
		fmt.Fprintf(&b, "%s := %s;\n", strings.Join(left, ", "), strings.Join(right, ", "))
	}
	b.WriteString("od\n")
	for i := range k {
		fmt.Fprintf(&b, "assert(a%d = b%[1]d);\n", i)
	}
	b.WriteString("end\n")
	return b.String()
}

// unconstrained returns a program that assigns arbitrary values to n globals, one by one, in a
// loop. All 2^n states are reachable: an engine that lists states is lost, and the decision diagram
// is that of true.
func unconstrained(n int) string {
	var b strings.Builder
	b.WriteString(separate.declare(n, "g"))
	b.WriteString("void main() begin\nwhile (*) do\n")
	for i := range n {
		fmt.Fprintf(&b, "g%d := *;\n", i)
	}
	b.WriteString("od\n")
	// If n is 30, (i*7+3) mod n is never i, so a state in which only g_i is 1 fails.
	for i := range n {
		fmt.Fprintf(&b, "if (g%d) then assert(g%d); fi\n", i, (i*7+3)%n)
	}
	b.WriteString("end\n")
	return b.String()
}

// window returns a program that computes n predicates, each from two of the live predicates before
// it; live is their number.
func window(d declaration, n, live int) string {
	var b strings.Builder
	b.WriteString(d.declare(n, "p"))
	b.WriteString("void main() begin\n")
	// Each predicate is 1, 0 or arbitrary: its two sources are both 1, both 0, or differ.
	for i := live; i < n; i++ {
		fmt.Fprintf(&b, "p%d := choose(p%d & p%d, !p%[2]d & !p%[3]d);\n", i, i-live, i-live/2)
	}
	fmt.Fprintf(&b, "assert(p%d | !p%d | p%d);\nend\n", n-1, n-live, n-2)
	return b.String()
}

// copies returns a program that copies a number bit by bit, in one of several ways, and then
// asserts that the copy is equal. how is the statement for one bit, with # for its number:
//
//	t := a3; b3 := t;
//	t := a3; assert(t = b3);
//
// The decision diagram is small if each bit of b is next to that of a, which the statements suggest
// and the declarations do not.
func copies(d declaration, k int, how string) string {
	var b strings.Builder
	b.WriteString(d.declare(k, "a", "b"))
	b.WriteString("void main() begin decl t;\n")
	for i := range k {
		fmt.Fprintf(&b, strings.ReplaceAll(how, "#", "%[1]d")+"\n", i)
	}
	for i := range k {
		fmt.Fprintf(&b, "t := a%d; assert(t = b%[1]d);\n", i)
	}
	b.WriteString("end\nbool id(x) begin return x; end\n")
	return b.String()
}

const (
	byTemporary = "t := a#; b# := t;"
	byBranch    = "if (a#) then b# := 1; else b# := 0; fi"
	byCall      = "b# := id(a#);"
)

// Hard is a program that is hard for decision diagrams.
type Hard struct {
	Name string
	Text string // a Boolean program
	Bad  bool   // the declared order is too bad for any decision diagram
}

// HardPrograms returns adders, comparators, counters and copies of some sizes, declared in good and
// bad orders, and programs with many variables of which few are live. The list is always the same.
func HardPrograms() (list []Hard) {
	for _, d := range []declaration{interleaved, separate, shuffled} {
		// With 40 bits, a bad order has more than 2^40 nodes.
		for _, k := range []int{10, 13, 40} {
			bad := d != interleaved && k == 40
			add := func(name string, make func(declaration, int) string) {
				list = append(list, Hard{fmt.Sprintf("%s-%d-%s", name, k, d), make(d, k), bad})
			}
			add("adder", adder)
			add("carries", carries)
			add("comparator", comparator)
			add("equality", equality)
		}
		list = append(list, Hard{fmt.Sprintf("window-200-%s", d), window(d, 200, 20), false})
	}
	for _, how := range []string{byTemporary, byBranch, byCall} {
		// The operands of copies are declared in a bad order in any case.
		for _, k := range []int{13, 24} {
			list = append(list, Hard{fmt.Sprintf("copies-%d-%s", k, map[string]string{byTemporary: "temporary", byBranch: "branch", byCall: "call"}[how]), copies(separate, k, how), k == 24})
		}
	}
	for _, k := range []int{8, 12, 16} {
		list = append(list, Hard{fmt.Sprintf("counter-%d", k), counter(separate, k), false})
	}
	return append(list, Hard{"unconstrained-30", unconstrained(30), false})
}

// Multiplier returns a program that computes the product of two numbers of k bits: its middle bits
// have no small decision diagram in any order of the variables (Bryant 1991).
func Multiplier(k int) string {
	var b strings.Builder
	b.WriteString("void main() begin\n")
	// The result is the sum of shifted copies of x.
	for i := range k {
		fmt.Fprintf(&b, "decl x%d, y%d, z%d;\n", i, i, i)
	}
	b.WriteString("decl c;\n")
	for i := range k {
		fmt.Fprintf(&b, "z%d := 0;\n", i)
	}
	for i := range k { // z += y_i * (x << i)
		b.WriteString("c := 0;\n")
		for j := i; j < k; j++ {
			fmt.Fprintf(&b, "z%[1]d, c := z%[1]d ^ (x%[2]d & y%[3]d) ^ c, z%[1]d & (x%[2]d & y%[3]d) | z%[1]d & c | x%[2]d & y%[3]d & c;\n", j, j-i, i)
		}
	}
	// Relate the product to the operands, so that it is not arbitrary.
	for i := range k {
		fmt.Fprintf(&b, "assume(z%d = x%d ^ y%d);\n", i, i, i)
	}
	b.WriteString("assert(z0); end")
	return b.String()
}
