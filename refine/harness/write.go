package harness

import (
	"fmt"
	"slices"
	"strings"

	"c2bp/frontend/core"
	"c2bp/source"
)

// This file writes the C file of a harness: its head, and its parts in order.

// Exit codes of a compiled program, which programs rarely use themselves.
const (
	exitFailed    = 98 // the property does not hold
	exitDiverged  = 97 // the program asked for other inputs than the run
	exitUndefined = 96 // the sanitizer has found undefined behaviour
)

// Order is the order in which inputs are supplied that one C statement requests from one function.
// C leaves open the order in which f(g(), g()) calls g; the core program evaluates from left to
// right, compilers choose.
type Order int

const (
	LeftToRight Order = iota // as in the run
	RightToLeft              // of each C statement the last input first
)

// Harness is a C file that supplies the inputs of a run.
type Harness struct {
	Text     string // of the C file
	Property Property
	Gaps     []Gap // what the run depends on and the file does not supply

	files     map[string]*source.File
	defines   []string // macros that the files of the program are compiled with
	wrapped   []string // functions of the library whose calls come to the harness
	support   string   // what a program needs besides that is run here, see supply
	problem   string   // why the file is of no use, or ""
	labelFile string   // the copy of this file notices the label
	labelText string   // by this text
	labelAt   int      // at this offset
	startFile string   // to the copy of this file is appended
	startText string   // the call of the entry function
}

// Write returns the C file that supplies the inputs of the run rec, in which p is violated.
func Write(rec *Recording, p Property, order Order) *Harness {
	h := &Harness{Property: p, Gaps: append(slices.Clip(rec.Gaps), p.unfenced(rec)...), files: rec.Program.Files}
	// 1. Changes to the copies of the program's files.
	h.placeCheck()
	// 2. The file for people: functions, then variables, then the head, which depends on both.
	w := &writer{rec: rec, harness: h, order: order}
	if d := rec.outsideDeclarations(); d != "" {
		w.printf("\n%s", d)
	}
	w.start()
	w.functions()
	w.variables()
	h.Text = w.head() + w.body.String()
	// 3. The part that is only compiled by Run.
	w.body.Reset()
	w.supply()
	h.support = w.body.String()
	return h
}

// writer collects the text of a harness.
type writer struct {
	rec     *Recording
	harness *Harness
	order   Order
	body    strings.Builder
}

// printf adds formatted text.
func (w *writer) printf(format string, args ...any) { fmt.Fprintf(&w.body, format, args...) }

// head returns the comment at the start of the file, and the C text that the rest needs.
func (w *writer) head() string {
	var b strings.Builder
	line := func(format string, args ...any) {
		text := comment(fmt.Sprintf(format, args...))
		if text != "" && text[0] != '\t' {
			text = " " + text
		}
		b.WriteString(" *" + text + "\n")
	}
	p := w.harness.Property
	b.WriteString("/*\n")
	line("This file supplies the inputs of a run in which")
	line("")
	line("\t%s%s", p, quotedText(p))
	line("")
	line("Compile it together with the program, and run it:")
	line("")
	line("\t%s", w.command())
	line("")
	// Exit codes, and what cannot be done by a C file of its own.
	reproduced := exitFailed
	if p.Check != "" && !p.ofHeap() {
		reproduced = exitUndefined
	}
	if reason := p.unnoticed(); reason != "" {
		line("Nothing tells that this was reproduced: %s.", reason)
		line("Exit code %d: the program asked for other inputs than the run.", exitDiverged)
	} else {
		line("Exit code %d: that was reproduced. Exit code %d: the program asked for other", reproduced, exitDiverged)
		line("inputs than the run.")
	}
	for _, s := range w.remarks() {
		line("")
		line("%s", s)
	}
	if len(w.harness.Gaps) > 0 {
		line("")
		line("The run depends on more than this file supplies:")
		for _, g := range w.harness.Gaps {
			line("\t%s", g)
		}
	}
	b.WriteString(" */\n\n")
	b.WriteString(prelude)
	return b.String()
}

// quotedText returns the text of an assertion, after a colon.
func quotedText(p Property) string {
	if p.Text == "" || p.Label != "" {
		return ""
	}
	return ":  " + p.Text
}

