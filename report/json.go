package report

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"

	"c2bp/source"
	"c2bp/verdict"
)

// This file defines the JSON form of a result.

// SchemaVersion is the version of the JSON form. It grows when a field changes
// its meaning or goes away; new fields may appear without.
const SchemaVersion = 1

// Document is the JSON form of a result. Lines and columns count from 1; what is
// not known is left out.
type Document struct {
	Version     int         `json:"version"`                           // SchemaVersion
	Verdict     string      `json:"verdict"`                           // TRUE, FALSE or UNKNOWN
	Summary     string      `json:"summary"`                           // what the text form has after "Verification result: "
	Reason      string      `json:"reason,omitempty"`                  // for UNKNOWN: why
	Confirmed   *bool       `json:"confirmed_in_c,omitempty"`          // for FALSE: was the run replayed in the C program?
	Properties  []Property  `json:"properties"`                        // every site that was checked, in program order
	Failed      *int        `json:"failed,omitempty"`                  // for FALSE: index into properties of what the trace reaches
	Trace       []TraceStep `json:"trace,omitempty"`                   // for FALSE: the run; the last step is the failing statement. For UNKNOWN, of a Shylock program: the run to a heap that is too large
	Loop        *int        `json:"loop,omitempty"`                    // for FALSE of a formula: index into trace of the first step of those that the run repeats for ever
	Processes   []Process   `json:"processes,omitempty"`               // of a program with processes: where they are in the last state
	Inputs      []Input     `json:"inputs,omitempty"`                  // what it got from outside, in order, if it was replayed in C
	RestsOn     []Choice    `json:"rests_on,omitempty"`                // the unlikely choices of the environment without which it does not fail in this way
	Compiled    string      `json:"compiled,omitempty"`                // what came of the compiled program with these inputs
	Further     []Failure   `json:"further,omitempty"`                 // failing runs to other properties, all replayed in C
	Predicates  []Predicate `json:"predicates,omitempty"`              // those that the program was abstracted by, and where they came from
	Assumptions []string    `json:"assumptions"`                       // the ledger: the verdict holds under these
	Changes     *Changes    `json:"changes,omitempty"`                 // what has changed since an earlier result
	Kept        []string    `json:"kept_as_references,omitempty"`      // the pointers that were kept as references, and why others were not
	NeverCalled []string    `json:"never_called,omitempty"`            // functions of the C files that nothing calls
	HeadersIdle int         `json:"never_called_in_headers,omitempty"` // how many functions of headers nothing calls
	Certificate string      `json:"certificate,omitempty"`             // for TRUE: what became of the certificate that was asked for, if it is not valid
	Conformance *Compared   `json:"conformance,omitempty"`             // of a comparison of two models
	Counters    []Counter   `json:"counters"`                          // work counters in a fixed order, no times
}

// Property is a property site in the JSON form.
type Property struct {
	Kind      string `json:"kind"`           // assertion, label, null-dereference, rule, check or formula
	Name      string `json:"name,omitempty"` // of the label or rule, or the text of the formula
	Key       string `json:"key,omitempty"`  // of a rule that fails: how it is violated
	Procedure string `json:"procedure"`
	Node      string `json:"node,omitempty"` // stable id, "main:4"
	Place
	Text   string `json:"text,omitempty"`
	Status string `json:"status"`           // fails, suppressed, holds, undecided, never called or does not apply
	Reason string `json:"reason,omitempty"` // for undecided: why, if not for the same reason as all; for suppressed: why
	// Fingerprint is by what the failure is known in other versions of the program, see package triage.
	Fingerprint string `json:"fingerprint,omitempty"`
}

// Changes is what has changed since an earlier result.
type Changes struct {
	Since string   `json:"since"`
	List  []Change `json:"list"`
}

// Change is a failure of this result or of the earlier one.
type Change struct {
	State       string `json:"state"` // new, unchanged, fixed or undecided
	What        string `json:"what"`
	Where       string `json:"where"`
	Fingerprint string `json:"fingerprint"`
}

// Failure is a failing run that was replayed in C, in the JSON form.
type Failure struct {
	Property int         `json:"property"` // index into properties
	Trace    []TraceStep `json:"trace"`
	Inputs   []Input     `json:"inputs"`
	RestsOn  []Choice    `json:"rests_on,omitempty"` // the unlikely choices that it rests on
	Compiled string      `json:"compiled,omitempty"` // what came of the compiled program with these inputs
	Harness  string      `json:"harness,omitempty"`  // the file that supplies them to it
}

// Input is a value that a run got from a function that the program does not define.
type Input struct {
	Function string `json:"function,omitempty"` // that returned it,
	Memory   string `json:"memory,omitempty"`   // or the place in memory outside of the program
	Value    string `json:"value,omitempty"`    // a number or an object; left out if nobody used it
	Calls    string `json:"calls,omitempty"`    // a function of the program that it called back, which returned to it
	Place
}

