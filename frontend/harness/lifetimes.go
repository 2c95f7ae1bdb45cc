package harness

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"c2bp/source"
)

// This file reads descriptions of how objects begin and end, such as lifetimes.txt.

//go:embed lifetimes.txt
var builtin []byte

// BuiltinName is the name of the descriptions that come with c2bp, for diagnostics.
const BuiltinName = "<lifetimes.txt>"

// success says which results of a call mean that something has begun.
type success string

const (
	zero        success = "zero"
	nonnegative success = "nonnegative"
	nonzero     success = "nonzero"
	anyResult   success = "any"
)

// began returns the C condition of the operand x that something has begun, and failed that it has not.
// Both are "" if it always has.
func (s success) began(x string) string {
	return map[success]string{zero: x + " == 0", nonnegative: x + " >= 0", nonzero: x}[s]
}

// failed: see began.
func (s success) failed(x string) string {
	return map[success]string{zero: x + " != 0", nonnegative: x + " < 0", nonzero: "!" + x}[s]
}

// lifetime is a row "object", "phase" or "sequence".
type lifetime struct {
	record   string   // tag or typedef of the table
	begins   []string // members
	argument int      // of begins, from 0
	ends     []string
	success  success
	phase    bool
	during   []string // of a phase or a sequence: members that are called only in it
	also     []string // of a sequence: members that are called in it and elsewhere
}

// making is a row "makes".
type making struct {
	record   string // tag or typedef of the table
	begins   []string
	from     int         // of begins, from 0: the argument that says where the object is left; -1: it is the result
	ends     [][2]string // tables and members
	argument int         // of ends, from 0
}

// locking is a row "locks".
type locking struct {
	begin string
	ends  []string
	among []string // words one of which the names have; none if they need none
}

// freshness is a row "fresh", or two functions that a row "allocates" is about.
type freshness struct {
	functions, ends []string
	argument        int  // of ends, from 0
	named           bool // the words of the name alone say so: the function may also return errors
}

// allocating is a row "allocates".
type allocating struct{ begins, ends []string }

// finding is a row "finds".
type finding struct {
	function string
	by       int // of its arguments, from 0
	call     string
	given    int // of the arguments of call, from 0
	member   string
	success  success
}

// setting is a row "sets".
type setting struct {
	function string
	argument int // from 0
	member   string
	success  success
}

// handing is a row "hands".
type handing struct {
	record, function string
	argument         int      // of function, from 0
	ends             []string // functions
	endArgument      int      // of ends, from 0
	success          success
}

// turn is a row "ends" or "starts".
type turn struct {
	function string
	starts   bool
	argument int // from 0
	calls    []string
}

// preparation is a row "before".
type preparation struct {
	call, function string
	argument       int // of the handler, from 0
	member         string
}

// numbered is a row "index".
type numbered struct {
	record, member string
	argument       int // from 0
	path           string
}

// settling is a row "settles".
type settling struct {
	record  string
	members []string
	unless  []string // functions
}

// packet is a row "packet".
type packet struct{ call, record, member string }

// boundary is a row "init" or "exit".
type boundary struct {
	name    string // of a function, or STRUCT.MEMBER
	success success
}

// lifetimes are the rows of all files.
type lifetimes struct {
	Conventions
	inits, exits    []boundary
	rows            []lifetime // objects and phases
	sequences       []lifetime
	turns           []turn
	calls           map[string]success // by the name of the function
	once, old, owed []string           // functions
	makings         []making
	fresh           []freshness
	allocating      []allocating
	same            []string // functions
	findings        []finding
	settings        []setting
	handings        []handing
	before          []preparation
	indexes         []numbered
	pairs           []pairWords
	locks           []locking
	packets         []packet
	settling        []settling
}

// isKnown reports whether a row is about the external function called name and the functions that it is given.
func (t *lifetimes) isKnown(name string) bool {
	return t.calls[name] != "" || slices.Contains(t.once, name) ||
		slices.ContainsFunc(t.turns, func(u turn) bool { return slices.Contains(u.calls, name) }) ||
		slices.ContainsFunc(t.before, func(b preparation) bool { return b.call == name }) ||
		slices.ContainsFunc(t.packets, func(k packet) bool { return k.call == name })
}

