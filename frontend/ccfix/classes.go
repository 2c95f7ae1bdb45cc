package ccfix

import (
	"regexp"
	"strings"
)

// This file classifies messages: two are of one class if they say the same of
// different places.

var (
	verb    = regexp.MustCompile(`%(?:\.\d+)?[a-z]`)
	quoted  = regexp.MustCompile("\"[^\"]*\"|'[^']*'|`[^`]*`")
	numbers = regexp.MustCompile(`\b\d+\b`)
	// subject is what a message of the C parser is about, before or after a colon.
	subject = regexp.MustCompile(`(: )[^:]*$|^[^: ]+(?::\d+)*(: )`)
)

// classOf returns the class of the message msg, made from format: the format, or, where that is
// only a frame, the message without names, literals and numbers.
//
//	"the directive #%s is not supported"      the directive #… is not supported
//	"%s"                                      of the message itself
func classOf(format, msg string) string {
	if format != "%s" {
		return verb.ReplaceAllString(format, "…")
	}
	return Normalise(msg)
}

// Normalise returns msg with dots in place of names, literals and numbers, which differ from place to
// place.
func Normalise(msg string) string {
	msg, _, _ = strings.Cut(msg, "\n")
	msg = quoted.ReplaceAllString(msg, "…")
	msg = subject.ReplaceAllString(msg, "${1}…${2}")
	return numbers.ReplaceAllString(msg, "…")
}
