package ccflags

import (
	"fmt"
	"regexp"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// This file splits commands into words by the rules of the POSIX shell. They are parsed, not
// executed: a word that depends on more than its text is an error.

// maxCommand bounds the length of a command: that of one argument in Linux, as which make gives
// commands to a shell.
const maxCommand = 128 << 10

// Words returns the words of text, flags of a compiler as one writes them for a shell; nil if there
// are none.
//
//	-DNAME='"x y"' -I a\ b     two words: -DNAME="x y", and -I with a second word, a b
//	-I $HOME                   an error: only a shell knows the word
func Words(text string) ([]string, error) {
	commands, err := commands(text)
	switch {
	case err != nil:
		return nil, err
	case len(commands) == 0:
		return nil, nil
	case len(commands) > 1 || commands[0].err != nil:
		err := commands[0].err
		if err == nil {
			err = fmt.Errorf("it is more than one command")
		}
		return nil, err
	}
	return commands[0].words, nil
}

// Quote writes words, none of which has a NUL byte, so that [Words] reads them: with quotes only
// where a shell needs them.
func Quote(words []string) string {
	var b strings.Builder
	for i, w := range words {
		if i > 0 {
			b.WriteByte(' ')
		}
		// A first word with = in it would be an assignment of the shell.
		if unquoted.MatchString(w) && (i > 0 || w[0] == '-' || !strings.Contains(w, "=")) { // not an assignment
			b.WriteString(w)
			continue
		}
		quoted, err := syntax.Quote(w, syntax.LangPOSIX)
		if err != nil { // control characters, which only other shells can quote in one line
			quoted = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
		b.WriteString(quoted)
	}
	return b.String()
}

// unquoted matches words that need no quotes.
var unquoted = regexp.MustCompile(`^[\w@%+=:,./-]+$`)

// command is a simple command of a shell script.
type command struct {
	words []string
	err   error // why its words are not known
}

// commands returns the simple commands of a shell script, in order, whatever joins them: ; && | or
// a loop. A command whose words are not known has an error of its own.
func commands(text string) (list []command, err error) {
	if len(text) > maxCommand {
		return nil, fmt.Errorf("the command is longer than %d KiB", maxCommand>>10)
	}
	if strings.IndexByte(text, 0) >= 0 {
		return nil, fmt.Errorf("the command has a NUL byte")
	}
	// The script is parsed as a whole, and then each call in it is looked at.
	file, err := syntax.NewParser(syntax.Variant(syntax.LangPOSIX)).Parse(strings.NewReader(text), "")
	if err != nil {
		return nil, fmt.Errorf("it is no shell command: %v", err)
	}
	syntax.Walk(file, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CmdSubst:
			return false // not a command of the script, but part of a word
		case *syntax.CallExpr:
			if len(n.Args) > 0 {
				list = append(list, literalWords(n.Args))
			}
		}
		return true
	})
	return list, nil
}

// literalWords returns the command of these words; if one is no literal, it has the error instead.
func literalWords(args []*syntax.Word) (c command) {
	for _, w := range args {
		text, err := literal(w)
		if err != nil {
			return command{err: err}
		}
		c.words = append(c.words, text)
	}
	return c
}

// literal returns the text of a word that consists of text and quotes.
func literal(w *syntax.Word) (string, error) {
	var b strings.Builder
	if bad := spell(&b, w.Parts, false); bad != nil {
		return "", fmt.Errorf("column %d: a word that only a shell knows; quote $ and ` if they are meant", bad.Pos().Col())
	}
	return b.String(), nil
}

// spell writes the text of parts of a word, up to one that is more than text, which it returns.
// quoted says that they are between double quotes.
func spell(b *strings.Builder, parts []syntax.WordPart, quoted bool) (bad syntax.Node) {
	for _, p := range parts {
		switch p := p.(type) {
		case *syntax.Lit:
			unescape(b, p.Value, quoted)
		case *syntax.SglQuoted:
			b.WriteString(p.Value)
		case *syntax.DblQuoted:
			if bad := spell(b, p.Parts, true); bad != nil {
				return bad
			}
		default:
			return p
		}
	}
	return nil
}

// unescape writes text without the backslashes that quote something; between double quotes these
// are few: "\n" stays as it is, and "\$" is $.
func unescape(b *strings.Builder, text string, quoted bool) {
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' && i+1 < len(text) && (!quoted || strings.IndexByte("\"\\$`", text[i+1]) >= 0) {
			i++
		}
		b.WriteByte(text[i])
	}
}
