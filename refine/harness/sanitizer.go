package harness

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"c2bp/frontend/checks"
	"c2bp/source"
)

// This file reads the messages of gcc's sanitizer of undefined behaviour.

// messages are parts of the sanitizer's messages about a property.
var messages = map[string][]string{
	checks.DivisionByZero: {"division by zero"},
	checks.QuotientRange:  {"division of "},
	checks.ShiftAmount:    {"shift exponent "},
	checks.ShiftRange:     {"left shift of "},
	checks.SignedOverflow: {"signed integer overflow: ", "negation of "},
	checks.NullFollowed:   {"null pointer"},
	checks.OutOfBounds:    {"out of bounds"},
}

// saidAt matches the place and the text of a message: in.c:7:11: runtime error: division by zero.
var saidAt = regexp.MustCompile(`^(.*?):(\d+):(?:\d+:)? runtime error: (.*)$`)

// reports reports whether a line of the sanitizer is about p, a check in f.
func (p Property) reports(line string, f *source.File) bool {
	m := saidAt.FindStringSubmatch(line)
	if p.Check == "" || m == nil {
		return false
	}
	n, err := strconv.Atoi(m[2])
	return err == nil && p.at(m[1], n, f) &&
		slices.ContainsFunc(messages[p.Check], func(part string) bool { return strings.Contains(m[3], part) })
}
