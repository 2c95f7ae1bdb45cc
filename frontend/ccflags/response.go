package ccflags

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// This file reads response files: gcc puts the words of FILE in the place of @FILE.

// Limits of response files, all together.
const (
	maxResponses = 2000 // as gcc
	maxResponse  = 8 << 20
)

// expander replaces @FILE in a command line that is given in directory dir. The limits count for
// all files of one command line.
type expander struct {
	dir   string
	stack []string // the files that are being read
	count int
	size  int
}

// expand returns args with the words of each @FILE in its place. Names in a response file, too, are
// seen from dir.
func (e *expander) expand(args []string) (out []string, err error) {
	for _, arg := range args {
		name, ok := strings.CutPrefix(arg, "@")
		if !ok || name == "" {
			out = append(out, arg)
			continue
		}
		words, err := e.file(resolve(e.dir, name))
		if err != nil {
			return nil, err
		}
		out = append(out, words...)
	}
	return out, nil
}

// file returns the expanded contents of the response file called name. A file may occur several
// times, but not within itself.
func (e *expander) file(name string) ([]string, error) {
	id := filepath.Clean(name)
	// A file within itself would have no end.
	if slices.Contains(e.stack, id) {
		return nil, fmt.Errorf("the response file %s contains itself", name)
	}
	if e.count++; e.count > maxResponses {
		return nil, fmt.Errorf("there are more than %d response files", maxResponses)
	}
	text, err := readFile(name, int64(maxResponse-e.size))
	if err != nil {
		return nil, fmt.Errorf("the response file %s: %w", name, err)
	}
	e.size += len(text)
	e.stack = append(e.stack, id)
	defer func() { e.stack = e.stack[:len(e.stack)-1] }()
	return e.expand(responseWords(string(text)))
}

// responseWords splits the contents of a response file as gcc does (buildargv of libiberty): a
// backslash quotes the next character, also between quotes. An open quote ends with the text.
func responseWords(text string) (words []string) {
	var word strings.Builder
	// inside says that there is a word, perhaps an empty one in quotes.
	inside, quote, escaped := false, byte(0), false
	end := func() {
		if inside {
			words = append(words, word.String())
		}
		word.Reset()
		inside = false
	}
	for i := range len(text) {
		c := text[i]
		switch {
		case escaped:
			word.WriteByte(c)
			escaped = false
		case c == '\\':
			inside, escaped = true, true
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
			word.WriteByte(c)
		case c == '\'' || c == '"':
			inside, quote = true, c
		case strings.IndexByte(" \t\n\v\f\r", c) >= 0:
			end()
		default:
			inside = true
			word.WriteByte(c)
		}
	}
	end()
	return words
}

// readFile reads a regular file of at most limit bytes: no device or pipe, which might never end.
// Errors do not name the file.
func readFile(name string, limit int64) ([]byte, error) {
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return nil, plain(err)
	case info.IsDir():
		return nil, fmt.Errorf("it is a directory")
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("it is a device or a pipe, and not a file")
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, plain(err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(text)) > limit {
		err = fmt.Errorf("it is larger than %d MiB", max(limit, 1<<20)>>20)
	}
	return text, err
}

// plain returns err without the operation and the name of the file.
func plain(err error) error {
	if p, ok := err.(*os.PathError); ok {
		if os.IsNotExist(err) {
			return fmt.Errorf("no such file")
		}
		return p.Err
	}
	return err
}

// resolve returns name as seen from the directory dir; "" is the current one.
func resolve(dir, name string) string {
	if dir == "" || filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(dir, name)
}
