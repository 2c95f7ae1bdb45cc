package harness

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"c2bp/frontend/core"
	"c2bp/source"
)

// This file makes the copies of the C files that are compiled. They differ from the files only
// where a separate harness cannot work: to notice that a label is reached, and to call a static
// function.

// Names that the copies and the harness share.
const (
	reachedName = "c2bp_reached"
	startName   = "c2bp_start"
	mainName    = "c2bp_users_main"
)

// edited returns the text of f that is compiled, with the line numbers of f.
//
//	extern int c2bp_reached(void);
//	#line 1 "in.c"
//	…
//	ERROR: if (c2bp_reached()) ; else return 1;
//	…
//	#line 1 "harness.c"
//	extern unsigned char c2bp_environment1[]; void c2bp_start(void) { handle(c2bp_environment1, 10020); }
func (h *Harness) edited(f *source.File) []byte {
	var b strings.Builder
	text := string(f.Text)
	end := ""
	// The check after a label, or after the brace of a function.
	if f.Name == h.labelFile {
		fmt.Fprintf(&b, "extern int %s(void);\n", reachedName)
		text = text[:h.labelAt] + h.labelText + text[h.labelAt:]
	}
	// The call of a static entry function; only its own file can call it.
	if f.Name == h.startFile {
		end = "\n#line 1 \"harness.c\"\n" + h.startText
	}
	return []byte(b.String() + fmt.Sprintf("#line 1 %s\n", quoteC(f.Name)) + text + end)
}

// placeCheck decides where the copy checks for the label of the property, or for a call that is the
// property.
func (h *Harness) placeCheck() {
	p := h.Property
	f := h.textOf(p.Pos.File)
	if p.Label == "" {
		h.placeBody(f)
		return
	}
	if f == nil {
		h.problem = fmt.Sprintf("there is no text of %s to find the label %s in", p.Pos.File, p.Label)
		return
	}
	at, next, ok := findLabel(f, p)
	if !ok {
		h.problem = fmt.Sprintf("the label %s is not found in the text of %s", p.Label, p.Pos.File)
		return
	}
	// A statement would end an if before its else; after the last label of a block there is none.
	h.labelFile, h.labelAt = f.Name, at
	h.labelText = " if (" + reachedName + "()) ; else"
	if next == "}" {
		h.labelText = " " + reachedName + "();"
	}
}

// textOf returns the text that contains lines of the file called name: its own or, if it was not
// read, that of a preprocessed file with line markers for it; nil if there is none.
func (h *Harness) textOf(name string) *source.File {
	if f := h.files[name]; f != nil {
		return f
	}
	for _, file := range slices.Sorted(maps.Keys(h.files)) {
		for t := range tokens(h.files[file].Text) {
			if t.file == name {
				return h.files[file]
			}
		}
	}
	return nil
}

// placeBody places the check for a property that is a call of a function of the program: after the
// opening brace of its body.
func (h *Harness) placeBody(f *source.File) {
	if f == nil {
		return
	}
	at := offsetOf(f, h.Property.Pos)
	if at < 0 || at >= len(f.Text) || f.Text[at] != '{' {
		return
	}
	h.labelFile, h.labelAt, h.labelText = f.Name, at+1, " "+reachedName+"();"
}

// unfit says why h cannot be used with the program files, "" if it can.
func (h *Harness) unfit(files []*source.File) string {
	for _, name := range []string{h.labelFile, h.startFile} {
		if name != "" && !slices.ContainsFunc(files, func(f *source.File) bool { return f.Name == name }) {
			return fmt.Sprintf("%s would have to be changed, and is no C file of the program but a header", name)
		}
	}
	return h.problem
}

// findLabel returns the offset in f after the label p that is nearest to p's statement, and the
// next token.
func findLabel(f *source.File, p Property) (at int, next string, ok bool) {
	best := 0
	all := slices.Collect(tokens(f.Text))
	for i := 1; i+1 < len(all); i++ {
		// An identifier and a colon, where a statement may start.
		t, colon := all[i], all[i+1]
		if t.text != p.Label || colon.text != ":" || !startsStatement(all[i-1].text) || cmp.Or(t.file, f.Name) != p.Pos.File {
			continue
		}
		// The statement of the property follows its label, after other labels perhaps.
		distance := p.Pos.Line - t.line
		if distance < 0 { // labels stand in front of statements
			distance = len(all) - distance
		}
		// The nearest so far.
		if ok && distance >= best {
			continue
		}
		at, best, ok, next = colon.end, distance, true, ""
		if i+2 < len(all) {
			next = all[i+2].text
		}
	}
	return at, next, ok
}

// startsStatement reports whether a statement may follow the token t, so that an identifier before
// a colon is a label.
func startsStatement(t string) bool {
	return slices.Contains([]string{";", "{", "}", ")", ":", "else", "do"}, t)
}

// placeStart makes the entry function callable if it is static, and reports whether it is.
func (h *Harness) placeStart(entry *core.Proc, call, outside string) bool {
	f := h.textOf(entry.Pos.File)
	if f == nil || !isStatic(f, entry) {
		return false
	}
	h.startFile = f.Name
	h.startText = fmt.Sprintf("void %s(void) { %s; }\n", startName, call)
	h.startText = strings.ReplaceAll(outside, "\n", " ") + h.startText
	return true
}

// isStatic reports whether the definition of p in f is static.
func isStatic(f *source.File, p *core.Proc) bool {
	end := offsetOf(f, p.Pos)
	if end < 0 {
		return false
	}
	// A declaration starts after the last semicolon or brace.
	static := false
	// The specifiers of the declaration that ends at p's name.
	for t := range tokens(f.Text[:end]) {
		switch t.text {
		case ";", "}":
			static = false
		case "static":
			static = true
		}
	}
	return static
}

// quoteC returns s as a C string literal.
func quoteC(s string) string {
	s = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", " ", "\r", " ").Replace(s)
	return `"` + s + `"`
}
