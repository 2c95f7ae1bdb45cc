package report

import (
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"c2bp/verdict"
)

// This file defines the costs of a run, and prints them.

// Statistics is the cost of a run.
type Statistics struct {
	Engine     string         // which engine ran and why; "" if none did
	Counters   []verdict.Stat // work counters, the same in every run
	Iterations []Iteration    // of a refinement, from the first on
	Phases     []Phase        // wall-clock times in the order of the work
	PeakMemory int64          // bytes, of the whole process; 0 if unknown
	States     *States        // of a search of states; nil if there was none
}

// States is the size of a search of states. The fields of the JSON form stand beside the others.
type States struct {
	Distinct      int64   `json:"distinct_states"` // as the language counts them
	Stored        int64   `json:"stored_states"`
	Transitions   int64   `json:"transitions"`
	TraceLength   int64   `json:"trace_length"` // states on the failing run; 0 if there is none
	BytesPerState int64   `json:"bytes_per_state"`
	Seconds       float64 `json:"seconds"`
	PerSecond     float64 `json:"states_per_second"`
}

// Phase is a part of the work, and its time.
type Phase struct {
	Name string
	Time time.Duration
}

// Iteration is the cost of one iteration of a refinement, and its findings.
type Iteration struct {
	Number      int       `json:"number"` // from 1
	Predicates  int       `json:"predicates"`
	New         int       `json:"new_predicates"`
	Abstraction int64     `json:"queries_abstraction"` // to the prover
	Paths       int64     `json:"queries_paths"`
	Nodes       int64     `json:"bdd_nodes"`   // of the check, at most
	Steps       int64     `json:"check_steps"` // of its worklist
	Seconds     float64   `json:"seconds"`
	Learned     []Learned `json:"learned"`
	Unfinished  bool      `json:"unfinished,omitempty"` // stopped before the abstraction was checked
}

// Learned is the result of examining a property in an iteration.
type Learned struct {
	Property   int    `json:"property"` // index into the properties of the result
	Where      string `json:"where"`
	Result     string `json:"result"`               // predicates, exactness, fails or undecided
	Conditions int    `json:"conditions,omitempty"` // of the reason why the path to it is impossible
	Predicates int    `json:"predicates,omitempty"` // found from these
}

// Text prints s as a table, and the iterations as another one.
//
//	prover queries  16
//	time: read C    0.012 s
//	peak memory     34.1 MB
func (s *Statistics) Text(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	if s.Engine != "" {
		fmt.Fprintf(t, "engine\t%s\n", s.Engine)
	}
	for _, c := range s.Counters {
		fmt.Fprintf(t, "%s\t%d\n", c.Name, c.Value)
	}
	for _, p := range s.Phases {
		fmt.Fprintf(t, "time: %s\t%.3f s\n", p.Name, p.Time.Seconds())
	}
	if s.PeakMemory > 0 {
		fmt.Fprintf(t, "peak memory\t%.1f MB\n", float64(s.PeakMemory)/1e6)
	}
	if err := t.Flush(); err != nil || len(s.Iterations) == 0 {
		return err
	}
	return writeIterations(w, s.Iterations)
}

// JSON prints s as one JSON object.
func (s *Statistics) JSON(w io.Writer) error {
	type phase struct {
		Name    string  `json:"name"`
		Seconds float64 `json:"seconds"`
	}
	// The fields are in the order of the text form; absent ones are left out.
	doc := struct {
		Version    int         `json:"version"`
		Engine     string      `json:"engine,omitempty"`
		Counters   []Counter   `json:"counters"`
		Iterations []Iteration `json:"iterations,omitempty"`
		Phases     []phase     `json:"phases"`
		PeakMemory int64       `json:"peak_memory_bytes,omitempty"`
		*States
	}{Version: SchemaVersion, Engine: s.Engine, Counters: counters(s.Counters), Iterations: s.Iterations, Phases: []phase{}, PeakMemory: s.PeakMemory, States: s.States}
	for _, p := range s.Phases {
		doc.Phases = append(doc.Phases, phase{p.Name, p.Time.Seconds()})
	}
	return writeJSON(w, doc)
}