// readLifetimes reads files and then the built-in one. Where two rows begin objects by the same member,
// the first counts.
func readLifetimes(files []*source.File) (*lifetimes, error) {
	t := &lifetimes{calls: map[string]success{}, Conventions: Conventions{map[string][]string{}, map[string][]string{}, map[string][]string{}, map[string]Least{}}}
	var errs source.List
	for _, f := range append(slices.Clip(files), source.NewFile(BuiltinName, builtin)) {
		n := 0
		for line := range strings.Lines(string(f.Text)) {
			n++
			r := &row{file: f, line: n, text: strings.TrimRight(line, "\r\n")}
			r.split()
			if len(r.words) == 0 {
				continue
			}
			t.add(r)
			if r.err != nil {
				errs.Add(r.err)
			}
		}
	}
	return t, errs.Err()
}

// Conventions is what rows of files like lifetimes.txt say of the kernel, beside the calls of entries.
type Conventions struct {
	// Contexts has the members of structs of headers in which drivers keep their own pointers, by the tags of the
	// structs: the rows "kept".
	Contexts map[string][]string
	// States has the members in which the kernel keeps what it has called, by the tags of the structs: the rows "state".
	States map[string][]string
	// Changes has the tags of the structs that functions without a body change, and nothing else, by the names of the
	// functions: the rows "changes".
	Changes map[string][]string
	// Leasts has the rows "least", by the names of the functions.
	Leasts map[string]Least
}

// Least says that a function is given no number below Number as its argument Argument, counted from 0.
type Least struct {
	Argument int
	Number   int64
}

// ReadConventions returns the conventions of files like lifetimes.txt, and of that. Errors are of type [source.List]: rows are
// wrong.
func ReadConventions(files []*source.File) (*Conventions, error) {
	t, err := readLifetimes(files)
	if err != nil {
		return nil, err
	}
	return &t.Conventions, nil
}

// row is a line of such a file, and the words that are not read yet.
type row struct {
	file    *source.File
	line    int
	text    string
	words   []string
	columns []int // of words, from 1
	err     *source.Diagnostic
}

// split finds the words of the line, without the comment at its end.
func (r *row) split() {
	text, _, _ := strings.Cut(r.text, "#")
	for i := 0; i < len(text); {
		if strings.IndexByte(" \t", text[i]) >= 0 {
			i++
			continue
		}
		n := strings.IndexAny(text[i:]+" ", " \t")
		r.words, r.columns = append(r.words, text[i:i+n]), append(r.columns, i+1)
		i += n
	}
}

// fail notes that something else was expected at the next word; the first failure counts.
func (r *row) fail(expected string) {
	if r.err != nil {
		return
	}
	col, found := len(r.text)+1, "the line ends"
	if len(r.words) > 0 {
		col, found = r.columns[0], fmt.Sprintf("%q is none", r.words[0])
	}
	r.err = &source.Diagnostic{Pos: source.Pos{File: r.file.Name, Line: r.line, Col: col}, Severity: source.Error, Quote: r.text, Msg: "expected " + expected + ": " + found}
}

// next returns the next word, if ok holds for it; "" and a failure if not.
func (r *row) next(expected string, ok func(string) bool) string {
	if r.err != nil || len(r.words) == 0 || !ok(r.words[0]) {
		r.fail(expected)
		return ""
	}
	w := r.words[0]
	r.words, r.columns = r.words[1:], r.columns[1:]
	return w
}

// name returns the next word, a name of C.
func (r *row) name(expected string) string { return r.next(expected, isName) }

// names returns the next word, names with commas between them; "-" stands for none.
func (r *row) names(expected string) []string {
	w := r.next(expected, func(s string) bool {
		return s == "-" || !slices.ContainsFunc(strings.Split(s, ","), func(n string) bool { return !isName(n) })
	})
	if w == "" || w == "-" {
		return nil
	}
	return strings.Split(w, ",")
}

// argument returns the next word, a number from 1 on, as an index.
func (r *row) argument() int {
	w := r.next("the number of an argument, from 1", func(s string) bool {
		n, err := strconv.Atoi(s)
		return err == nil && n >= 1 && n <= 64
	})
	n, _ := strconv.Atoi(w)
	return n - 1
}

