package ccflags

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"

	"c2bp/source"
)

// This file reads compilation databases, https://clang.llvm.org/docs/JSONCompilationDatabase.html.

// maxDatabase bounds the size of a database.
const maxDatabase = 512 << 20

// entry is the command for one file: Arguments or, if there are none, Command, the text of a shell.
type entry struct {
	Directory string   `json:"directory"`
	File      string   `json:"file"`
	Command   string   `json:"command"`
	Arguments []string `json:"arguments"`

	pos source.Pos
}

// readDatabase reads the database called name. The entries are in its order.
func readDatabase(name string) ([]entry, error) {
	text, err := readFile(name, maxDatabase)
	if err != nil {
		return nil, problem(source.Pos{File: name}, "cannot read it: %v", err)
	}
	return parseDatabase(name, text)
}

// parseDatabase reads the entries one by one: a text that is no database is found out where it
// ceases to be one. An offset of the decoder is after the text that it has read, so the start of an entry is
// looked for.
func parseDatabase(name string, text []byte) (list []entry, err error) {
	dec := json.NewDecoder(bytes.NewReader(text))
	fail := func(offset int64, format string, args ...any) error {
		return problemAt(name, text, offset, format, args...)
	}
	// 1. The bracket that begins the array.
	if t, err := dec.Token(); err != nil || t != json.Delim('[') {
		return nil, fail(firstOf(text), "expected a compilation database: a JSON array of commands")
	}
	// 2. The entries. A comma that is missing between two of them is reported at its place.
	for dec.More() {
		start := dec.InputOffset()
		start += firstOf(text[start:])
		switch comma := start < int64(len(text)) && text[start] == ','; {
		case comma:
			start++
			start += firstOf(text[start:])
		case len(list) > 0:
			return nil, fail(start, "this is no JSON: expected a comma between two commands")
		}
		// A wrong entry is read again alone, for the place of the error in it.
		var e entry
		if err := dec.Decode(&e); err != nil {
			return nil, fail(start+offsetOf(json.Unmarshal(text[start:], &e)), "%s", jsonMessage(err))
		}
		switch {
		case e.File == "":
			return nil, fail(start, "a command without \"file\"")
		case e.Directory == "" && !filepath.IsAbs(e.File):
			return nil, fail(start, "a command without \"directory\", in which it ran")
		}
		e.pos = source.Pos{File: name, Line: int(start)} // its offset, until it is asked for
		list = append(list, e)
	}
	// 3. The bracket at the end.
	if _, err := dec.Token(); err != nil {
		return nil, fail(dec.InputOffset(), "%s", jsonMessage(err))
	}
	positions(name, text, list)
	return list, nil
}

// positions replaces the offsets of the entries by lines and columns, in one pass over the text.
func positions(name string, text []byte, list []entry) {
	line, start, done := 1, 0, 0
	for i := range list {
		offset := list[i].pos.Line
		for ; done < offset; done++ {
			if text[done] == '\n' {
				line, start = line+1, done+1
			}
		}
		list[i].pos = source.Pos{File: name, Line: line, Col: offset - start + 1}
	}
}

// firstOf returns the number of blanks that text starts with.
func firstOf(text []byte) int64 {
	return int64(len(text) - len(bytes.TrimLeft(text, " \t\r\n")))
}

// offsetOf returns the offset of err in the text that was unmarshalled, 0 if err does not tell.
func offsetOf(err error) int64 {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return max(syntax.Offset-1, 0)
	}
	return 0
}

// jsonMessage describes err in terms of the database and not of Go.
func jsonMessage(err error) string {
	var t *json.UnmarshalTypeError
	switch {
	case errors.As(err, &t) && t.Field != "":
		return fmt.Sprintf("%q is a JSON %s, which is not expected there", t.Field, t.Value)
	case errors.As(err, &t):
		return fmt.Sprintf("expected a command, a JSON object, not a %s", t.Value)
	}
	return "this is no JSON: " + err.Error()
}

// problemAt returns an error at an offset of text, with a quote of the line if that is short: a
// database may be one line of a megabyte.
func problemAt(name string, text []byte, offset int64, format string, args ...any) *source.Diagnostic {
	offset = min(offset, int64(len(text)))
	start := bytes.LastIndexByte(text[:offset], '\n') + 1
	end := len(text)
	if n := bytes.IndexByte(text[offset:], '\n'); n >= 0 {
		end = int(offset) + n
	}
	d := problem(source.Pos{File: name, Line: 1 + bytes.Count(text[:start], []byte("\n")), Col: int(offset) - start + 1}, format, args...)
	if end-start <= 200 {
		d.Quote = string(text[start:end])
	}
	return d
}

// command returns the command of e. Errors are at the entry.
func (e *entry) command() (c *Command, err error) {
	words := e.Arguments
	if len(words) == 0 {
		if words, err = Words(e.Command); err == nil && len(words) == 0 {
			err = errors.New("there is neither \"command\" nor \"arguments\"")
		}
	}
	if err == nil {
		c, err = newCommand(words, e.Directory)
	}
	if err != nil {
		return nil, problem(e.pos, "the command for %s: %v", e.File, err)
	}
	c.From = e.pos
	return c, nil
}
