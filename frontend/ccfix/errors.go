package ccfix

import (
	"bytes"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"c2bp/source"
)

// This file turns cc's errors, text of many lines, into diagnostics.

// origin is where in cc's own source an error was found; users need not know.
var origin = regexp.MustCompile(` \([a-z]+\.go:\d+:[^()]*\)`)

var errorPrefix = regexp.MustCompile(`^(.*?):(\d+):(\d+): (.*)$`)

// Diagnose parses an error of cc: lines of the form file:line:col: message. A line without a
// position is a consequence of one that has a position. err may also be a list of diagnostics,
// which is returned.
func (p *Parser) Diagnose(file *source.File, err error) source.List {
	if l, ok := err.(source.List); ok {
		return l
	}
	// 1. Split the text into errors with a position and others.
	var found, vague source.List
	seen := map[string]bool{}
	for _, line := range strings.Split(err.Error(), "\n") {
		if seen[line] || line == "" {
			continue
		}
		seen[line] = true
		line = origin.ReplaceAllString(line, "")
		m := errorPrefix.FindStringSubmatch(line)
		if m == nil {
			vague.Add(&source.Diagnostic{Pos: source.Pos{File: file.Name}, Severity: source.Error, Msg: "the C parser rejects this file: " + withoutHomes(line)})
			continue
		}
		pos := source.Pos{File: m[1]}
		pos.Line, _ = strconv.Atoi(m[2])
		pos.Col, _ = strconv.Atoi(m[3])
		// The text after the file: it is at the end of the file for people.
		if pos.File == EndName {
			pos = file.Pos(len(bytes.TrimRight(file.Text, " \t\r\n")))
		}
		pos.File = realName(pos.File)
		d := p.Errorf(pos, "%s", strings.ReplaceAll(withoutHomes(m[4]), rootDir+"/", "/"))
		d.Msg += p.whyNotFound(m[4])
		found.Add(d)
	}
	// 2. Keep the causes.
	if len(found) == 0 {
		return vague
	}
	found = withoutConsequences(found)
	found.Sort()
	return firstOfLine(found)
}

var notFound = regexp.MustCompile(`^include file not found: ["<](.*)[">]$`)

// whyNotFound returns the reason why a file was not read that cc has not found according to msg, with
// a colon before it; "" if there is none.
func (p *Parser) whyNotFound(msg string) string {
	m := notFound.FindStringSubmatch(msg)
	if m == nil {
		return ""
	}
	for _, name := range slices.Sorted(maps.Keys(p.unreadable)) {
		if strings.HasSuffix("/"+name, "/"+strings.TrimPrefix(m[1], "/")) {
			return ": " + p.unreadable[name].why
		}
	}
	return ""
}

// atEnd matches the error of a parser that gave up and ran out of text.
var atEnd = regexp.MustCompile(`^unexpected <?EOF`)

// withoutConsequences drops the errors at the end of the text if there is another: cc reports both
// where it cannot go on. If there is no other it returns all.
func withoutConsequences(found source.List) source.List {
	var causes source.List
	for _, d := range found {
		if !atEnd.MatchString(d.Msg) {
			causes = append(causes, d)
		}
	}
	if len(causes) == 0 {
		return found
	}
	return causes
}

// firstOfLine drops further consequences from a sorted list: errors after a
// syntax error in the same file, and all but one error of a line.
func firstOfLine(list source.List) (kept source.List) {
	broken := map[string]bool{}
	for _, d := range list {
		if broken[d.Pos.File] {
			continue
		}
		broken[d.Pos.File] = strings.HasPrefix(d.Msg, "unexpected ")
		if n := len(kept) - 1; n >= 0 && kept[n].Pos.File == d.Pos.File && kept[n].Pos.Line == d.Pos.Line {
			// The other error of the line is the cause.
			if kept[n].Msg == badLeftSide {
				kept[n] = d
			}
			continue
		}
		kept.Add(d)
	}
	return kept
}

// badLeftSide is the message of cc on an assignment whose left side has another error.
const badLeftSide = "left operand shall be a modifiable lvalue"
