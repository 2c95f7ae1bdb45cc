package ccfix

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"c2bp/frontend/ctree"
	"c2bp/source"
)

// This file runs modernc.org/cc/v4 over one translation unit: configuration,
// include files, and its panics turned into errors.

// stubDir is the name under which the embedded headers are found.
const stubDir = "<c2bp>"

// Parser reads the translation units of one program, and holds the state that they have in common.
type Parser struct {
	unit  Options                 // of the translation unit that is read
	Files map[string]*source.File // all texts that were read, by name

	unreadable map[string]*unreadable // files that are none to include
	macrosOnly bool                   // of a file that is included now, see imacros.go
	stripped   map[string]bool        // files of which cc has only the macros

	segments    map[string][]segment      // by file, see lines.go
	lines       map[string][]segment      // by presumed name
	cuts        map[string][]segment      // by name for cc
	indexed     bool                      // lines and cuts are of all segments
	homes       map[string]int            // numbers of files with line directives
	spans       map[cc.Node]ctree.Span    // memo of spanOf
	packing     packing                   // of structs, see packing.go
	spelt       int                       // number of macros made for respelt text
	floats      bool                      // floating-point literals are respelt, see floats.go
	escapes     escapes                   // see literals.go
	raw         bool                      // a text has control characters, see literals.go
	Weak        map[string]bool           // names in #pragma weak
	WeakAliases []source.Pos              // of #pragma weak a = b
	Dated       bool                      // a text has __DATE__ or __TIME__
	Excluded    map[string]map[int]bool   // associations that are left out of _Generic, by the file and the number of their token
	Unreached   map[string]*cc.Declarator // functions of headers, see reach.go
	Memory      *Memory                   // of texts that are read again; nil for none
	Whole       bool                      // all tokens are parsed, although there is a memory: so they have the same numbers each time
}

// bom is the byte order mark that some editors put in front of a text.
var bom = []byte("\xef\xbb\xbf")

// ending follows the text, for cc hangs where a text ends after a star: it looks
// for a token like the parenthesis in here. Errors in it are at the end of the text.
const (
	EndName = "<end>"
	ending  = "_Static_assert(1, \"\");\n"
)

// prepare returns the text that cc gets for a text, and the definitions of macros that it needs.
// The text has as many lines, and it notes segments and dates of it in p. It panics with an error
// for a text that is refused.
func (p *Parser) prepare(name string, text []byte) (prepared []byte, macros string) {
	// 1. Characters that are no part of the program.
	if bytes.HasPrefix(text, bom) {
		text = append([]byte("   "), text[len(bom):]...)
	}
	p.findDates(text)
	p.checkStandard(name, text)
	// 2. Lines that become longer: directives and macros. Nothing after this moves.
	text = directives(withoutFinalBackslash(text), p.unit.Preprocessed(name))
	if p.unit.ShortWchar {
		text = shortWide(text)
	}
	// 3. Tokens that are respelt in place, and at last the names in line directives.
	text, macros = p.spell(modes(scrub(variadics(text))))
	return p.markers(name, text), macros
}

// withoutFinalBackslash blanks backslashes at the end of a text. They have no
// meaning there, and cc does not find the end of a character constant after them.
func withoutFinalBackslash(text []byte) []byte {
	end := len(bytes.TrimRight(text, " \t\r\n\f\v\\"))
	if bytes.IndexByte(text[end:], '\\') < 0 {
		return text
	}
	return append(bytes.Clone(text[:end]), bytes.ReplaceAll(text[end:], []byte("\\"), []byte(" "))...)
}

// New makes a parser that has read nothing.
func New() *Parser { return &Parser{Files: map[string]*source.File{}} }

// Edited returns a parser for p's files, some of them with other texts. It reads the files that p has
// read, and the characters and names that stand for escapes and directives in them mean the same.
func (p *Parser) Edited(texts map[string][]byte) *Parser {
	q := New()
	q.escapes, q.raw, q.homes = slices.Clip(p.escapes), p.raw, p.homes
	for name, f := range p.Files {
		q.Files[name] = f
	}
	for name, text := range texts {
		q.Files[name] = source.NewFile(name, text)
	}
	return q
}

// Parse preprocesses, parses and type-checks one file. If ctx ends before, the parse continues in
// the background, as cc cannot be stopped, and p must not be used any more; with a memory, which others
// go on to use, Parse waits for its end.
func (p *Parser) Parse(ctx context.Context, file *source.File, unit Options) (*cc.AST, error) {
	p.unit = unit
	if p.Memory != nil {
		ast, err := p.translate(file)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return ast, err
	}
	type outcome struct {
		ast *cc.AST
		err error
	}
	done := make(chan outcome, 1)
	go func() {
		ast, err := p.translate(file)
		done <- outcome{ast, err}
	}()
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case r := <-done:
		return r.ast, r.err
	}
}

// translate parses one file, and again with other floating-point literals if cc fails because of them.
func (p *Parser) translate(file *source.File) (ast *cc.AST, err error) {
	ast, err = p.translateOnce(file)
	if p.floats { // cc cannot do with them as they are
		ast, err = p.translateOnce(file)
		p.floats = false
	}
	return ast, err
}

