// Package small has small C programs whose verdicts are known, in pairs of a safe and an unsafe
// one: programs/swap-safe.c, programs/swap-unsafe.c. They were written from the C standard and the
// property alone, without regard to the methods that decide them.
//
// The first lines of a program state its verdict:
//
//	// expect: FALSE 26         TRUE, or the line of the property that fails
//	// witness: 3 2 1           for FALSE: inputs for which it fails
//	// topic: swap
//
// The inputs are the results of __VERIFIER_nondet_int() and the like, in order. No other property of
// an unsafe program can fail. All programs are free of undefined behaviour whatever the inputs, and a
// run on the witness uses all of it.
//
// A new file is a new program.
package small

import (
	"embed"
	"fmt"
	"path"
	"strconv"
	"strings"
)

//go:embed programs/*.c
var programs embed.FS

// A Program is a C program with its verdict.
type Program struct {
	Name    string // swap-unsafe
	Text    string
	Topic   string
	Want    string  // TRUE or FALSE
	Line    int     // for FALSE: of the property that fails
	Witness []int64 // for FALSE: inputs with which it fails
}

// Programs returns all programs in order of name. It panics if one of them does not state its
// verdict.
func Programs() []Program {
	entries, err := programs.ReadDir("programs")
	if err != nil {
		panic(err)
	}
	var out []Program
	for _, e := range entries {
		text, err := programs.ReadFile("programs/" + e.Name())
		if err != nil {
			panic(err)
		}
		p, err := Parse(strings.TrimSuffix(e.Name(), path.Ext(e.Name())), string(text))
		if err != nil {
			panic(err)
		}
		out = append(out, p)
	}
	return out
}

// Parse reads the first lines of a program. They must have the form in the package documentation.
func Parse(name, text string) (Program, error) {
	p := Program{Name: name, Text: text}
	lines := strings.SplitN(text, "\n", 4)
	// next takes the line of a key, if it is the next one.
	next := func(key string) (string, bool) {
		if len(lines) == 0 {
			return "", false
		}
		value, ok := strings.CutPrefix(lines[0], "// "+key+":")
		if ok {
			lines = lines[1:]
		}
		return strings.TrimSpace(value), ok
	}
	// 1. The lines, of which only the witness may be missing.
	expect, _ := next("expect")
	var line string
	p.Want, line, _ = strings.Cut(expect, " ")
	witness, failing := next("witness")
	p.Topic, _ = next("topic")
	switch {
	case p.Topic == "":
		return p, fmt.Errorf("%s: no topic", name)
	case p.Want == "TRUE" && line == "" && !failing:
		return p, nil
	case p.Want != "FALSE" || !failing:
		return p, fmt.Errorf("%s: neither \"expect: TRUE\" nor \"expect: FALSE line\" with a witness", name)
	}
	// 2. The line and the witness of an unsafe program.
	var err error
	if p.Line, err = strconv.Atoi(line); err != nil {
		return p, fmt.Errorf("%s: line: %w", name, err)
	}
	for _, w := range strings.Fields(witness) {
		v, err := strconv.ParseInt(w, 10, 64)
		if err != nil {
			return p, fmt.Errorf("%s: witness: %w", name, err)
		}
		p.Witness = append(p.Witness, v)
	}
	return p, nil
}
