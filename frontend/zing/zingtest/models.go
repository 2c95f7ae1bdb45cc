package zingtest

import (
	"embed"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
)

// This file reads the models of testdata/models. A comment of a model says how it is to come out:
//
//	// want: states 14; assertion 6, assume 4
//	// options: cooperative
//
// that is, the number of distinct states and the number of states of a shortest trace for each kind
// of failure, or "none".

//go:embed testdata/models/*.zing
var modelFiles embed.FS

// Model is a small model with its known results.
type Model struct {
	Name    string // of its file, without extension
	Text    string
	Options Options
	Want    string // as Summary writes it
}

// Models returns the models in the order of their names.
func Models() []Model {
	entries, err := modelFiles.ReadDir("testdata/models")
	if err != nil {
		panic(err)
	}
	var list []Model
	for _, e := range entries {
		text, err := modelFiles.ReadFile(path.Join("testdata/models", e.Name()))
		if err != nil {
			panic(err)
		}
		m := Model{Name: strings.TrimSuffix(e.Name(), ".zing"), Text: string(text)}
		m.Want = comment(m.Text, "want")
		for _, option := range strings.Fields(comment(m.Text, "options")) {
			switch option {
			case "cooperative":
				m.Options.Cooperative = true
			case "unchecked":
				m.Options.Unchecked = true
			default:
				panic("zingtest: model " + m.Name + " has an unknown option " + option)
			}
		}
		list = append(list, m)
	}
	return list
}

// comment returns the rest of the comment line of a model that starts with key and a colon, or "".
func comment(text, key string) string {
	for line := range strings.Lines(text) {
		if rest, found := strings.CutPrefix(line, "// "+key+": "); found {
			return strings.TrimSpace(rest)
		}
	}
	return ""
}

// Summary returns the number of distinct states and the lengths of shortest traces as the comments of
// models have them.
func (r *Result) Summary() string {
	var failures []string
	for _, k := range slices.Sorted(maps.Keys(r.Lengths)) {
		failures = append(failures, fmt.Sprintf("%s %d", k, r.Lengths[k]))
	}
	if failures == nil {
		failures = []string{"none"}
	}
	return fmt.Sprintf("states %d; %s", r.DistinctStates, strings.Join(failures, ", "))
}
