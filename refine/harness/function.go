package harness

import (
	"fmt"
	"strings"

	"c2bp/frontend/core"
	"c2bp/frontend/stubs"
)

// This file writes the functions that return the values which the run got from outside.

// function writes f with its effects in the run. Calls of a function with a model count only if the
// core program has nodes for them, which it has not where the calls would have no effect.
func (w *writer) function(f *core.Proc, modelled bool) {
	// 1. The name: calls of a library function are wrapped by the linker.
	inputs := w.inputsOf(f)
	name := w.rec.functionName(f)
	if modelled && stubs.Names()[name] {
		w.harness.wrapped = append(w.harness.wrapped, name)
		name = "__wrap_" + name
	}
	// 2. The head.
	w.printf("\n")
	if f.Pos.IsValid() && !strings.HasPrefix(f.Pos.File, "<") {
		w.printf("/* declared at %s:%d */\n", comment(f.Pos.File), f.Pos.Line)
	}
	// A structure is returned as its bytes.
	result := declaration(f.RetType, name)
	if _, ok := f.RetType.(core.Agg); ok {
		w.printf("typedef %s;\n", declaration(f.RetType, w.resultType(f)))
		result = w.resultType(f) + " " + name
	}
	head := weak + result + "(" + parameters(f, hasEffects(inputs) || callsBack(inputs)) + ")"
	// 3. The body: fixed, a table of results, or a case for each call.
	switch {
	case f.CName == "free" && modelled:
		w.free(f, head)
	case w.ends(f) && f.RetType == core.Type(core.Void{}) && !hasEffects(inputs):
		w.printf("%s\n{\n", head)
		w.freeing(f)
		w.printf("}\n")
	case modelled && f.RetType == core.Type(core.Void{}) && !hasEffects(inputs):
		w.printf("%s\n{\n}\n", head)
	case len(inputs) == 0:
		w.printf("%s\n{\n\tc2bp_diverged(%s);\n%s}\n", head, quoteC(nameOf(f)+" is called"), w.returnZero(f))
	case simple(inputs) && !w.ends(f):
		w.table(f, head, inputs)
	default:
		w.cases(f, head, inputs)
	}
}

// resultType returns the name of the type of f's results, which are structures.
func (w *writer) resultType(f *core.Proc) string { return "c2bp_result_of_" + w.rec.functionName(f) }

// hasEffects reports whether one of the inputs changes memory.
func hasEffects(inputs []Input) bool {
	for _, in := range inputs {
		if len(in.effects) > 0 {
			return true
		}
	}
	return false
}

// simple reports whether all calls only return constants.
func simple(inputs []Input) bool {
	for _, in := range inputs {
		if in.place.base == argument || in.image != nil {
			return false
		}
	}
	return !hasEffects(inputs) && !callsBack(inputs)
}

// table writes a function that returns the elements of an array, one in each call.
//
//	static int c2bp_next[] = {
//		6,	/* in.c:11: n = next(); */
//		1,	/* in.c:11: n = next(); */
//	};
//
//	__attribute__((weak)) int next(void)
//	{
//		static unsigned calls;
//
//		if (calls == 2)
//			c2bp_diverged("next is called once more");
//		return c2bp_next[calls++];
//	}
func (w *writer) table(f *core.Proc, head string, inputs []Input) {
	_, scalar := core.Word(f.RetType)
	if scalar {
		w.printf("static %s[] = {\n", declaration(f.RetType, "c2bp_"+w.rec.functionName(f)))
		for _, in := range inputs {
			w.printf("\t%s,\t/* %s */\n", constant(in.Value, f.RetType, in.place), in.comment())
		}
		w.printf("};\n\n")
	}
	w.printf("%s\n{\n\tstatic unsigned calls;\n\n\tif (calls == %d)\n\t\tc2bp_diverged(%s);\n", head, len(inputs), quoteC(nameOf(f)+" is called once more"))
	if scalar {
		w.printf("\treturn c2bp_%s[calls++];\n}\n", w.rec.functionName(f))
	} else {
		w.printf("\tcalls++;\n%s}\n", w.returnZero(f))
	}
}

