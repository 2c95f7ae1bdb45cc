package predicate

import (
	"errors"
	"fmt"
	"strings"

	"c2bp/frontend/ccfix"
	"c2bp/frontend/ctree"
	"c2bp/source"
)

// This file says where in a predicate file an error of the C parser is.

// fail reports an error at a byte offset of q's text; an offset outside of it counts as its start
// or end. It returns false, for callers that return that.
func (q *request) fail(offset int, format string, args ...any) bool {
	pos, line := q.text.Pos, ""
	offset = min(max(offset, 0), len(strings.TrimRight(q.text.Text, " \t\r\n")))
	before := q.text.Text[:offset]
	// A predicate may have several lines.
	if n := strings.Count(before, "\n"); n > 0 {
		pos.Line += n
		pos.Col = offset - strings.LastIndexByte(before, '\n')
	} else {
		pos.Col += offset
	}
	if q.text.File != nil {
		line = q.text.File.Line(pos.Line)
	}
	q.errs.Add(&source.Diagnostic{Pos: pos, Severity: source.Error, Msg: fmt.Sprintf(format, args...), Quote: line})
	return false
}

// blame hands the parser's errors to the requests they are in. One request at least has an error
// after it, or is done. The error that it returns is an internal one.
func (r *resolution) blame(tu Unit, list []*request, errs source.List) error {
	if len(errs) == 0 {
		return errors.New("internal error: the C parser failed without an error")
	}
	// 1. Errors in the text of a predicate or of what it quotes are its own.
	blamed := false
	for i, q := range list {
		if c, d := q.cause(i, errs); d != nil {
			q.fail(c.offset(d.Pos), "%s", q.explain(c, d))
			blamed = true
		}
	}
	// The others are parsed again, without the ones that have errors now.
	if blamed {
		return nil
	}
	// 2. The text around the predicates was parsed before, so the cause is one of
	// them: find it by trying each alone.
	if len(list) == 1 {
		msg, _, internal := strings.Cut(withoutMembers(errs[0].Msg), ": internal error")
		if internal {
			msg = "the C parser rejects it"
		}
		list[0].fail(0, "this predicate does not parse as a C expression: %s", msg)
		return nil
	}
	for _, q := range list {
		if err := r.attempt([]*request{q}); err != nil {
			return err
		}
	}
	return nil
}

// cause returns the first error in q, the request of number i, and the fragment it is in; without
// an error the diagnostic is nil. An error in a quoted expression comes before its consequences in
// the predicate.
func (q *request) cause(i int, errs source.List) (*fragment, *source.Diagnostic) {
	file := predicateFile(i)
	for j := range q.names {
		if c := q.names[j].entry; c != nil {
			if d := firstIn(errs, entryFile(file, j)); d != nil {
				return c, d
			}
		}
	}
	return &q.fragment, firstIn(errs, file)
}

// firstIn returns the first error in a file, of those at the code itself if there are any; nil if
// there is none.
func firstIn(errs source.List, file string) (first *source.Diagnostic) {
	for _, d := range errs {
		if d.Pos.File == file && (first == nil || d.Pos.Line == codeLine && first.Pos.Line != codeLine) {
			first = d
		}
	}
	return first
}

// explain returns the message of a parser error in c: the text after the predicate in the
// copy is the end of the predicate to the user.
func (q *request) explain(c *fragment, d *source.Diagnostic) string {
	_, expected, ok := strings.Cut(d.Msg, ", expected ")
	if ok && strings.HasPrefix(d.Msg, "unexpected ") && c.offset(d.Pos) >= c.end {
		if c == &q.fragment {
			return "unexpected end of the predicate, expected " + expected
		}
		return "unexpected end of what is quoted, expected " + expected
	}
	return q.rename(withoutMembers(d.Msg))
}

// withoutMembers drops the members that cc lists after struct s: "struct s {int x; }" becomes
// "struct s".
func withoutMembers(msg string) string {
	var b strings.Builder
	depth := 0
	// Braces may be nested; the blank before one is dropped as well.
	for i := range len(msg) {
		switch c := msg[i]; {
		case c == '{':
			depth++
		case c == '}' && depth > 0:
			depth--
		case depth == 0 && !(c == ' ' && i+1 < len(msg) && msg[i+1] == '{'):
			b.WriteByte(c)
		}
	}
	return b.String()
}

// offset maps a position in the parsed code to an offset in the text of the request. The code is
// one line of the file that it is parsed in; before and after it are lines that insert has written.
func (c *fragment) offset(pos source.Pos) int {
	i := pos.Col - 1
	switch {
	case len(c.offsets) == 0:
		return c.end
	// In the lines before the code: (void)(.
	case pos.Line < codeLine:
		return c.offsets[0]
	// In the lines after it.
	case pos.Line != codeLine && pos.Line != againLine || i >= len(c.offsets):
		return c.end
	}
	return c.offsets[max(i, 0)]
}

// rename puts the names that the user knows into a message.
func (q *request) rename(msg string) string {
	if q.object != nil {
		msg = strings.ReplaceAll(msg, dollar(0)+"->", "")
	}
	// Backwards, so that $v1 does not replace the start of $v12.
	for i := len(q.names) - 1; i >= 0; i-- {
		msg = strings.ReplaceAll(msg, dollar(i), q.names[i].spelling)
	}
	return msg
}

// blameFor reports an error that lowering c met. It panics if err is no *ctree.Error.
func (q *request) blameFor(c *fragment, err error) {
	var bad *ctree.Error
	if !errors.As(err, &bad) {
		panic(err)
	}
	q.fail(c.offset(ccfix.At(bad.Node.Position())), "%s", q.rename(bad.Msg))
}
