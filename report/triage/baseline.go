package triage

import (
	"encoding/json"
	"fmt"

	"c2bp/source"
	"c2bp/verdict"
)

// This file compares a result with an earlier one, which is in the JSON form.

// Baseline is an earlier result.
type Baseline struct {
	Name     string
	failures []failure
}

// failure is one of an earlier result, by its members in the JSON form.
type failure struct {
	Kind        string `json:"kind"`
	Name        string `json:"name"`
	Key         string `json:"key"`
	Status      string `json:"status"`
	Fingerprint string `json:"fingerprint"`
	File        string `json:"file"`
	Line        int    `json:"line"`
}

// ReadBaseline reads a result in the JSON form, as "c2bp audit --format json" writes it. An error is a
// [source.Diagnostic].
func ReadBaseline(f *source.File) (*Baseline, error) {
	wrong := func(format string, args ...any) error {
		return &source.Diagnostic{Pos: source.Pos{File: f.Name}, Severity: source.Error, Msg: fmt.Sprintf(format, args...) + "; expected a result of c2bp audit --format json"}
	}
	var doc struct {
		Version    int        `json:"version"`
		Verdict    string     `json:"verdict"`
		Properties *[]failure `json:"properties"`
	}
	switch err := json.Unmarshal(f.Text, &doc); {
	case err != nil:
		return nil, wrong("it is no JSON document of a result: %v", err)
	case doc.Version != 1 || doc.Properties == nil || doc.Verdict == "":
		return nil, wrong("it has no properties of a result of version 1")
	}
	b := &Baseline{Name: f.Name}
	for _, p := range *doc.Properties {
		switch {
		case p.Status != "fails" && p.Status != "suppressed":
		case p.Fingerprint == "":
			return nil, wrong("a failure at line %d of %s has no fingerprint", p.Line, p.File)
		default:
			b.failures = append(b.failures, p)
		}
	}
	return b, nil
}

// fails reports whether a failure is one of the earlier result.
func (b *Baseline) fails(fingerprint string) bool {
	for _, f := range b.failures {
		if f.Fingerprint == fingerprint {
			return true
		}
	}
	return false
}

// changes lists the changes since the earlier result: first the failures of sites, then those of the
// earlier result that are gone.
func (b *Baseline) changes(sites []verdict.Site) *verdict.Changes {
	out := &verdict.Changes{Since: b.Name}
	now := map[string]bool{}
	for _, s := range sites {
		if !s.Failed {
			continue
		}
		now[s.Fingerprint] = true
		state := verdict.NewFailure
		if b.fails(s.Fingerprint) {
			state = verdict.UnchangedFailure
		}
		out.List = append(out.List, verdict.Change{State: state, What: s.What(), Where: s.Where(), Fingerprint: s.Fingerprint})
	}
	for _, f := range b.failures {
		if now[f.Fingerprint] {
			continue
		}
		out.List = append(out.List, verdict.Change{
			State: f.now(sites), What: f.title(), Where: fmt.Sprintf("%s:%d", f.File, f.Line), Fingerprint: f.Fingerprint,
		})
	}
	return out
}

// now returns the state of an earlier failure that is none of sites.
func (f failure) now(sites []verdict.Site) verdict.ChangeState {
	state := verdict.FixedFailure
	for _, s := range sites {
		same := s.Fingerprint == f.Fingerprint
		if f.Kind == "rule" {
			same = s.Kind == verdict.Rule && s.Name == f.Name
		}
		switch {
		case !same || s.Absent:
		// A rule that fails elsewhere may still fail there.
		case s.Open, s.Idle, s.Failed:
			state = verdict.OpenFailure
		}
	}
	return state
}

// title names an earlier failure as the last line of the output does.
func (f failure) title() string {
	s := verdict.Site{Name: f.Name, Key: f.Key, Failed: true}
	switch f.Kind {
	case "label":
		s.Kind = verdict.Label
	case "null-dereference":
		s.Kind = verdict.Dereference
	case "rule":
		s.Kind = verdict.Rule
	}
	return s.What()
}