// success returns the next word if it is a success, else the default.
func (r *row) success() success {
	if len(r.words) > 0 && slices.Contains([]success{zero, nonnegative, nonzero, anyResult}, success(r.words[0])) {
		return success(r.next("", isName))
	}
	return zero
}

// isName reports whether s is an identifier of C.
func isName(s string) bool {
	for i, c := range s {
		if c != '_' && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9' || i == 0) {
			return false
		}
	}
	return s != ""
}

// add adds r to t, if it is right.
func (t *lifetimes) add(r *row) {
	kind := r.next("init, exit, object, phase, call, ends, starts, index, once, owed, settles, old, before, fresh, allocates, same, finds, sets, hands, kept, state, changes, least, makes, pair, locks, packet or sequence", func(s string) bool {
		return slices.Contains([]string{"init", "exit", "object", "phase", "call", "ends", "starts", "index", "once", "owed", "settles", "old", "before", "fresh", "allocates", "same", "finds", "sets", "hands", "kept", "state", "changes", "least", "makes", "pair", "locks", "packet", "sequence"}, s)
	})
	switch kind {
	case "init":
		b := boundary{r.name("the name of a function"), r.success()}
		if r.end(); r.err == nil {
			t.inits = append(t.inits, b)
		}
	case "exit":
		name := r.next("the name of a function, or STRUCT.MEMBER", func(s string) bool {
			record, member, both := strings.Cut(s, ".")
			return isName(record) && (!both || isName(member))
		})
		if r.end(); r.err == nil {
			t.exits = append(t.exits, boundary{name: name})
		}
	case "object", "phase", "sequence":
		l := lifetime{record: r.name("the tag of a structure"), begins: r.names("members of it"), phase: kind == "phase"}
		l.argument, l.ends, l.success = r.argument(), r.names("members of it, or -"), r.success()
		list := &l.during
		for kind != "object" && r.err == nil && len(r.words) > 0 {
			if kind == "sequence" && r.words[0] == "also" {
				r.words, list = r.words[1:], &l.also
				continue
			}
			*list = append(*list, r.name("a member"))
		}
		if r.end(); r.err == nil && kind == "sequence" {
			t.sequences = append(t.sequences, l)
		} else if r.err == nil {
			t.rows = append(t.rows, l)
		}
	case "call":
		name, result := r.name("the name of a function"), r.success()
		if r.end(); r.err == nil && t.calls[name] == "" {
			t.calls[name] = result
		}
	case "once", "owed":
		names := r.names("names of functions")
		if r.end(); r.err == nil {
			t.once = append(t.once, names...)
			if kind == "owed" {
				t.owed = append(t.owed, names...)
			}
		}
	case "settles":
		l := settling{r.name("the tag of a structure"), r.names("members"), r.names("names of functions, or -")}
		if r.end(); r.err == nil {
			t.settling = append(t.settling, l)
		}
	case "index":
		x := numbered{record: r.name("the tag of a structure"), member: r.name("a member"), argument: r.argument()}
		x.path = r.next("members with . and -> between them", func(s string) bool {
			return !slices.ContainsFunc(steps(s), func(n string) bool { return !isName(n) })
		})
		if r.end(); r.err == nil {
			t.indexes = append(t.indexes, x)
		}
	case "fresh":
		k := freshness{functions: r.names("names of functions"), ends: r.names("names of functions, or -"), argument: r.argument()}
		if r.end(); r.err == nil {
			t.fresh = append(t.fresh, k)
		}
	case "allocates":
		w := allocating{begins: r.names("words"), ends: r.names("words")}
		if r.end(); r.err == nil {
			t.allocating = append(t.allocating, w)
		}
	case "same":
		names := r.names("names of functions")
		if r.end(); r.err == nil {
			t.same = append(t.same, names...)
		}
	case "finds":
		k := finding{function: r.name("the name of a function"), by: r.argument(), call: r.name("the name of a function"), given: r.argument()}
		k.member, k.success = r.name("a member"), r.success()
		if r.end(); r.err == nil {
			t.findings = append(t.findings, k)
		}
	case "sets":
		k := setting{function: r.name("the name of a function"), argument: r.argument(), member: r.name("a member")}
		k.success = r.success()
		if r.end(); r.err == nil {
			t.settings = append(t.settings, k)
		}
	case "hands":
		k := handing{record: r.name("the tag of a structure"), function: r.name("the name of a function"), argument: r.argument()}
		k.ends, k.endArgument, k.success = r.names("names of functions, or -"), r.argument(), r.success()
		if r.end(); r.err == nil {
			t.handings = append(t.handings, k)
		}
	case "kept":
		record, members := r.name("the tag of a structure"), r.names("members of it")
		if r.end(); r.err == nil {
			t.Contexts[record] = append(t.Contexts[record], members...)
		}
	case "state":
		record, members := r.name("the tag of a structure"), r.names("members of it")
		if r.end(); r.err == nil {
			t.States[record] = append(t.States[record], members...)
		}
	case "changes":
		names, tags := r.names("names of functions"), r.names("tags of structures, or -")
		if r.end(); r.err == nil {
			for _, n := range names {
				if _, known := t.Changes[n]; !known { // the first row counts
					t.Changes[n] = tags
				}
			}
		}
	case "least":
		name, l := r.name("the name of a function"), Least{Argument: r.argument()}
		number := r.next("a number", func(s string) bool {
			_, err := strconv.ParseInt(s, 10, 64)
			return err == nil
		})
		l.Number, _ = strconv.ParseInt(number, 10, 64)
		r.end()
		if _, known := t.Leasts[name]; r.err == nil && !known { // the first row counts
			t.Leasts[name] = l
		}
	case "makes":
		k := making{record: r.name("the tag of a structure"), begins: r.names("members of it")}
		if k.from = -1; len(r.words) > 0 && r.words[0] == "result" {
			r.name("result")
		} else {
			k.from = r.argument()
		}
		// The ends may be members of another table.
		list := r.next("members, or STRUCT.MEMBER", func(s string) bool {
			return !slices.ContainsFunc(strings.Split(s, ","), func(n string) bool {
				record, member, both := strings.Cut(n, ".")
				return !isName(record) || both && !isName(member)
			})
		})
		for _, n := range strings.Split(list, ",") {
			if record, member, both := strings.Cut(n, "."); both {
				k.ends = append(k.ends, [2]string{record, member})
			} else {
				k.ends = append(k.ends, [2]string{k.record, n})
			}
		}
		k.argument = r.argument()
		if r.end(); r.err == nil {
			t.makings = append(t.makings, k)
		}
	case "pair":
		w := pairWords{r.name("a word"), r.names("words")}
		if r.end(); r.err == nil {
			t.pairs = append(t.pairs, w)
		}
	case "locks":
		k := locking{begin: r.name("a word"), ends: r.names("words")}
		if r.err == nil && len(r.words) > 0 {
			k.among = r.names("words")
		}
		if r.end(); r.err == nil {
			t.locks = append(t.locks, k)
		}
	case "old":
		name := r.name("the name of a function")
		if r.end(); r.err == nil {
			t.old = append(t.old, name)
		}
	case "before":
		b := preparation{call: r.name("the name of a function"), function: r.name("the name of a function"), argument: r.argument(), member: r.name("a member")}
		if r.end(); r.err == nil {
			t.before = append(t.before, b)
		}
	case "packet":
		k := packet{call: r.name("the name of a function"), record: r.name("the tag of a structure"), member: r.name("a member")}
		if r.end(); r.err == nil {
			t.packets = append(t.packets, k)
		}
	case "ends", "starts":
		e := turn{function: r.name("the name of a function"), starts: kind == "starts", argument: r.argument(), calls: r.names("names of functions")}
		if r.end(); r.err == nil {
			t.turns = append(t.turns, e)
		}
	}
}

// steps returns the members of a path.
func steps(path string) []string { return strings.Split(strings.ReplaceAll(path, "->", "."), ".") }

// end notes a failure if there are more words.
func (r *row) end() {
	if len(r.words) > 0 {
		r.fail("the end of the line")
	}
}

// begins returns the row whose object or phase the member of record begins; nil if there is none.
func (t *lifetimes) begins(record, member string) *lifetime {
	return t.find(record, func(l *lifetime) bool { return slices.Contains(l.begins, member) })
}

// find returns the first row of record for which ok holds; nil if there is none.
func (t *lifetimes) find(record string, ok func(*lifetime) bool) *lifetime {
	for i := range t.rows {
		if l := &t.rows[i]; l.record == record && ok(l) {
			return l
		}
	}
	return nil
}