// command returns the command by which people compile the program.
//
//	gcc -g -Dmain=c2bp_users_main -Wl,--wrap=malloc in.c harness.c && ./a.out
func (w *writer) command() string {
	var names []string
	for name, f := range w.harness.files {
		if strings.HasSuffix(name, ".c") || strings.HasSuffix(name, ".i") || len(w.harness.files) == 1 {
			names = append(names, f.Name)
		}
	}
	slices.Sort(names)
	flags := ""
	if w.rec.Program.Pointer().Bits == 32 {
		flags = " -m32"
	}
	for _, d := range w.harness.defines {
		flags += " -D" + d
	}
	for _, f := range w.harness.wrapped {
		flags += " -Wl,--wrap=" + f
	}
	if p := w.harness.Property; p.Check != "" && !p.ofHeap() {
		flags += " -fsanitize=undefined -fno-sanitize-recover=all"
	}
	return "gcc -g" + flags + " " + strings.Join(names, " ") + " harness.c && ./a.out"
}

// remarks describes the changes to the program that have to be made by hand.
//
//	in.c: at its end, append void c2bp_start(void) { handle(0, 10020); }
func (w *writer) remarks() (list []string) {
	h := w.harness
	if h.labelFile != "" {
		where := "behind the label " + h.Property.Label
		if h.Property.Label == "" {
			where = fmt.Sprintf("behind the brace in line %d", h.Property.Pos.Line)
		}
		list = append(list, fmt.Sprintf("%s: %s, insert%s", h.labelFile, where, h.labelText))
	}
	if h.startFile != "" {
		list = append(list, fmt.Sprintf("%s: at its end, append %s", h.startFile, h.startText))
	}
	return list
}

// functions writes the functions that the program does not define.
func (w *writer) functions() {
	// 1. Functions with a fixed meaning, as far as the program mentions them.
	words := w.words()
	header := words["assert.h"]
	for _, f := range fixed {
		switch {
		case f.name == "__assert_fail" && header, words[f.name] && !(f.name == "assert" && header):
			w.printf("\n%s%s", weak, f.text)
		}
	}
	// 2. The function that a check calls.
	if w.harness.labelFile != "" {
		p := w.harness.Property
		what := "label " + p.Label
		// The property is a call: its check is in the body of the function that is called.
		if p.Label == "" {
			what = "call " + p.Text
		}
		w.printf("\n/* The %s is reached. */\nint %s(void)\n{\n\tc2bp_failed(%s, %d);\n\treturn 0;\n}\n",
			comment(what), reachedName, quoteC(p.Pos.File), p.Pos.Line)
	}
	// 3. All others; those with memory after it.
	list, modelled := w.undefined()
	w.objects()
	w.fences()
	for _, f := range list {
		w.function(f, modelled[f])
	}
}

// words returns the identifiers in the files of the program, and assert.h if a file includes that.
func (w *writer) words() map[string]bool {
	words := map[string]bool{}
	for _, f := range w.harness.files {
		for t := range tokens(f.Text) {
			words[t.text] = true
		}
		if strings.Contains(string(f.Text), "assert.h") {
			words["assert.h"] = true
		}
		if strings.Contains(string(f.Text), "__assert_fail") {
			words["__assert_fail"] = true // in the body of a macro
		}
		for _, x := range fixed {
			if strings.Contains(string(f.Text), x.name) && x.name != "assert" && x.name != "__assert" {
				words[x.name] = true
			}
		}
	}
	return words
}

// inputsOf returns the inputs that f supplied, in the order in which it is to supply them.
func (w *writer) inputsOf(f *core.Proc) (list []Input) {
	for _, in := range w.rec.Inputs {
		if in.Func.CName == f.CName {
			list = append(list, in)
		}
	}
	if w.order == RightToLeft {
		// Reverse the inputs of each statement.
		for i := 0; i < len(list); {
			j := i
			for j < len(list) && list[j].stmt == list[i].stmt {
				j++
			}
			if !callsBack(list[i:j]) { // those are one call
				slices.Reverse(list[i:j])
			}
			i = j
		}
	}
	return list
}

// Ambiguous reports whether the order of inputs matters; see [Order].
func (r *Recording) Ambiguous() bool {
	last := map[string]int{}
	for i, in := range r.Inputs {
		if j, ok := last[in.Func.CName]; ok && r.Inputs[j].stmt == in.stmt && r.Inputs[j].back == nil {
			return true
		}
		last[in.Func.CName] = i
	}
	return false
}