// comment describes the call that asks for the input.
func (in Input) comment() string {
	_, scalar := core.Word(in.Func.RetType)
	s := fmt.Sprintf("%s:%d: %s", comment(in.Pos.File), in.Pos.Line, comment(in.Text))
	if scalar && in.Value == nil && in.back == nil {
		s += " (not used)"
	}
	return s
}

// cases writes a function with a case for each call.
//
//	__attribute__((weak)) void *next_of(void *a1)
//	{
//		static unsigned calls;
//
//		switch (calls++) {
//		case 0: /* in.c:17: p = next_of(&p); */
//			c2bp_copy((char *)a1 + 4, (unsigned char[]){ 5, 0, 0, 0 }, 4);
//			return (char *)a1;
//		}
//		c2bp_diverged("next_of is called once more");
//		return 0;
//	}
func (w *writer) cases(f *core.Proc, head string, inputs []Input) {
	w.printf("%s\n{\n\tstatic unsigned calls;\n\n", head)
	if w.ends(f) {
		w.freeing(f)
	}
	if callsBack(inputs) {
		w.printf("again:\n")
	}
	w.printf("\tswitch (calls++) {\n")
	for i, in := range inputs {
		w.printf("\tcase %d: /* %s */\n", i, in.comment())
		// 1. Pointers are read before anything is stored.
		if in.back != nil { // what is called is found before anything is stored
			w.printf("\t{\n\t\tchar *f = %s;\n", in.back.target)
			for i, p := range in.back.found {
				w.printf("\t\tchar *p%d = %s;\n", i, p)
			}
			w.printf("\n")
		}
		// 2. Stores.
		for _, e := range in.effects {
			w.effect(e)
		}
		for _, o := range in.freed {
			if w.ends(f) && w.fenced(o) > 0 {
				w.printf("\t\tc2bp_free(c2bp_memory%d, 0, 1);\n", o+1)
			}
		}
		// 3. A callback, after which the next case follows, or the result.
		if in.back != nil {
			w.printf("\t\t%s;\n\t\tgoto again;\n\t}\n", in.back)
			continue
		}
		switch f.RetType.(type) {
		case core.Int, core.Ptr:
			w.printf("\t\treturn %s;\n", constant(in.Value, f.RetType, in.place))
		case core.Agg:
			w.printf("\t\treturn (%s)%s;\n", w.resultType(f), structure(in.image))
		case core.Opaque:
			w.printf("\t\treturn 0;\n")
		default:
			w.printf("\t\treturn;\n")
		}
	}
	w.printf("\t}\n\tc2bp_diverged(%s);\n%s}\n", quoteC(nameOf(f)+" is called once more"), w.returnZero(f))
}

// structure returns the initialiser of a structure whose only member is the byte array img.
//
//	{ { [0] = 5, [4] = 1 } }
func structure(img *image) string {
	s := img.initialiser()
	if s == "" {
		return "{ { 0 } }"
	}
	return "{" + strings.TrimPrefix(s, " =") + " }"
}

// effect writes a store.
//
//	c2bp_fill((char *)a1, 0, 64);                                     equal bytes
//	c2bp_copy((char *)a1 + 4, (unsigned char[]){ 5, 0 }, 2);          different ones
//	c2bp_copy((char *)a1 + 8, c2bp_memory1, 16);                      bytes that are copied
//	c2bp_copy((char *)a1, &(void *){ c2bp_environment1 }, sizeof(void *));
func (w *writer) effect(e effect) {
	if e.from != nil {
		w.printf("\t\tc2bp_copy(%s, %s, %d);\n", e.to, *e.from, e.size)
		return
	}
	// Runs of equal bytes that are adjacent are one store: a fill if there is one run.
	list := e.image.stretches()
	for len(list) > 0 {
		// Runs of different bytes are copied together, as long as they are adjacent and known.
		// As many runs as are adjacent, known and not too long.
		n := 1
		for n < len(list) && list[n].from == list[n-1].to && list[n].to-list[n].from <= longestCopy && list[n-1].to-list[n-1].from <= longestCopy {
			n++
		}
		first, size := list[0], list[n-1].to-list[0].from
		to := e.to
		to.off += first.from
		if n == 1 && size > 1 {
			w.printf("\t\tc2bp_fill(%s, %d, %d);\n", to, first.value, size)
		} else {
			w.printf("\t\tc2bp_copy(%s, (unsigned char[]){ %s }, %d);\n", to, bytesOf(list[:n]), size)
		}
		list = list[n:]
	}
	// Addresses are stored over their bytes in the recorded run.
	for _, off := range e.image.addresses() {
		to := e.to
		to.off += off
		w.printf("\t\tc2bp_copy(%s, &(void *){ %s }, sizeof(void *));\n", to, e.image.pointers[off])
	}
}

