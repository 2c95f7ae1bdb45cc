package ccfix

import (
	"fmt"
	"regexp"

	"modernc.org/cc/v4"

	"c2bp/source"
)

// This file counts inclusions by way of pragmas, the only thing that cc asks us about
// while it preprocesses. cc reads an included file once and replays its tokens, so it
// does not notice a file that includes itself, and it does not know #pragma once.

// entered returns the text that cc gets for the text of a file that it calls name, after a pragma:
//
//	#pragma c2bp_entered
//	#define $0 1633837924        macros for literals of the text
//	#line 1
//
// The #line keeps the positions in it.
func (p *Parser) entered(name string, text []byte) []byte {
	real, line := realName(name), "#line 1\n"
	if real != name {
		line = fmt.Sprintf("#line 1 \"%s\"\n", real)
	}
	text, macros := p.prepare(real, text)
	return append([]byte("#pragma "+enterPragma+"\n"+macros+line), text...)
}

// Pragmas of ours: at the start of each file, and around files of which only the macros count.
const (
	enterPragma     = "c2bp_entered"
	macrosPragma    = "c2bp_macros"
	macrosEndPragma = "c2bp_macros_end"
)

// maxInclusions bounds how often a file may be included in a translation unit, and
// maxIncluded how much text all inclusions have together.
const (
	maxInclusions = 1000
	maxIncluded   = 64 << 20
)

// inclusions counts the inclusions of files in a translation unit.
type inclusions struct {
	*Parser
	count map[string]int
	once  map[string]bool // has #pragma once
	size  int             // of what was included
}

// pragma handles the pragma that consists of tokens, without #pragma. It panics with an error for a
// text that is refused; the one error that it returns has cc skip the rest of the file.
func (inc *inclusions) pragma(tokens []cc.Token) error {
	if len(tokens) == 0 {
		return nil
	}
	// Its place is looked up for those that need it: a kernel's headers have a thousand of the others.
	place := func() (file string, line int) { return inc.textPlace(RawAt(tokens[0].Position())) }
	switch tokens[0].SrcStr() {
	case enterPragma:
		// A file begins: it is skipped, refused, or counted.
		name := realName(tokens[0].Position().Filename)
		inc.checkWhole(name)
		if inc.once[name] {
			return cc.SkipSource
		}
		if inc.count[name]++; inc.count[name] > maxInclusions {
			panic(inc.endless(name, fmt.Sprintf("is included more than %d times: it includes itself", maxInclusions)))
		}
		if f := inc.Files[name]; f != nil {
			if inc.size += len(f.Text); inc.size > maxIncluded {
				panic(inc.endless(name, fmt.Sprintf("is included, and all included files together have more than %d MiB", maxIncluded>>20)))
			}
		}
		var text []byte
		if f := inc.Files[name]; f != nil {
			text = f.Text
		}
		inc.packing.enter(name, text)
	case macrosPragma, macrosEndPragma:
		inc.macrosOnly = tokens[0].SrcStr() == macrosPragma
	case directivePragma:
		// A directive that cc does not know, in a part of the text that counts.
		if len(tokens) > 1 {
			name, _ := place()
			d := inc.Errorf(At(tokens[0].Position()), "the directive #%s is not supported", tokens[1].SrcStr())
			if f := inc.Files[name]; f != nil && inc.unit.Preprocessed(f.Name) {
				d.Msg += " in a preprocessed file; -x c has it preprocessed here"
			}
			panic(d)
		}
	case "once":
		name, _ := place()
		inc.once[name] = true
	case "weak":
		// With a second name it is an alias, which is refused later.
		if len(tokens) != 2 {
			inc.WeakAliases = append(inc.WeakAliases, At(tokens[0].Position()))
			break
		}
		if inc.Weak == nil {
			inc.Weak = map[string]bool{}
		}
		inc.Weak[tokens[1].SrcStr()] = true
	case "pack":
		var words []string
		for _, t := range tokens[1:] {
			words = append(words, t.SrcStr())
		}
		name, line := place()
		inc.packing.pragma(name, line, words)
	}
	return nil
}

var includeLine = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*include`)

// endless returns the error for a file that is included for ever, or as good as that: at its first
// #include.
func (inc *inclusions) endless(name, what string) *source.Diagnostic {
	f := inc.Files[name]
	if f == nil {
		f = source.NewFile(name, nil)
	}
	pos := source.Pos{File: name}
	if at := includeLine.FindIndex(f.Text); at != nil {
		pos = f.Pos(at[1] - len("include"))
	}
	return f.Errorf(pos, "%s %s", name, what)
}
