package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"c2bp/verdict"
)

// This file renders comparisons of two models.
//
//	The run of the implementation, 3 states (| shows what a transition has changed):
//
//	  2  0 A.a  impl.zing:3  event(1, 0, true);
//	                         ! event(1, 0, true)
//	  …
//
//	The implementation is ready for nothing here, after event(1, 0, true):
//
//	  0 A.a  has ended
//
//	After the same events, every stable state of the specification is ready for an event. It can be in:
//
//	  2  ready for event(2, 0, true)
//	     0 B.b  can run  spec.zing:4  event(2, 0, true);

// Conformance renders the result of a comparison.
func Conformance(w io.Writer, r *verdict.Result) error {
	b := bufio.NewWriter(w)
	if c := r.Conformance; c != nil {
		if c.Mismatch != nil {
			writeMismatch(b, c.Mismatch, "")
		}
		if c.Coarser {
			fmt.Fprint(b, "The verdict rests on --determinize: the specification is compared by the sets of states in which it can be\nafter the same events. Without, the implementation was not shown to conform.\n\n")
		}
		for _, d := range c.Diverging {
			fmt.Fprintf(b, "The %s diverges%s: hidden steps need not end (%s: %s).\n\n", d.Model, after(d.Events), where(verdict.Step{Pos: d.At.Pos}), oneLine(d.At.Text))
		}
	}
	fmt.Fprintln(b, ResultPrefix+r.Summary())
	return b.Flush()
}

// mostEvents is the number of events that are listed; the run shows all.
const mostEvents = 3

// after returns " after …" for a list of events, "" for none.
func after(events []string) string {
	n := len(events)
	switch {
	case n == 0:
		return ""
	case n > mostEvents:
		return fmt.Sprintf(" after %d events, the last ones %s", n, strings.Join(events[n-mostEvents:], ", "))
	}
	return " after " + strings.Join(events, ", ")
}

// writeMismatch prints a mismatch; number is that of a branch, "" of the whole.
func writeMismatch(w io.Writer, m *verdict.Mismatch, number string) {
	// 1. The implementation.
	if len(m.Run.Steps) > 0 {
		title := "The run of the implementation"
		if number != "" {
			title = "The run of the implementation goes on"
		}
		writeSteps(w, title, m.Run.Steps, func(i int) string {
			if i == len(m.Run.Steps)-1 && m.Kind == verdict.EventMismatch {
				return "unspecified"
			}
			return originOf(m.Run.Steps, i)
		})
	}
	n := len(m.Events) - 1
	switch m.Kind {
	case verdict.EventMismatch:
		fmt.Fprintf(w, "The specification cannot do %s%s. It can be in:\n\n", m.Events[n], after(m.Events[:n]))
	case verdict.ReadyMismatch:
		fmt.Fprintf(w, "The implementation is stable here%s, and ready for %s:\n\n", after(m.Events), listed(m.Ready))
		writePlaces(w, m.Run.Processes, "  ")
		fmt.Fprintln(w)
		fmt.Fprintf(w, "%s It can be in:\n\n", refusal(m))
	default:
		writeBranches(w, m, number)
		return
	}
	// 2. The specification.
	for _, s := range m.Spec {
		writeSpecState(w, s)
	}
	if m.Omitted > 0 {
		fmt.Fprintf(w, "  and in %s more.\n", plural(m.Omitted, "state"))
	}
	fmt.Fprintln(w)
}

// refusal returns the sentence that says which ready set the specification does not have.
func refusal(m *verdict.Mismatch) string {
	const stable = "After the same events, every stable state of the specification "
	switch {
	case m.Alone == "" && m.Stops == 0:
		return "After the same events, no state of the specification is stable."
	case m.Stops == 0:
		return fmt.Sprintf("After the same events, no stable state of the specification is ready for %s.", m.Alone)
	case m.Alone != "":
		return fmt.Sprintf("%sthat is ready for %s is ready for an event that is none of these, too.", stable, m.Alone)
	case len(m.Ready) == 0:
		return stable + "is ready for an event."
	}
	return stable + "is ready for another event, too."
}

// listed returns a list of events, or "nothing".
func listed(events []string) string {
	if len(events) == 0 {
		return "nothing"
	}
	return strings.Join(events, ", ")
}

// writeBranches prints the mismatches with the states after the last event.
func writeBranches(w io.Writer, m *verdict.Mismatch, number string) {
	last := m.Events[len(m.Events)-1]
	fmt.Fprintf(w, "After %s, the specification can be in %s, none of which will do\n(--determinize compares with all of them at once).\n\n", last, plural(len(m.Branches)+m.Further, "state"))
	for i, b := range m.Branches {
		n := fmt.Sprintf("%s%d.", number, i+1)
		fmt.Fprintf(w, "Case %s\n\n", n)
		writeMismatch(w, b, n)
	}
	if m.Further > 0 {
		fmt.Fprintf(w, "%s more are not shown.\n\n", plural(m.Further, "case"))
	}
}