// Choice is an unlikely choice of the environment that a failing run rests on.
type Choice struct {
	Kind string `json:"kind"` // null, error-pointer, same-object, negative, called-back, state or memory
	Text string `json:"text"` // a sentence: "find() returns null"
	Place
}

// Predicate is a predicate by which a program was abstracted, and its origin: a condition of an
// infeasible path that cannot hold. One that the user gave has no iteration and no condition.
type Predicate struct {
	Procedure string `json:"procedure,omitempty"` // in whose scope it is; left out for a global one
	Of        string `json:"of,omitempty"`        // the struct type of whose objects it speaks
	Text      string `json:"text"`
	Iteration int    `json:"iteration,omitempty"` // from 1
	Condition string `json:"condition,omitempty"`
	Node      string `json:"node,omitempty"` // of the condition
	Place
	Rule string `json:"rule,omitempty"` // how it was found
}

// Place is a position in the C source, or in the Boolean program if that carries
// no annotations.
type Place struct {
	File   string `json:"file,omitempty"`
	Line   int    `json:"line,omitempty"`
	Column int    `json:"column,omitempty"`
}

// TraceStep is a step of the trace in the JSON form, with the state before it.
type TraceStep struct {
	Node      string `json:"node,omitempty"`
	Procedure string `json:"procedure"`
	Place
	Depth     int      `json:"depth"` // call depth, main is 0
	Text      string   `json:"text"`
	Statement string   `json:"statement"`           // in the Boolean program
	Origin    string   `json:"origin,omitempty"`    // call, return, branch-true, branch-false, assert, assume
	Collapsed bool     `json:"collapsed,omitempty"` // a call taken as one step
	Note      string   `json:"note,omitempty"`      // a remark
	Atoms     []Value  `json:"atoms,omitempty"`     // of a formula: "1" for those that hold
	Values    []Value  `json:"values"`
	Heap      []Object `json:"heap,omitempty"` // the objects that the variables lead to

	// Of a program with processes.

	Process string   `json:"process,omitempty"` // the process that makes the step
	State   int      `json:"state,omitempty"`   // the number of the state to which the transition leads; the first one is 1
	Changes []Value  `json:"changes,omitempty"` // what the transition has changed, at its last step
	Output  []string `json:"output,omitempty"`  // what it prints
	Events  []string `json:"events,omitempty"`  // the events of the transition that an observer sees, at its last step
}

// Process is a process in the last state of the trace, in the JSON form.
type Process struct {
	Name   string  `json:"name"`
	Status string  `json:"status"`
	Stack  []Stand `json:"stack"` // the innermost call first
}

// Stand is where a procedure stands.
type Stand struct {
	Procedure string `json:"procedure"`
	Place
	Text   string  `json:"text"`
	Values []Value `json:"values"`
}

// Object is one on the heap. A reference is the name of an object or null.
type Object struct {
	Name   string  `json:"name"`
	Class  string  `json:"class"`
	Fields []Value `json:"fields"`
}

// Value is the value of a variable in scope.
type Value struct {
	Name  string `json:"name"`
	Value string `json:"value"` // "0", "1", or "*" where the run does not depend on it
}

// Counter is a work counter.
type Counter struct {
	Name  string `json:"name"`
	Value int64  `json:"value"`
}

// JSON writes r as one indented [Document].
func JSON(w io.Writer, r *verdict.Result) error {
	return writeJSON(w, NewDocument(r))
}

// NewDocument returns the JSON form of r.
func NewDocument(r *verdict.Result) *Document {
	d := &Document{
		Version:     SchemaVersion,
		Verdict:     r.Verdict.String(),
		Summary:     r.Summary(),
		Properties:  []Property{},
		Assumptions: append([]string{}, r.Ledger...),
		NeverCalled: r.Uncalled, Kept: r.Kept,
		HeadersIdle: r.UncalledInHeaders,
		Certificate: r.Certificate,
		Counters:    counters(r.Stats),
	}
	for _, s := range r.Sites {
		d.Properties = append(d.Properties, property(s))
	}
	for _, p := range r.Predicates {
		d.Predicates = append(d.Predicates, Predicate{p.Proc, p.Of, p.Text, p.Iteration, p.Condition, p.Node, place(p.Pos), p.Rule})
	}
	if c := r.Changes; c != nil {
		d.Changes = &Changes{Since: c.Since, List: []Change{}}
		for _, x := range c.List {
			d.Changes.List = append(d.Changes.List, Change{string(x.State), x.What, x.Where, x.Fingerprint})
		}
	}
	d.Conformance = compared(r.Conformance)
	// The first failing run is that of the trace; the others are listed apart.
	switch r.Verdict {
	case verdict.Unknown:
		d.Reason = r.Reason
		d.Trace = traceSteps(r.Trace)
	case verdict.False:
		failed, confirmed := r.Failed, len(r.Failures) > 0
		d.Failed = &failed
		// Runs of a model are not about C.
		if r.Conformance == nil && (r.Trace == nil || len(r.Trace.Processes) == 0 && !r.Trace.Model) {
			d.Confirmed = &confirmed
		}
		d.Trace = traceSteps(r.Trace)
		if r.Trace != nil && r.Trace.Loop > 0 {
			loop := r.Trace.Loop - 1
			d.Loop = &loop
		}
		d.Processes = processes(r.Trace)
		for i, f := range r.Failures {
			if x := failureOf(f); i == 0 {
				d.Inputs, d.RestsOn, d.Compiled = x.Inputs, x.RestsOn, x.Compiled
			} else {
				d.Further = append(d.Further, x)
			}
		}
	}
	return d
}

