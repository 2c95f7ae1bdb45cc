package report

import (
	"fmt"
	"regexp"
	"strings"
)

// This file shortens ledgers for people: sixty assembly statements add sixty lines that differ in
// their places only.

// mostOfAKind is the number of assumptions of one kind that have lines of their own.
const mostOfAKind = 10

// particular matches the part in which lines of one kind differ: the place after " at ", or the
// function after "extern ". The groups are the text before, that part, and the text after.
var particular = regexp.MustCompile(`^(extern |.*? at )([^ ]+?)(:? .*|: .*)?$`)

// Shortened returns a ledger in which more than ten lines of one kind are one line, in place of the
// first:
//
//	asm at a.c:12, a.c:19, a.c:23 and 57 others havocked: …
func Shortened(ledger []string) (out []string) {
	// The key of a line is all of it but the particular part.
	kind := func(line string) (key string, m []string) {
		if m = particular.FindStringSubmatch(line); m == nil {
			return "", nil
		}
		return m[1] + "\x00" + m[3], m
	}
	// 1. Collect the particular parts of each kind.
	members := map[string][]string{}
	for _, line := range ledger {
		if key, m := kind(line); m != nil {
			members[key] = append(members[key], m[2])
		}
	}
	// 2. Copy lines; the first of a large kind stands for all.
	for _, line := range ledger {
		key, m := kind(line)
		list := members[key]
		switch {
		case m == nil || len(list) <= mostOfAKind && list != nil:
			out = append(out, line)
		case list != nil:
			// Three examples are enough.
			const shown = 3
			out = append(out, fmt.Sprintf("%s%s and %d others%s", m[1], strings.Join(list[:shown], ", "), len(list)-shown, m[3]))
			members[key] = nil // the others are in this line
		}
	}
	return out
}
