package main

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"strings"

	"c2bp/frontend/harness"
	"c2bp/source"
)

// This file puts a rule and a harness at the end of a driver, and looks through its text for functions.

// function is a function that a driver defines.
type function struct{ name, body string }

var (
	definition = regexp.MustCompile(`(?m)^[a-zA-Z_][\w \t*]*?[ \t*\n](\w+)[ \t]*\(([^;{}]*?)\)\s*\n\{`)
	closing    = regexp.MustCompile(`(?m)^\}[ \t]*$`) // not that of a macro within the function: "} while (0)"
	comment    = regexp.MustCompile(`(?s)/\*.*?\*/|//[^\n]*`)
	literal    = regexp.MustCompile(`"(?:[^"\\\n]|\\.)*"`)
	word       = regexp.MustCompile(`\b[a-zA-Z_]\w*\b`)
)

// plain returns text without comments and the contents of literals.
func plain(text string) string {
	return literal.ReplaceAllString(comment.ReplaceAllString(text, " "), `""`)
}

// functionsOf returns the functions that a driver defines; text is plain.
func functionsOf(text string) (list []function) {
	for _, m := range definition.FindAllStringSubmatchIndex(text, -1) {
		// A definition starts and ends at the margin.
		f := function{name: text[m[2]:m[3]]}
		rest := text[m[1]:]
		if end := closing.FindStringIndex(rest); end != nil {
			rest = rest[:end[0]]
		}
		f.body = rest
		list = append(list, f)
	}
	return list
}

// reached returns the names of functions that text mentions, transitively.
// Bodies are texts, so a name in another meaning counts, too.
func reached(text string, functions []function) map[string]bool {
	// A function is reached if its name occurs in the body of one that is.
	bodies := map[string]string{}
	for _, f := range functions {
		bodies[f.name] = f.body
	}
	seen := map[string]bool{}
	for work := []string{text}; len(work) > 0; {
		// Breadth first, by names in bodies.
		body := work[0]
		work = work[1:]
		for _, w := range word.FindAllString(body, -1) {
			if next, ok := bodies[w]; ok && !seen[w] {
				seen[w] = true
				work = append(work, next)
			}
		}
	}
	return seen
}

// withHarness writes the driver in a file, whose text is given, after preprocessing, with a rule and the
// harness that c2bp makes for it; check is the statement after each call of an entry. It returns the
// name of the file and the harness.
func (s *settings) withHarness(ctx context.Context, driver, in, rule, check string) (file, made string, err error) {
	if file, err = s.preprocessed(ctx, driver, in, "\n# 1 \"rule.h\"\n"+rule); err != nil {
		return "", "", err
	}
	// 1. The harness, as a file to be changed.
	r := s.call(ctx, "audit", "--print-harness", file)
	if r.code != 0 {
		return "", "", fmt.Errorf("no harness: %.200s", r.err)
	}
	made = checked(r.out, check)
	// 2. Put it into the file.
	text, err := os.ReadFile(file)
	if err != nil {
		return "", "", err
	}
	merged, _, err := harness.Merge([]*source.File{source.NewFile(file, text), source.NewFile("harness.c", []byte(made))})
	if err != nil {
		return "", "", err
	}
	if err := os.WriteFile(file, merged[0].Text, 0o666); err != nil {
		return "", "", err
	}
	// 3. gcc must accept it as it is.
	if out, err := s.compiler(ctx, driver, file, "-fpreprocessed", "-fsyntax-only", "-w").CombinedOutput(); err != nil {
		return "", "", fmt.Errorf("gcc rejects the harness: %.300s", out)
	}
	return file, made, nil
}

// checked returns a harness with the statement check after each call of an entry.
//
//	case 3: /* .open of fops, lamp.c:40 */
//		lamp_open(c2bp_inode, c2bp_file);
//		c2bp_entry_returns();
//		break;
func checked(text, check string) string {
	if check == "" {
		return text
	}
	text = strings.ReplaceAll(text, "\n\t\t\tbreak;\n", "\n\t\t\t"+check+"\n\t\t\tbreak;\n")
	text = strings.Replace(text, "\n\twhile (", "\n\t"+check+"\n\twhile (", 1)
	at := strings.LastIndex(text, "\treturn 0;\n}")
	return text[:at] + "\t" + check + "\n" + text[at:]
}
