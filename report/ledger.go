package report

import (
	"fmt"
	"regexp"
	"strings"
)

// This file shortens ledgers for people: sixty assembly statements make sixty lines that say the
// same.

// mostOfAKind is how many assumptions that differ in one name or place have lines of their own.
const mostOfAKind = 10

// particular matches what lines of one kind differ in: the place behind " at ", or the function
// behind "extern ". The groups are what comes before, that, and the rest.
var particular = regexp.MustCompile(`^(extern |.*? at )([^ ]+?)(:? .*|: .*)?$`)

// Shortened is a ledger with more than ten lines of one kind as one line, in the place of the
// first:
//
//	asm at a.c:12, a.c:19, a.c:23 and 57 others havocked: …
func Shortened(ledger []string) (out []string) {
	kind := func(line string) (key string, m []string) {
		if m = particular.FindStringSubmatch(line); m == nil {
			return "", nil
		}
		return m[1] + "\x00" + m[3], m
	}
	members := map[string][]string{}
	for _, line := range ledger {
		if key, m := kind(line); m != nil {
			members[key] = append(members[key], m[2])
		}
	}
	for _, line := range ledger {
		key, m := kind(line)
		list := members[key]
		switch {
		case m == nil || len(list) <= mostOfAKind && list != nil:
			out = append(out, line)
		case list != nil:
			const shown = 3
			out = append(out, fmt.Sprintf("%s%s and %d others%s", m[1], strings.Join(list[:shown], ", "), len(list)-shown, m[3]))
			members[key] = nil // the others are in this line
		}
	}
	return out
}
