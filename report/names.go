package report

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"c2bp/source"
	"c2bp/verdict"
)

// This file shortens the names of files in the text form. Names given by the user are short, or
// long on purpose; but line markers of preprocessed files, and directories of headers, have
// absolute paths of 90 characters. If one is longer than longName, then
//
//	/home/u/linux/drivers/x/foo.c      drivers/x/foo.c in /home/u/linux, the current directory
//	/home/u/linux/include/list.h       …/include/list.h elsewhere, if there are several such
//	                                   files; the head of the report says what … is
//
// The last line of the report and the JSON form have the full names.

const (
	// longName is how many characters a path may have without being cut.
	longName = 40
	// maxWhere bounds the width of the first column of a trace.
	maxWhere = 40
	// cut stands for a directory.
	cut = "…"
	// clip stands for the start of a name in the first column of a trace.
	clip = "..."
)

// names is the way in which files are shown.
type names struct {
	dir  string // names in it are shown relative to it; "" for none
	root string // cut stands for it; "" if nothing is cut
}

// newNames returns the way in which the files of r are shown to a reader in the directory dir.
func newNames(r *verdict.Result, dir string) (n names) {
	// 1. The absolute names. Without a long one, all are shown as they are.
	var files []string
	longest := 0
	for _, pos := range positions(r) {
		if path.IsAbs(pos.File) && !slices.Contains(files, pos.File) {
			files = append(files, pos.File)
			longest = max(longest, utf8.RuneCountInString(pos.File))
		}
	}
	if longest <= longName {
		return n
	}
	// 2. Names in the reader's directory become relative.
	if dir != "/" {
		n.dir = dir
	}
	// 3. The others are shown relative to the directory that they have in common, except those that
	// share next to nothing with the first.
	files = slices.DeleteFunc(files, func(f string) bool { return n.below(f) != f })
	if len(files) < 2 {
		return n // the name of a single file stays as it was given
	}
	for _, f := range files {
		if d := path.Dir(f); n.root == "" {
			n.root = d
		} else if c := common(n.root, d); strings.Count(c, "/") >= 2 {
			n.root = c
		}
	}
	if strings.Count(n.root, "/") < 2 {
		n.root = ""
	}
	return n
}

// positions returns the places that the text form of r shows; those of properties come first.
func positions(r *verdict.Result) (list []source.Pos) {
	for _, s := range r.Sites {
		list = append(list, s.Pos)
	}
	if r.Trace != nil {
		for _, s := range r.Trace.Steps {
			list = append(list, s.Pos)
		}
	}
	for _, f := range r.Failures {
		for _, in := range f.Inputs {
			list = append(list, in.Pos)
		}
		for _, c := range f.RestsOn {
			list = append(list, c.Pos)
		}
	}
	return list
}

// common returns the deepest directory that contains both directories.
func common(a, b string) string {
	for a != "/" && b != a && !strings.HasPrefix(b, a+"/") {
		a = path.Dir(a)
	}
	return a
}

// below returns file relative to the reader's directory if it is in there, else file.
func (n names) below(file string) string {
	if n.dir == "" {
		return file
	}
	return strings.TrimPrefix(file, n.dir+"/")
}

// show returns the name under which file is shown.
func (n names) show(file string) string {
	file = n.below(file)
	if n.root == "" {
		return file
	}
	if rest, ok := strings.CutPrefix(file, n.root+"/"); ok {
		return cut + "/" + rest
	}
	return file
}

// within returns text with the names of files in it as they are shown.
func (n names) within(text string) string {
	for _, c := range []struct{ dir, short string }{{n.dir, ""}, {n.root, cut + "/"}} {
		if c.dir != "" && strings.Contains(text, c.dir) {
			text = regexp.MustCompile(`(^|[ ("'])`+regexp.QuoteMeta(c.dir)+"/").ReplaceAllString(text, "${1}"+c.short)
		}
	}
	return text
}

// shown returns r with the names of files as they are shown, and the head of the report about them.
func shown(r *verdict.Result, dir string) (*verdict.Result, string) {
	n := newNames(r, dir)
	if n == (names{}) {
		return r, ""
	}
	c := *r
	c.Sites = append([]verdict.Site(nil), r.Sites...)
	for i := range c.Sites {
		c.Sites[i].Pos.File = n.show(c.Sites[i].Pos.File)
		c.Sites[i].Reason = n.within(c.Sites[i].Reason)
	}
	c.Trace = n.trace(r.Trace)
	c.Failures = append([]verdict.Failure(nil), r.Failures...)
	for i, f := range c.Failures {
		c.Failures[i].Compiled = n.within(f.Compiled)
		c.Failures[i].RestsOn = slices.Clone(f.RestsOn)
		for j := range f.RestsOn {
			c.Failures[i].RestsOn[j].Pos.File = n.show(f.RestsOn[j].Pos.File)
		}
		c.Failures[i].Inputs = append([]verdict.Input(nil), f.Inputs...)
		for j := range f.Inputs {
			c.Failures[i].Inputs[j].Pos.File = n.show(f.Inputs[j].Pos.File)
		}
	}
	c.Ledger = make([]string, len(r.Ledger))
	for i, line := range r.Ledger {
		c.Ledger[i] = n.within(line)
	}
	if n.root == "" {
		return &c, ""
	}
	return &c, "Files " + cut + "/… are in " + n.root + ".\n\n"
}

// trace returns t with the names of files as they are shown.
func (n names) trace(t *verdict.Trace) *verdict.Trace {
	if t == nil {
		return nil
	}
	c := *t
	c.Steps = append([]verdict.Step(nil), t.Steps...)
	for i := range c.Steps {
		c.Steps[i].Pos.File = n.show(c.Steps[i].Pos.File)
	}
	return &c
}

// clipped returns the end of a place, file:line, in at most maxWhere characters, from the start of
// a path component if possible.
//
//	.../drivers/net/ethernet/foo.c:12
func clipped(where string) string {
	runes := []rune(where)
	if len(runes) <= maxWhere {
		return where
	}
	end := string(runes[len(runes)-(maxWhere-len(clip)):])
	if i := strings.IndexByte(end, '/'); i >= 0 {
		end = end[i:]
	}
	return clip + end
}
