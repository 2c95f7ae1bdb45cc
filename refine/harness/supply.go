package harness

import (
	"math/big"
	"slices"

	"c2bp/frontend/core"
	"c2bp/frontend/core/interp"
	"c2bp/source"
)

// This file records the values that assembly stores, and supplies them: assembly is not executed,
// see assembly.go.

// byAssembly reports whether assembly stores the locations of h.
func byAssembly(h *core.Havoc) bool {
	return len(h.Locs) > 0 && (h.Why == core.AssemblyOutput || h.Why == core.AssemblyInput)
}

// assembled is the execution of an assembly statement with outputs.
type assembled struct {
	pos     source.Pos
	outputs []output // in the order of the statement
	count   int      // how many they are; of asm goto, minus the number of its labels
}

// jumped records the branch that asm goto takes, as an output of a statement with -n outputs, where
// n is the number of labels. The branch to the next statement is the last.
func (r *Recorder) jumped(node *core.Node, chosen int) {
	labels := len(node.Succ) - 1
	way := (slices.Index(node.Succ, chosen) + 1) % len(node.Succ)
	r.recording.assembly = append(r.recording.assembly, assembled{node.Pos, []output{{big.NewInt(int64(way)), core.Int32}}, -labels})
}

// output is the value of one output.
type output struct {
	value *big.Int
	typ   core.Int
}

// assembled records the value v of an output.
func (r *Recorder) assembled(q interp.Request, v *big.Int, node *core.Node) {
	r.now.outputs = append(r.now.outputs, output{v, q.Type})
	if r.isAddress(q, v) && v.Sign() != 0 && r.object(v) != nil {
		r.gap("the address that assembly stores in "+quoted(node), node.Pos)
	}
}

// supply writes the parts that only a program needs which is compiled without its assembly, in a
// sandbox: the options of the sanitizer, and the function that supplies the values stored by
// assembly. Each call asks for one output and passes the number of the statement's outputs: if
// these are not as in the run, the program has left its path.
//
//	__attribute__((weak)) void c2bp_assembly(int count, int index, void *to, unsigned long size)
//	{
//		static const struct { int count, index; unsigned size; unsigned long long value; } list[] = {
//			{ 2, 0, 4, 17ull },	/* in.c:12 */
//			{ 2, 1, 8, 0ull },	/* in.c:12 */
//		};
//		…
//		c2bp_diverged("assembly is reached that the run does not reach");
//	}
func (w *writer) supply() {
	// Not by the environment: to read that, the sanitizer wants /proc.
	w.printf("\n%sconst char *__ubsan_default_options(void)\n{\n\treturn \"exitcode=%d:print_stacktrace=0\";\n}\n", weak, exitUndefined)
	w.printf("\n%svoid %s(int count, int index, void *to, unsigned long size)\n{\n", weak, assemblyName)
	// The table of outputs, in the order of the run.
	calls := 0
	for _, a := range w.rec.assembly {
		for k, o := range a.outputs {
			if calls == 0 {
				w.printf("\tstatic const struct { int count, index; unsigned size; unsigned long long value; } list[] = {\n")
			}
			calls++
			bits := core.Int{Bits: 64}.Convert(o.value)
			w.printf("\t\t{ %d, %d, %d, %sull },\t/* %s:%d */\n", a.count, k, core.Bytes(o.typ), bits, comment(a.pos.File), a.pos.Line)
		}
	}
	// Each call takes the next one, if that fits.
	if calls > 0 {
		w.printf("\t};\n\tstatic int calls;\n\tunsigned i;\n\n")
		w.printf("\tif (calls < %d && list[calls].count == count && list[calls].index == index && list[calls].size == size) {\n", calls)
		w.printf("\t\tfor (i = 0; i < size; i++)\n\t\t\t((unsigned char *)to)[i] = list[calls].value >> 8 * i;\n")
		w.printf("\t\tcalls++;\n\t\treturn;\n\t}\n")
	}
	w.printf("\tc2bp_diverged(\"assembly is reached that the run does not reach\");\n}\n")
}
