package models

import (
	"bytes"
	"strings"

	"c2bp/frontend/ccfix"
)

// This file leaves out of a file of models the functions that a program does not need: reading
// models.c takes longer than reading a small program.
//
// The file is written so that this is easy: a function begins in the first column with its
// type, name and parameters, and ends in the same line or with the next } in the first column.

// Needed returns the text of a file of models without the functions that none of the names needs,
// directly or through others. Lines stay where they are. The text itself is not changed.
func Needed(text []byte, names []string) []byte {
	lines := bytes.Split(text, []byte("\n"))
	functions := map[string][]function{}
	work := append([]string(nil), names...)
	for i := 0; i < len(lines); {
		f, ok := functionAt(lines, i)
		if !ok {
			if line := string(lines[i]); strings.HasPrefix(line, "#") { // a macro may name functions
				work = append(work, ccfix.WordsOf(line)...)
			}
			i++
			continue
		}
		functions[f.name] = append(functions[f.name], f)
		i = f.end
	}
	needed := map[string]bool{}
	for len(work) > 0 {
		name := work[len(work)-1]
		work = work[:len(work)-1]
		if needed[name] {
			continue
		}
		needed[name] = true
		for _, f := range functions[name] {
			for _, line := range lines[f.start:f.end] {
				work = append(work, ccfix.WordsOf(string(line))...)
			}
		}
	}
	for name, list := range functions {
		for _, f := range list {
			for i := f.start; i < f.end && !needed[name]; i++ {
				lines[i] = nil
			}
		}
	}
	return bytes.Join(lines, []byte("\n"))
}

// function is a function in the lines from start to before end.
type function struct {
	name       string
	start, end int
}

// functionAt returns the function that begins in line i, if one does.
func functionAt(lines [][]byte, i int) (f function, ok bool) {
	head := string(lines[i])
	if head == "" || !ccfix.IsIdentByte(head[0]) {
		return f, false
	}
	before, _, found := strings.Cut(head, "(")
	if !found || strings.HasPrefix(head, "typedef ") {
		return f, false
	}
	words := ccfix.WordsOf(before)
	f = function{name: words[len(words)-1], start: i}
	for f.end = i; f.end < len(lines); f.end++ {
		switch line := string(lines[f.end]); {
		case strings.HasPrefix(line, "}"), f.end == i && strings.HasSuffix(line, "}"):
			f.end++
			return f, true
		case strings.HasSuffix(line, ";") && !strings.HasPrefix(line, "\t"):
			return f, false // a declaration
		}
	}
	return f, false
}