// translateOnce parses one file. A panic of cc, or of a pragma, becomes an error. After it p.floats
// says whether another try with respelt floating-point literals may succeed.
func (p *Parser) translateOnce(file *source.File) (ast *cc.AST, err error) {
	defer func() {
		r := recover()
		p.floats = r != nil && !p.floats && conditionFails(r)
		if d, ok := r.(*source.Diagnostic); ok {
			err = source.List{d}
		} else if r != nil {
			err = source.List{{Pos: source.Pos{File: file.Name}, Severity: source.Error,
				Msg: fmt.Sprintf("the C parser failed on this file: %.200v", r)}}
		}
	}()
	// 1. Configure cc.
	cfg, err := p.config()
	if err != nil {
		return nil, err
	}
	// 2. Prepare the texts, and parse them.
	p.macrosOnly, p.stripped = false, map[string]bool{}
	p.packing.start(file.Name)
	defer p.packing.finish()
	r := &reach{own: func() map[string]bool { return p.OwnFiles(file.Name) }}
	texts := p.sources(file)
	var known *continuation
	if p.Memory != nil {
		known = p.Memory.recall(p, file, texts)
	}
	if known != nil {
		ast, err = known.parse(p, file, r)
	} else {
		ast, err = translate(cfg, p.Excluded[file.Name], r, func() (*cc.AST, error) { return cc.Parse(cfg, texts.list) })
	}
	// 3. Note the functions that were left out.
	for d := range r.skipped {
		if p.Unreached == nil {
			p.Unreached = map[string]*cc.Declarator{}
		}
		p.Unreached[d.FunctionDefinition.Declarator.Name()] = d.FunctionDefinition.Declarator
	}
	return ast, err
}

// sources returns the texts of file as cc gets them: macros of the compiler, built-in functions, options, the
// file itself, and its end.
func (p *Parser) sources(file *source.File) *sources {
	p.homeNumber(file.Name, 0) // before those of the files that it includes
	predefined := p.unit.predefined()
	if p.unit.Preprocessed(file.Name) { // no macro is predefined
		predefined = standardMacro.ReplaceAllString(predefined, "") // the others: see commandLine
	}
	command, text := p.commandLine(file.Name), p.entered(file.Name, file.Text) // a copy: cc appends to its buffer
	list := []cc.Source{
		{Name: "<predefined>", Value: predefined + modeMacros},
		{Name: "<builtin>", Value: p.builtins(file.Text, modeMacros, command, string(text))},
		{Name: commandName, Value: command},
		{Name: file.Name, Value: text},
		{Name: EndName, Value: ending},
	}
	return &sources{p.unit, list, 3, 4}
}

// OwnFiles returns the names of the text of the file name, which is no header: its own one, and the
// first one that a line directive gives it if it has been preprocessed.
func (p *Parser) OwnFiles(name string) map[string]bool {
	own := map[string]bool{name: true, commandName: true}
	for _, s := range p.segments[name] {
		if s.phys > 1 && !strings.HasPrefix(s.presumed, "<") { // after a line directive
			own[s.presumed] = true
			break
		}
	}
	return own
}

// config returns the configuration of cc for the options of the file that is read. Its handlers
// write into p.
func (p *Parser) config() (*cc.Config, error) {
	arch := "amd64"
	if p.unit.Bits32 {
		arch = "386"
	}
	abi, err := cc.NewABI("linux", arch)
	if err != nil {
		return nil, err
	}
	abi.SignedChar = !p.unit.UnsignedChar
	quote, dirs := p.unit.searchPaths()
	return &cc.Config{
		ABI:                        abi,
		FS:                         includes{p},
		PragmaHandler:              (&inclusions{Parser: p, count: map[string]int{}, once: map[string]bool{}}).pragma,
		IncludePaths:               slices.Concat([]string{""}, quote, dirs),
		SysIncludePaths:            dirs,
		IgnoreNegativeShiftAmounts: true,
		UnsignedEnums:              true,
		HasBuiltin:                 HasBuiltin,
	}, nil
}

// keywords are alternate spellings of keywords that cc knows by macro only. Assertions
// about sizes that cc has wrong must not fail in cc: see checkAssertion.
const keywords = `
#define __const const
#define __const__ const
#define __volatile volatile
#define __signed signed
#define __signed__ signed
#define __builtin_va_start(v, ...) __c2bp_va_start(v)
void __c2bp_va_start();
void *__builtin_va_arg_impl();
#define __builtin_va_end(v) ((void)(v))
#define _Static_assert(c, ...) _Static_assert(1 || (c), "")
`

// findDates looks for the macros with the time of translation in text, outside of comments and
// literals.
func (p *Parser) findDates(text []byte) {
	if !bytes.Contains(text, []byte("__DATE__")) && !bytes.Contains(text, []byte("__TIME__")) {
		return
	}
	toks, _ := lex(text)
	for _, t := range toks {
		switch string(text[t.start:t.end]) {
		case "__DATE__", "__TIME__":
			p.Dated = true
		}
	}
}
