package triage

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"c2bp/source"
	"c2bp/verdict"
)

// This file gives the failures of a result their fingerprints, and suppresses the known ones.

// Known is the failures that are known.
type Known struct {
	Files    map[string]*source.File // the C files of the program, by name
	Comments []*Comment
	Baseline *Baseline // nil if there is none
}

// Read adds the comments of C files.
func (k *Known) Read(files map[string]*source.File) error {
	k.Files = files
	var names []string
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	var errs source.List
	for _, name := range names {
		list, err := Comments(files[name])
		if more, ok := err.(source.List); ok {
			errs = append(errs, more...)
		}
		k.Comments = append(k.Comments, list...)
	}
	return errs.Err()
}

// Any reports whether some failure may be known.
func (k *Known) Any() bool { return len(k.Comments) > 0 || k.Baseline != nil }

// line returns the text of the line of pos, with single spaces.
func (k *Known) line(pos source.Pos) string {
	f := k.Files[pos.File]
	if f == nil || pos.Line < 1 {
		return ""
	}
	return strings.Join(strings.Fields(f.Line(pos.Line)), " ")
}

// Why returns why a failure at s is suppressed, "" if it is not. The site has a fingerprint if it is to be
// looked up in the baseline.
func (k *Known) Why(s verdict.Site) string {
	if c := k.comment(s); c != nil {
		return c.Reason
	}
	if k.Baseline != nil && s.Fingerprint != "" && k.Baseline.fails(s.Fingerprint) {
		return "known from " + k.Baseline.Name
	}
	return ""
}

// comment returns the first comment that suppresses a failure at s, nil if there is none.
func (k *Known) comment(s verdict.Site) *Comment {
	for _, c := range k.Comments {
		if c.covers(s) {
			return c
		}
	}
	return nil
}

// Fingerprints sets the fingerprints of the sites of r: of a rule only where it fails.
func (k *Known) Fingerprints(sites []verdict.Site) {
	count := map[string]int{}
	for i := range sites {
		s := &sites[i]
		if s.Kind == verdict.Rule && !s.Failed {
			continue
		}
		// Equal lines of a function are numbered.
		text := k.key(*s)
		count[text]++
		s.Fingerprint = fingerprint(text, count[text])
	}
}

// key returns the text by which a failure is known.
func (k *Known) key(s verdict.Site) string {
	return strings.Join([]string{functionOf(s), kindOf(s), s.Name, s.Key, k.line(s.Pos)}, "\x00")
}

// functionOf returns the C function of a site.
func functionOf(s verdict.Site) string {
	name, _, _ := strings.Cut(s.Proc, "$")
	return name
}

// kindOf returns the kind of a site in fingerprints.
func kindOf(s verdict.Site) string {
	return [...]string{verdict.Assertion: "assertion", verdict.Label: "label", verdict.Dereference: "dereference", verdict.Rule: "rule", verdict.Check: "check", verdict.Formula: "formula"}[s.Kind]
}

// fingerprint returns the fingerprint of the failure number n with a text.
func fingerprint(text string, n int) string {
	h := sha256.Sum256([]byte(fmt.Sprintf("%s\x00%d", text, n)))
	return hex.EncodeToString(h[:12])
}

// Apply sets fingerprints in r, suppresses the failures that are known, and decides the verdict anew.
func (k *Known) Apply(r *verdict.Result) *verdict.Result {
	out := *r
	out.Sites = slices.Clone(r.Sites)
	k.Fingerprints(out.Sites)
	for i := range out.Sites {
		if s := &out.Sites[i]; s.Failed {
			s.Suppressed, s.InSource = k.Why(*s), k.comment(*s) != nil
		}
	}
	out.Decide()
	if k.Baseline != nil {
		out.Changes = k.Baseline.changes(out.Sites)
	}
	return &out
}

// Unused returns notes about comments that have suppressed none of the sites, but are about properties like
// one of them.
func (k *Known) Unused(sites []verdict.Site) (notes source.List) {
	for _, c := range k.Comments {
		about, used := false, false
		for _, s := range sites {
			about = about || c.about(s)
			used = used || s.Failed && k.comment(s) == c
		}
		if about && !used {
			d := k.Files[c.Pos.File].Errorf(c.Pos, "this comment suppresses nothing: no failure of %s was found at line %d", c.What, c.Last)
			d.Severity = source.Note
			notes.Add(d)
		}
	}
	return notes
}
