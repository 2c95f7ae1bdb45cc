package frontend

import (
	"bytes"
	"fmt"
	"regexp"
	"sort"
	"strconv"
	"strings"

	"modernc.org/token"

	"c2bp/frontend/core"
	"c2bp/source"
)

// This file makes the copy of the source text that contains the predicates.

// insertion is text to be put into a file.
type insertion struct {
	file   string
	offset int
	text   string
}

// insert makes a parser and a main file with the requests of list put in. Where
// that is impossible the requests get errors.
func (r *resolver) insert(tu *translationUnit, list []*request) (*parser, *source.File, error) {
	var globals strings.Builder
	texts := map[*function]*strings.Builder{}
	var fns []*function
	for i, q := range list {
		b := &globals
		if q.fn != nil {
			if b = texts[q.fn]; b == nil {
				b = &strings.Builder{}
				texts[q.fn] = b
				fns = append(fns, q.fn)
			}
		}
		q.write(b, predicateFile(i))
	}
	var edits []insertion
	for _, f := range fns {
		end := f.def.CompoundStatement.Token2.Position()
		file, offset := r.physical(end)
		if offset < 0 {
			for _, q := range list {
				if q.fn == f {
					q.fail(0, "no predicate can be put into %s: the end of its body comes from a macro", f.name)
				}
			}
			return nil, nil, fmt.Errorf("no place")
		}
		edits = append(edits, insertion{file, offset,
			fmt.Sprintf("\n;{%s\n}\n#line %d \"%s\"\n", texts[f], end.Line, end.Filename)})
	}
	if globals.Len() > 0 {
		name := tu.file.Name
		edits = append(edits, insertion{name, len(tu.file.Text), "\nvoid $globals(void) {\n{" + globals.String() + "\n}\n}\n"})
	}
	return r.edited(tu, edits)
}

// write appends q as a block with its own declarations.
func (q *request) write(b *strings.Builder, file string) {
	b.WriteString("\n{")
	for i, n := range q.names {
		fmt.Fprintf(b, "%s %s;", spellType(n.v.Type.(core.Int)), dollar(i))
	}
	fmt.Fprintf(b, "\n#line 1 %q\n(void)(\n%s\n);}", file, q.code)
}

// spellType is a C type with the properties of t.
func spellType(t core.Int) string {
	if t.Bool {
		return "_Bool"
	}
	s := map[int]string{8: "char", 16: "short", 32: "int", 64: "long long"}[t.Bits]
	if s == "" {
		panic("frontend: a variable of type " + t.String())
	}
	if t.Signed {
		return "signed " + s
	}
	return "unsigned " + s
}

// edited is a parser that sees the files with edits made, and the main file.
func (r *resolver) edited(tu *translationUnit, edits []insertion) (*parser, *source.File, error) {
	sort.SliceStable(edits, func(i, j int) bool { return edits[i].offset > edits[j].offset })
	p := &parser{opts: r.opts, files: map[string]*source.File{}}
	for name, f := range r.files {
		p.files[name] = f
	}
	for _, e := range edits {
		old := p.files[e.file].Text
		text := bytes.Join([][]byte{old[:e.offset], []byte(e.text), old[e.offset:]}, nil)
		p.files[e.file] = source.NewFile(e.file, text)
	}
	return p, p.files[tu.file.Name], nil
}

var lineDirective = regexp.MustCompile(`^[ \t]*#[ \t]*(?:line[ \t]+)?(\d+)(?:[ \t]+"([^"]*)")?`)

// physical is the file and offset of a closing brace that cc places at pos, where
// #line may have moved it; -1 if there is no brace.
func (r *resolver) physical(pos token.Position) (string, int) {
	for _, name := range append([]string{pos.Filename}, sortedKeys(r.files)...) {
		f := r.files[name]
		if f == nil {
			continue
		}
		if off := presumed(f, pos); off >= 0 {
			return name, off
		}
	}
	return "", -1
}

// presumed finds the offset of the brace in f whose presumed position is pos.
func presumed(f *source.File, pos token.Position) int {
	name, line := f.Name, 0
	for start := 0; start < len(f.Text); {
		end := len(f.Text)
		if i := bytes.IndexByte(f.Text[start:], '\n'); i >= 0 {
			end = start + i + 1
		}
		line++
		text := f.Text[start:end]
		if m := lineDirective.FindSubmatch(text[:min(len(text), 4096)]); m != nil {
			if n, err := strconv.Atoi(string(m[1])); err == nil {
				line = n - 1
				if m[2] != nil {
					name = string(m[2])
				}
			}
		}
		if i := start + pos.Column - 1; line == pos.Line && name == pos.Filename && i < end && f.Text[i] == '}' {
			return i
		}
		start = end
	}
	return -1
}