// failureOf returns the JSON form of a failing run.
func failureOf(f verdict.Failure) Failure {
	out := Failure{Property: f.Site, Trace: traceSteps(f.Trace), Inputs: []Input{}, Compiled: f.Compiled, Harness: f.Harness}
	for _, in := range f.Inputs {
		out.Inputs = append(out.Inputs, Input{in.Func, in.Place, in.Value, in.Calls, place(in.Pos)})
	}
	for _, c := range f.RestsOn {
		out.RestsOn = append(out.RestsOn, Choice{string(c.Kind), c.Text, place(c.Pos)})
	}
	return out
}

// traceSteps returns the JSON form of a trace, nil if there is none.
func traceSteps(t *verdict.Trace) (out []TraceStep) {
	if t != nil {
		for _, s := range t.Steps {
			out = append(out, traceStep(s))
		}
	}
	return out
}

// processes returns the JSON form of the processes at the end of a trace.
func processes(t *verdict.Trace) (out []Process) {
	if t == nil {
		return nil
	}
	for _, p := range t.Processes {
		q := Process{Name: p.Name, Status: p.Status, Stack: []Stand{}}
		for _, at := range p.Stack {
			q.Stack = append(q.Stack, Stand{at.Proc, place(at.Pos), at.Text, values([]Value{}, at.Values)})
		}
		out = append(out, q)
	}
	return out
}

// property returns the JSON form of a property site.
func property(s verdict.Site) Property {
	// The JSON form has names of its own for kinds.
	kind := "assertion"
	switch s.Kind {
	case verdict.Label:
		kind = "label"
	case verdict.Dereference:
		kind = "null-dereference"
	case verdict.Rule:
		kind = "rule"
	case verdict.Check:
		kind = "check"
	case verdict.Formula:
		kind = "formula"
	}
	return Property{
		Kind: kind, Name: s.Name, Key: s.Key, Procedure: s.Proc, Node: s.Node, Place: place(s.Pos),
		Text: s.Text, Status: s.Status(), Reason: cmp.Or(s.Suppressed, s.Reason), Fingerprint: s.Fingerprint,
	}
}

// traceStep returns the JSON form of a step.
func traceStep(s verdict.Step) TraceStep {
	t := TraceStep{
		Node: s.Node, Procedure: s.Proc, Place: place(s.Pos), Depth: s.Depth,
		Text: s.Text, Statement: s.Stmt, Origin: s.Origin, Collapsed: s.Collapsed,
		Values: []Value{},
	}
	t.Values = values(t.Values, s.Values)
	t.Note, t.Atoms = s.Note, values(nil, s.Atoms)
	t.Process, t.State, t.Output = s.Process, s.State, s.Output
	t.Events = s.Events
	t.Changes = values(nil, s.Changes)
	for _, o := range s.Heap {
		t.Heap = append(t.Heap, Object{o.Name, o.Class, values([]Value{}, o.Fields)})
	}
	return t
}

// values appends the JSON form of values to list.
func values(list []Value, of []verdict.Value) []Value {
	for _, v := range of {
		list = append(list, Value{v.Name, v.Val})
	}
	return list
}

// place returns the JSON form of a position.
func place(p source.Pos) Place { return Place{p.File, p.Line, p.Col} }

// counters returns the JSON form of counters, never nil.
func counters(stats []verdict.Stat) []Counter {
	out := []Counter{}
	for _, s := range stats {
		out = append(out, Counter{s.Name, s.Value})
	}
	return out
}

// writeJSON writes v, indented, with < and & unescaped, since C has many of them.
func writeJSON(w io.Writer, v any) error {
	var b bytes.Buffer
	// Nothing is written before all of it is encoded.
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes())
	return err
}
