package harness

import (
	"fmt"
	"slices"

	"c2bp/frontend/checks"
	"c2bp/frontend/core"
	"c2bp/frontend/core/interp"
)

// This file lets the compiled program notice what is done to memory after it was freed, as far as the harness has
// supplied that memory. Each object has pages of its own. What frees it takes the right to read and write them
// away, so that an access ends the program where it is; and a second end of the object is reported where it is
// asked for.

// page is the size of a page.
const page = 4096

// mostFenced bounds the size of the objects that have pages of their own.
const mostFenced = 1 << 20

// ofHeap reports whether p is about the lives of objects on the heap.
func (p Property) ofHeap() bool {
	return slices.ContainsFunc(checks.OfHeap.Kinds(), func(k checks.Kind) bool { return slices.Contains(k.Properties(), p.Check) })
}

// unfenced returns the gap that the compiled program does not notice a violation of p; nil if it does.
func (p Property) unfenced(rec *Recording) []Gap {
	if !p.ofHeap() || rec.Program.Pointer().Bits == 64 {
		return nil
	}
	return []Gap{{"lives of objects, which are watched in programs for 64 bits only,", p.Pos}}
}

// fenced returns the size of the object i of the recording with the rest of its pages; 0 if it has no
// pages of its own.
func (w *writer) fenced(i int) int64 {
	n := max(w.rec.objects[i].image.size, 1)
	if !w.harness.Property.ofHeap() || n > mostFenced || w.rec.Program.Pointer().Bits != 64 {
		return 0
	}
	return (n + page - 1) / page * page
}

// ends reports whether calls of f end the lives of objects, in the run or where it fails.
func (w *writer) ends(f *core.Proc) bool {
	p := w.harness.Property
	return p.ofHeap() && w.rec.Program.Pointer().Bits == 64 && (w.rec.frees[f.CName] || p.Function == f.CName)
}

// fences writes the table of objects with pages of their own, and the functions that use it.
func (w *writer) fences() {
	if !w.harness.Property.ofHeap() || w.rec.Program.Pointer().Bits != 64 {
		return
	}
	w.printf("\n/* Memory that is freed must not be used any more. */\nstatic struct { unsigned char *at; unsigned long size; int freed; } c2bp_fences[] = {\n")
	for i := range w.rec.objects {
		if n := w.fenced(i); n > 0 {
			w.printf("\t{ c2bp_memory%d, %d, 0 },\n", i+1, n)
		}
	}
	// A library function that the program calls fails where it is called.
	inLibrary, p := "", w.harness.Property
	if p.Function != "" {
		inLibrary = fmt.Sprintf("\textern char __executable_start, etext;\n\n\tif (at < &__executable_start || at >= &etext)\n\t\tc2bp_failed(%s, %d);\n", quoteC(p.Pos.File), p.Pos.Line)
	}
	other := ""
	if p.Check == checks.InvalidFree {
		other = "\tif (p)\n\t\tc2bp_failed_at(call);\n"
	}
	defer w.leaks()
	w.printf("\t{ 0, 0, 0 }\n};\n%s", fmt.Sprintf(fenceText, inLibrary, other))
}

// leaks writes the function for the end of the program, if the property is that the objects of its place are freed.
//
//	__attribute__((destructor)) static void c2bp_end(void)
//	{
//		if (!c2bp_fences[0].freed)
//			c2bp_failed("in.c", 12);
//	}
func (w *writer) leaks() {
	p, row := w.harness.Property, 0
	if p.Check != checks.MemoryLeak {
		return
	}
	w.printf("\n__attribute__((destructor)) static void c2bp_end(void)\n{\n")
	for i, o := range w.rec.objects {
		if w.fenced(i) == 0 {
			continue
		}
		if o.pos == p.Pos {
			w.printf("\tif (!c2bp_fences[%d].freed)\n\t\tc2bp_failed(%s, %d);\n", row, quoteC(p.Pos.File), p.Pos.Line)
		}
		row++
	}
	w.printf("}\n")
}

// fenceText is the text of functions. The register rip is at byte 168 of the context that Linux passes to a handler
// of a signal; where the program fails is the address of a call, one byte before what is printed.
const fenceText = `
static void c2bp_fault(int signal, void *info, char *context)
{
	char *at = *(char **)(context + 168);
%s
	c2bp_failed_at(at + 1);
}

static void c2bp_free(void *p, const void *call, int ends)
{
	extern int mprotect(void *, unsigned long, int);
	extern void *signal(int, void *);
	unsigned i;

	for (i = 0; c2bp_fences[i].at; i++) {
		if (p != c2bp_fences[i].at)
			continue;
		if (c2bp_fences[i].freed)
			c2bp_failed_at(call);
		if (ends) {
			c2bp_fences[i].freed = 1;
			signal(11, c2bp_fault);
			mprotect(p, c2bp_fences[i].size, 0);
		}
		return;
	}
%s}
`

// freeing writes the statements of f, which may free the objects of its arguments.
func (w *writer) freeing(f *core.Proc) {
	ends := 0
	if f.RetType == core.Type(core.Void{}) {
		ends = 1 // whatever else it does, as realloc, is known of each call
	}
	for i, v := range f.Formals {
		if _, ok := v.Type.(core.Ptr); ok {
			w.printf("\tc2bp_free(a%d, __builtin_return_address(0), %d);\n", i+1, ends)
		}
	}
}

// freed records that the model m has freed the object at address a.
func (r *Recorder) freed(m *modelRun, o *interp.Object) {
	if r.recording.frees == nil {
		r.recording.frees = map[string]bool{}
	}
	r.recording.frees[m.call.Func.CName] = true
	if i, ok := r.memory.made[o]; ok {
		m.freed = append(m.freed, i)
	}
}