// writeSpecState prints a state of the specification.
func writeSpecState(w io.Writer, s verdict.SpecState) {
	head := fmt.Sprintf("  %d  ", s.Number)
	if s.Stable {
		fmt.Fprintf(w, "%sstable, ready for %s\n", head, listed(s.Ready))
	} else {
		fmt.Fprintf(w, "%snot stable\n", head)
	}
	writePlaces(w, s.Processes, strings.Repeat(" ", len(head)))
}

// writePlaces prints where processes are, the innermost call of each.
func writePlaces(w io.Writer, list []verdict.Process, indent string) {
	if len(list) == 0 {
		fmt.Fprintln(w, indent+"no process")
	}
	name, status := 0, 0
	for _, p := range list {
		name, status = max(name, utf8.RuneCountInString(p.Name)), max(status, len(p.Status))
	}
	for _, p := range list {
		line := fmt.Sprintf("%s%-*s  %-*s", indent, name, p.Name, status, p.Status)
		if len(p.Stack) > 0 {
			at := p.Stack[0]
			line += fmt.Sprintf("  %s  %s", where(verdict.Step{Pos: at.Pos}), oneLine(at.Text))
		}
		fmt.Fprintln(w, strings.TrimRight(line, " "))
	}
}

// plural returns a number with a noun.
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Compared is a comparison of an implementation with a specification, in the JSON form.
type Compared struct {
	Determinized bool        `json:"rests_on_determinize"` // TRUE rests on sets of states of the specification
	Mismatch     *Mismatch   `json:"mismatch,omitempty"`   // for FALSE
	Diverging    []Diverging `json:"diverging"`
}

// Mismatch is a run of the implementation that the specification cannot answer. The run of the first one is the trace
// of the document.
type Mismatch struct {
	Kind    string      `json:"kind"`            // event, ready set or answers
	Events  []string    `json:"events"`          // of the run; of kinds event and answers, the last one is that without an answer
	Ready   []string    `json:"ready,omitempty"` // of kind ready set: the events for which the implementation is ready
	Alone   string      `json:"alone,omitempty"` // the one of them for which the specification is never ready without being ready for others
	Spec    []SpecState `json:"specification"`   // the states in which the specification can be, hidden steps included
	Omitted int         `json:"omitted"`         // how many of these are not there
	// Branches are, of kind answers, the mismatches with the states after the last event; Further is how many are not
	// there.
	Branches []Branch `json:"branches,omitempty"`
	Further  int      `json:"further,omitempty"`
}

// Branch is the mismatch with one state of the specification; the run goes on.
type Branch struct {
	Trace     []TraceStep `json:"trace"`
	Processes []Process   `json:"processes"`
	*Mismatch
}

// SpecState is a state of the specification, in the JSON form.
type SpecState struct {
	Number    int       `json:"number"`
	Stable    bool      `json:"stable"`
	Ready     []string  `json:"ready,omitempty"` // of a stable one
	Processes []Process `json:"processes"`
}

// Diverging is a state from which hidden steps need not end, in the JSON form.
type Diverging struct {
	Model  string   `json:"model"` // implementation or specification
	Events []string `json:"events"`
	Steps  int      `json:"steps"` // after which the state comes again
	Place
	Text string `json:"text"`
}

// compared returns the JSON form of a comparison.
func compared(c *verdict.Conformance) *Compared {
	if c == nil {
		return nil
	}
	out := &Compared{Determinized: c.Coarser, Mismatch: mismatch(c.Mismatch), Diverging: []Diverging{}}
	for _, d := range c.Diverging {
		out.Diverging = append(out.Diverging, Diverging{d.Model, d.Events, d.Steps, place(d.At.Pos), d.At.Text})
	}
	return out
}

// mismatch returns the JSON form of a mismatch.
func mismatch(m *verdict.Mismatch) *Mismatch {
	if m == nil {
		return nil
	}
	out := &Mismatch{Kind: string(m.Kind), Events: m.Events, Ready: m.Ready, Alone: m.Alone, Spec: []SpecState{}, Omitted: m.Omitted, Further: m.Further}
	for _, s := range m.Spec {
		out.Spec = append(out.Spec, SpecState{s.Number, s.Stable, s.Ready, processes(&verdict.Trace{Processes: s.Processes})})
	}
	for _, b := range m.Branches {
		out.Branches = append(out.Branches, Branch{append([]TraceStep{}, traceSteps(b.Run)...), processes(b.Run), mismatch(b)})
	}
	return out
}
