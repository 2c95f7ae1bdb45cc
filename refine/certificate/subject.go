package certificate

import (
	"bufio"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"c2bp/source"
)

// This file records the program and the assumptions that a certificate is about.

// Subject identifies the program of a proof: hashes of its texts, the options by which they were
// read, and the assumptions. The proof does not need it; it tells whether the program at hand is
// the one that was audited.
type Subject struct {
	Flags    []string // words of a command line that say how C is read, and what is proved
	Sources  []Text   // the C files
	Commands []Text   // how they are read, by flags that other files have: a compilation database
	Models   []Text   // files of models that the user named
	Included []Text   // all other files that the program is made of
	Assumed  []string // assumptions under which the program was safe
}

// Text is a text by its name and the SHA-256 of its bytes in hexadecimal digits.
type Text struct{ Name, Hash string }

// TextOf returns the Text called name.
func TextOf(name string, text []byte) Text {
	return Text{name, fmt.Sprintf("%x", sha256.Sum256(text))}
}

// Differs returns the difference between s and now, the subject of the program at hand, in words;
// "" if there is none. Names do not count, since files may have been moved, and neither do flags,
// which package main compares by their meaning. An assumption that is no longer needed is no
// difference.
func (s *Subject) Differs(now *Subject) string {
	// 1. The texts, kind by kind.
	for _, part := range []struct {
		what      string
		then, now []Text
	}{
		{"source", s.Sources, now.Sources},
		{"the command for", s.Commands, now.Commands},
		{"file of models", s.Models, now.Models},
		{"included file", s.Included, now.Included},
	} {
		if why := differs(part.what, part.then, part.now); why != "" {
			return why
		}
	}
	// 2. The assumptions, with the present names of files replaced by those in s.
	then := s.names(now)
	for _, line := range now.Assumed {
		if !slices.Contains(s.Assumed, then.Replace(line)) {
			return "the audit did not assume this: " + line
		}
	}
	return ""
}

// names returns a replacer from the names of texts in now to the names of equal texts in s.
func (s *Subject) names(now *Subject) *strings.Replacer {
	var pairs []string
	for i, part := range s.texts() {
		for _, old := range *part.list {
			for _, t := range *now.texts()[i].list {
				if t.Hash == old.Hash && t.Name != old.Name {
					// The same text under another name.
					pairs = append(pairs, t.Name, old.Name)
				}
			}
		}
	}
	return strings.NewReplacer(pairs...)
}

// differs compares texts of one kind, whatever their names and their order. The kind, what, is for
// messages.
func differs(what string, then, now []Text) string {
	// 1. Each text of now must be one of then: as a multiset of hashes.
	left := map[string]int{} // texts of then, by hash, that are not found in now yet
	for _, t := range then {
		left[t.Hash]++
	}
	for _, t := range now {
		switch left[t.Hash]--; {
		case left[t.Hash] >= 0:
		case slices.ContainsFunc(then, func(old Text) bool { return old.Name == t.Name && old.Hash != t.Hash }):
			return fmt.Sprintf("%s %s is not as it was audited", what, t.Name)
		default:
			return fmt.Sprintf("%s %s was not there in the audit", what, t.Name)
		}
	}
	// 2. And none of then may be left.
	for _, t := range then {
		if left[t.Hash] > 0 {
			return fmt.Sprintf("%s %s of the audit is not there", what, t.Name)
		}
	}
	return ""
}

// texts returns the fields of s that are texts, by the heads of their lists.
func (s *Subject) texts() []subjectTexts {
	return []subjectTexts{
		{"source", &s.Sources}, {"command", &s.Commands}, {"model", &s.Models}, {"included", &s.Included},
	}
}

type subjectTexts struct {
	head string
	list *[]Text
}

// words returns the fields of s that are words.
func (s *Subject) words() []subjectWords {
	return []subjectWords{{"flag", &s.Flags}, {"assuming", &s.Assumed}}
}

type subjectWords struct {
	head string
	list *[]string
}

// write writes s as an S-expression.
func (s *Subject) write(b *bufio.Writer) {
	b.WriteString("\n(subject")
	for _, part := range s.words() {
		for _, word := range *part.list {
			fmt.Fprintf(b, "\n  (%s %s)", part.head, quote(word))
		}
	}
	for _, part := range s.texts() {
		for _, text := range *part.list {
			fmt.Fprintf(b, "\n  (%s %s %s)", part.head, quote(text.Name), quote(text.Hash))
		}
	}
	b.WriteString(")")
}

// ReadSubject returns the subject of the certificates in f; nil if they have none. The error is a
// source diagnostic.
func ReadSubject(f *source.File) (s *Subject, err error) {
	top, err := parseSexpr(f)
	if err != nil {
		return nil, err
	}
	defer func() { err = recovered(recover(), err) }()
	s, _ = (&reader{file: f}).parts(top)
	return s, nil
}

// parts returns the certificates in x, and their subject or nil.
func (r *reader) parts(x *sexpr) (s *Subject, certificates []*sexpr) {
	if x.head() != "certificates" {
		return nil, []*sexpr{x}
	}
	certificates = r.want(x, "certificates", 1, -1)
	if certificates[0].head() == "subject" {
		s = r.subject(certificates[0])
		if certificates = certificates[1:]; len(certificates) == 0 {
			r.fail(x, "expected (certificate …) behind the subject")
		}
	}
	return s, certificates
}

// subject reads (subject …).
func (r *reader) subject(x *sexpr) *Subject {
	s := &Subject{}
	for _, y := range r.want(x, "subject", 0, -1) {
		r.subjectPart(s, y)
	}
	return s
}

// subjectPart adds one item of a subject to s.
func (r *reader) subjectPart(s *Subject, x *sexpr) {
	for _, part := range s.words() {
		if x.head() == part.head {
			*part.list = append(*part.list, r.name(r.want(x, part.head, 1, 1)[0]))
			return
		}
	}
	for _, part := range s.texts() {
		if x.head() == part.head {
			items := r.want(x, part.head, 2, 2)
			*part.list = append(*part.list, Text{r.name(items[0]), r.name(items[1])})
			return
		}
	}
	r.fail(x, "expected (flag …), (assuming …), (source …), (command …), (model …) or (included …)")
}
