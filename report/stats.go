package report

import (
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"c2bp/verdict"
)

// Statistics is what a run cost.
type Statistics struct {
	Engine     string         // which engine ran and why; "" if none did
	Counters   []verdict.Stat // work counters, the same in every run
	Phases     []Phase        // wall-clock times in the order of the work
	PeakMemory int64          // bytes, of the whole process; 0 if unknown
}

// Phase is a part of the work and the time it took.
type Phase struct {
	Name string
	Time time.Duration
}

// Text prints s as a table.
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
	return t.Flush()
}

// JSON prints s as one JSON object.
func (s *Statistics) JSON(w io.Writer) error {
	type phase struct {
		Name    string  `json:"name"`
		Seconds float64 `json:"seconds"`
	}
	doc := struct {
		Version    int       `json:"version"`
		Engine     string    `json:"engine,omitempty"`
		Counters   []Counter `json:"counters"`
		Phases     []phase   `json:"phases"`
		PeakMemory int64     `json:"peak_memory_bytes,omitempty"`
	}{Version: SchemaVersion, Engine: s.Engine, Counters: counters(s.Counters), Phases: []phase{}, PeakMemory: s.PeakMemory}
	for _, p := range s.Phases {
		doc.Phases = append(doc.Phases, phase{p.Name, p.Time.Seconds()})
	}
	return writeJSON(w, doc)
}
