package concrete

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// This file replaces the properties of a program by calls of the environment. It works on the text,
// line by line.

var (
	errorCall    = regexp.MustCompile(`\breach_error\(\)`)
	errorLabel   = regexp.MustCompile(`\bERROR[ \t]*:`)
	assertCall   = regexp.MustCompile(`\b__VERIFIER_assert\(`)
	assertHeader = regexp.MustCompile(`\bvoid[ \t]+__VERIFIER_assert\(`)
	assertBody   = regexp.MustCompile(`\bvoid[ \t]+__VERIFIER_assert\([^)]*\)\s*\{`)
)

// rewrite returns text with calls at its properties.
//
//	reach_error()              env_failed(__LINE__)
//	ERROR:                     ERROR: env_failed(__LINE__);
//	__VERIFIER_assert(x > 0)   env_assert(__LINE__, x > 0)
func rewrite(text string) string {
	text = errorCall.ReplaceAllString(text, "env_failed(__LINE__)")
	text = errorLabel.ReplaceAllString(text, "ERROR: env_failed(__LINE__);")
	// A program that defines the assertion itself reports by reach_error() or a label there.
	if assertBody.MatchString(text) {
		return text // its body has the property
	}
	var out []string
	for _, line := range strings.Split(text, "\n") {
		if !assertHeader.MatchString(line) {
			line = assertCall.ReplaceAllString(line, "env_assert(__LINE__, ")
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n")
}

var number = regexp.MustCompile(`\b(0[xX][0-9a-fA-F]+|[0-9]+)[uUlL]*\b`)

// constants returns the numbers in the code of text: inputs near them are more likely to make a
// difference than others.
func constants(text string) []string {
	seen := map[int64]bool{}
	for line := range strings.Lines(text) {
		code, _, _ := strings.Cut(line, "//")
		for _, m := range number.FindAllStringSubmatch(code, -1) {
			if v, err := strconv.ParseInt(m[1], 0, 64); err == nil {
				seen[v] = true
			}
		}
	}
	var sorted []int64
	for v := range seen {
		sorted = append(sorted, v)
	}
	slices.Sort(sorted)
	var out []string
	for _, v := range sorted {
		out = append(out, strconv.FormatInt(v, 10))
	}
	return out
}
