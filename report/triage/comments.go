package triage

import (
	"strings"

	"c2bp/source"
	"c2bp/verdict"
)

// This file reads the comments of C files that suppress failures.
//
//	/* c2bp: ignore spinlock: why */                the rule spinlock
//	// c2bp: ignore spinlock/double-lock: why       by one key
//	/* c2bp: ignore assertion: why */
//	/* c2bp: ignore label ERROR: why */
//
// A comment is about the lines that it stands on, and the next one if nothing else stands on them.

// begin is the first words of such a comment.
const begin = "c2bp:"

// expected says what stands in such a comment.
const expected = "expected \"c2bp: ignore WHAT: reason\", where WHAT is a rule, RULE/KEY, assertion or label NAME"

// Comment suppresses failures.
type Comment struct {
	Pos         source.Pos
	First, Last int    // the lines that it is about
	What        string // a rule, RULE/KEY, assertion or label NAME
	Reason      string
}

// Comments reads the comments of a C file that suppress failures. Those that begin like one and are none are
// errors, a [source.List].
func Comments(f *source.File) (list []*Comment, err error) {
	var errs source.List
	for _, at := range commentsIn(string(f.Text)) {
		pos := f.Pos(at.from)
		text, ok := strings.CutPrefix(strings.TrimSpace(at.inside), begin)
		if !ok {
			continue
		}
		// 1. The words: ignore WHAT: reason.
		text = strings.TrimSpace(text)
		rest, ok := strings.CutPrefix(text, "ignore ")
		what, reason, colon := strings.Cut(rest, ":")
		what, reason = strings.Join(strings.Fields(what), " "), strings.Join(strings.Fields(reason), " ")
		switch {
		case !ok || !colon || !isWhat(what):
			errs.Add(f.Errorf(pos, "this comment does not say what is ignored; %s", expected))
			continue
		case reason == "":
			errs.Add(f.Errorf(pos, "there is no reason to ignore %s; %s", what, expected))
			continue
		}
		// 2. The lines.
		c := &Comment{Pos: pos, First: pos.Line, Last: f.Pos(max(at.to-1, at.from)).Line, What: what, Reason: reason}
		if at.alone {
			c.Last++
		}
		list = append(list, c)
	}
	return list, errs.Err()
}

// isWhat reports whether text can name a property.
func isWhat(text string) bool {
	words := strings.Fields(text)
	switch {
	case len(words) == 2:
		return words[0] == "label" && isName(words[1])
	case len(words) != 1:
		return false
	}
	rule, key, slash := strings.Cut(words[0], "/")
	return isName(rule) && (!slash || isName(key))
}

// isName reports whether text is a name of letters, digits, _ and -.
func isName(text string) bool {
	return text != "" && !strings.ContainsFunc(text, func(r rune) bool {
		return r != '_' && r != '-' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	})
}

// covers reports whether c is about a failure at s.
func (c *Comment) covers(s verdict.Site) bool {
	_, key, _ := strings.Cut(c.What, "/")
	return s.Pos.File == c.Pos.File && s.Pos.Line >= c.First && s.Pos.Line <= c.Last && c.about(s) && (key == "" || key == s.Key)
}

// about reports whether c is about properties like that of s, at any place.
func (c *Comment) about(s verdict.Site) bool {
	switch s.Kind {
	case verdict.Rule:
		rule, _, _ := strings.Cut(c.What, "/")
		return rule == s.Name
	case verdict.Label:
		return c.What == "label "+s.Name
	}
	return c.What == "assertion"
}

// span is a comment in a text.
type span struct {
	from, to int    // of all of it
	inside   string // without its delimiters
	alone    bool   // nothing else stands on its lines
}

// commentsIn finds the comments of a C text. Those in literals are none.
func commentsIn(text string) (list []span) {
	for i := 0; i < len(text); {
		switch c := text[i]; {
		// 1. Literals, up to their end or that of the line.
		case c == '"' || c == '\'':
			for i++; i < len(text) && text[i] != c && text[i] != '\n'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
			i++
		// 2. A comment to the end of the line. A line that ends with a backslash goes on.
		case strings.HasPrefix(text[i:], "//"):
			end := i
			for end < len(text) && (text[end] != '\n' || text[end-1] == '\\') {
				end++
			}
			list = append(list, span{i, end, text[i+2 : end], isAlone(text, i, end)})
			i = end
		// 3. A comment with an end; without one it is an error of C.
		case strings.HasPrefix(text[i:], "/*"):
			n := strings.Index(text[i+2:], "*/")
			if n < 0 {
				return list
			}
			end := i + 2 + n + 2
			list = append(list, span{i, end, text[i+2 : end-2], isAlone(text, i, end)})
			i = end
		default:
			i++
		}
	}
	return list
}

// isAlone reports whether nothing else stands on the lines of text[from:to].
func isAlone(text string, from, to int) bool {
	before := text[strings.LastIndexByte(text[:from], '\n')+1 : from]
	after, _, _ := strings.Cut(text[to:], "\n")
	return strings.TrimSpace(before) == "" && strings.TrimSpace(after) == ""
}
