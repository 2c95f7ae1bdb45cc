package predicate

import (
	"bytes"
	"fmt"
	"sort"
	"strings"

	"modernc.org/cc/v4"

	"c2bp/frontend/ccfix"
	"c2bp/source"
)

// This file makes the copy of the source text that contains the predicates.

// insertion is text to be put into a file.
type insertion struct {
	file   string
	offset int
	text   string
}

// insert makes a parser and a main file with the requests of list put in. Where that is impossible
// the requests get errors, and the error returned says only that there are some.
func (r *resolution) insert(tu Unit, list []*request) (*ccfix.Parser, *source.File, error) {
	// 1. Write the predicates of each block together.
	var globals strings.Builder
	texts := map[*cc.CompoundStatement]*strings.Builder{}
	var blocks []*cc.CompoundStatement
	for i, q := range list {
		b := &globals
		if q.fn != nil {
			// One text has all predicates of a block, each as a block of its own.
			if b = texts[q.block]; b == nil {
				b = &strings.Builder{}
				texts[q.block] = b
				blocks = append(blocks, q.block)
			}
		}
		q.write(b, predicateFile(i))
	}
	// 2. Put them before the closing brace of the block, and global ones after the text.
	var edits []insertion
	for _, block := range blocks {
		end := block.Token2.Position()
		file, offset := r.brace(ccfix.RawAt(end))
		// A brace that a macro has made cannot be found in a text.
		if offset < 0 {
			for _, q := range list {
				if q.block == block {
					q.fail(0, "no predicate can be put into %s: the end of its body comes from a macro", q.fn.Name)
				}
			}
			return nil, nil, fmt.Errorf("no place")
		}
		edits = append(edits, insertion{file, offset,
			// The semicolon: the last item of the body may be a label, which needs a statement. The
			// lines after it keep their numbers.
			fmt.Sprintf("\n;{%s\n}\n#line %d \"%s\"%s\n", texts[block], end.Line, end.Filename, ccfix.InsertedLine)})
	}
	// A function of its own, with a name that no program has, holds the global ones.
	if globals.Len() > 0 {
		name := tu.File.Name
		edits = append(edits, insertion{name, len(tu.File.Text), "\nvoid $globals(void) {\n{" + globals.String() + "\n}\n}\n"})
	}
	return r.edited(tu, edits)
}

// write appends q as a block with its own declarations; file is the name under which
// the predicate is parsed. What a quote stands on is parsed as a statement, to be
// lowered, and in front of the variable that stands for its value, for the type:
//
//	(void)(*p); __typeof__(*p) $v0;
func (q *request) write(b *strings.Builder, file string) {
	b.WriteString("\n{")
	for i, n := range q.names {
		if n.entry == nil {
			b.WriteString(n.decl + ";")
			continue
		}
		code := n.entry.code
		name := entryFile(file, i)
		fmt.Fprintf(b, "\n#line %d %q%s\n(void)(\n%s\n);", codeLine-1, name, ccfix.InsertedLine, code)
		fmt.Fprintf(b, "\n#line %d %q%s\n__typeof__(\n%s\n) %s;", againLine-1, name, ccfix.InsertedLine, code, dollar(i))
	}
	fmt.Fprintf(b, "\n#line %d %q%s\n(void)(\n%s\n);}", codeLine-1, file, ccfix.InsertedLine, q.code)
}

// edited returns a parser that sees the files with edits made, and the main file. The files of the
// program stay as they are.
func (r *resolution) edited(tu Unit, edits []insertion) (*ccfix.Parser, *source.File, error) {
	// From the end of each file on, so that the offsets of the edits before stay valid.
	sort.SliceStable(edits, func(i, j int) bool { return edits[i].offset > edits[j].offset })
	texts := map[string][]byte{}
	for _, e := range edits {
		old, ok := texts[e.file]
		if !ok {
			old = r.Parser().Files[e.file].Text
		}
		texts[e.file] = bytes.Join([][]byte{old[:e.offset], []byte(e.text), old[e.offset:]}, nil)
	}
	p := r.Parser().Edited(texts)
	return p, p.Files[tu.File.Name], nil
}

// brace returns the file and the offset of the closing brace at pos, -1 if there is
// none.
func (r *resolution) brace(pos source.Pos) (string, int) {
	files, places := r.Parser().Place(pos)
	for i, f := range files {
		if off := f.Offset(places[i]); off >= 0 && off < len(f.Text) && f.Text[off] == '}' {
			return f.Name, off
		}
	}
	return "", -1
}