// longestCopy is the longest run of equal bytes that is copied together with others.
const longestCopy = 4096

// bytesOf lists bytes as initialisers.
func bytesOf(list []stretch) string {
	var out []string
	for _, s := range list {
		for range s.to - s.from {
			out = append(out, fmt.Sprint(s.value))
		}
	}
	return strings.Join(out, ", ")
}

// returnZero returns a statement by which f returns some value.
func (w *writer) returnZero(f *core.Proc) string {
	switch f.RetType.(type) {
	case core.Int, core.Ptr, core.Opaque:
		return "\treturn 0;\n"
	case core.Agg:
		return fmt.Sprintf("\treturn (%s){ { 0 } };\n", w.resultType(f))
	}
	return ""
}

// parameters returns the parameter list of f. It is empty if it is not needed and a parameter is no
// scalar.
func parameters(f *core.Proc, needed bool) string {
	var list []string
	for _, v := range f.Formals {
		if _, ok := core.Word(v.Type); !ok && !needed {
			return ""
		}
		list = append(list, declaration(v.Type, fmt.Sprintf("a%d", len(list)+1)))
	}
	if len(list) == 0 {
		return "void"
	}
	return strings.Join(list, ", ")
}

// objects writes the memory that functions allocate, and the functions that fill memory.
//
//	__attribute__((aligned(16))) static unsigned char c2bp_memory1[8]; /* malloc */
func (w *writer) objects() {
	if len(w.rec.objects) > 0 {
		w.printf("\n/* Memory that the program asks for. */\n")
	}
	for i, o := range w.rec.objects {
		align, size := int64(16), max(o.image.size, 1)
		if n := w.fenced(i); n > 0 {
			align, size = page, n
		}
		w.printf("__attribute__((aligned(%d))) static unsigned char c2bp_memory%d[%d]%s; /* %s */\n", align, i+1, size, o.image.initialiser(), comment(o.name))
	}
	// The functions that fill memory are only needed if some input stores something.
	for _, in := range w.rec.Inputs {
		if len(in.effects) > 0 {
			w.printf("\n%s", copyText)
			return
		}
	}
}

const copyText = `static void c2bp_copy(void *to, const void *from, unsigned long n)
{
	unsigned char *t = to;
	const unsigned char *f = from;
	unsigned long i;

	if (t < f)
		for (i = 0; i < n; i++)
			t[i] = f[i];
	else
		for (i = n; i > 0; i--)
			t[i - 1] = f[i - 1];
}

static void c2bp_fill(void *to, int byte, unsigned long n)
{
	unsigned char *t = to;

	while (n--)
		*t++ = byte;
}
`

// free writes the function free, which ignores the memory of the harness.
//
//	__attribute__((weak)) void __wrap_free(void *a1)
//	{
//		extern void __real_free(void *);
//
//		if (a1 == c2bp_memory1)
//			return;
//		__real_free(a1);
//	}
func (w *writer) free(f *core.Proc, head string) {
	w.printf("%s\n{\n\textern void __real_free(void *);\n\n", head)
	if w.harness.Property.ofHeap() {
		w.freeing(f)
	}
	for i := range w.rec.objects {
		w.printf("\tif (a1 == c2bp_memory%d)\n\t\treturn;\n", i+1)
	}
	for _, l := range w.rec.outside {
		if l.seen && l.function == nil {
			w.printf("\tif ((unsigned char *)a1 >= %s && (unsigned char *)a1 < %s + %d)\n\t\treturn;\n", l.name, l.name, l.to-l.from)
		}
	}
	w.printf("\t__real_free(a1);\n}\n")
}
