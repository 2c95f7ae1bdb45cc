package ccfix

import (
	"bytes"
	"maps"
	"reflect"
	"regexp"
	"slices"

	"modernc.org/cc/v4"

	"c2bp/source"
)

// This file remembers the tokens of a C file with its headers, for texts that go on where it ends.
//
// A driver is read again and again with something at its end: a harness, rules. Of the time that
// takes most is spent in the preprocessor, on headers, and what it makes of them is the same each
// time. So it is kept: the tokens of the file, and the state of the preprocessor and of [Parser]
// after them. A text that begins with the same text continues from there,
//
//	driver.c              tokens t0 … tn                 kept
//	driver.c + harness    t0 … tn, tokens of the harness
//	driver.c + rules      t0 … tn, tokens of the rules
//
// and the parser of cc gets the tokens that it would get without: nothing of a tree is shared, and
// neither is a type. What the tokens depend on is compared, the include files excepted: those have the
// texts that they had the first time.

// Memory keeps the tokens of one C file. Texts that are read with one memory see each include file as
// it was the first time, so Options.ReadFile must be the same function. The trees have the places and texts of tokens in common, and reading another text
// adds to these: so they are for one goroutine at a time.
type Memory struct {
	kept *recording

	Preprocessed int // files that were kept so far, each in the place of the one before
	Continued    int // files of which only the end was preprocessed
}

// recording is what was made of a file.
type recording struct {
	// What it depends on.
	unit    Options
	files   map[string]*source.File // that were there before
	sources *sources
	// What was made of it.
	before Parser // when the file was prepared
	after  Parser // when it was preprocessed
	tokens []ccToken
	macros ccPreprocessor // its macros, with what they need
	bodies *bodies        // that may be left out; nil until the tokens are parsed
}

// continuation is a recording with a text that goes on where the file of the recording ends.
type continuation struct {
	*recording
	tail []byte
}

// recall returns the continuation by file, of which p has prepared texts, of the recording that m keeps; if file does
// not continue that, m keeps it from now on. It returns nil if file cannot be kept.
func (m *Memory) recall(p *Parser, file *source.File, texts *sources) *continuation {
	if c := m.kept.continuedBy(p, file, texts); c != nil {
		m.Continued++
		return c
	}
	r := record(p, file, texts)
	if r == nil {
		return nil
	}
	m.Preprocessed++
	m.kept = r
	return &continuation{recording: r}
}

// record preprocesses file, and returns nil if that fails: cc then tells the errors in their order.
func record(p *Parser, file *source.File, texts *sources) (r *recording) {
	// 1. What a file means may depend on those before.
	if !p.fresh() {
		return nil
	}
	r = &recording{unit: texts.unit, files: maps.Clone(p.Files), sources: texts}
	p.copyTo(&r.before)
	p.copyTo(&r.after)
	// 2. Preprocess it, with a parser that is not used if that fails.
	cfg, err := r.after.config()
	if err != nil {
		return nil
	}
	parser, err := newCCParser(cfg, newFileSet(), texts.list[:texts.end])
	if err != nil || !preprocess(parser) {
		return nil
	}
	// 3. Keep the tokens, unless the end of the text may be a part of what follows, or of itself.
	tokens := parser.toks[:len(parser.toks)-1]
	if len(tokens) == 0 || !closes(tokens[len(tokens)-1]) || !r.after.packing.once(file.Name) {
		return nil
	}
	r.tokens = make([]ccToken, len(tokens))
	for i, t := range tokens {
		r.tokens[i].Token = t
	}
	cpp := parser.cpp
	r.macros = ccPreprocessor{fset: cpp.fset, macros: cpp.macros, mstack: cpp.mstack, undefs: cpp.undefs, counter: cpp.counter}
	return r
}

// preprocess gives p all of its tokens. It returns false after an error.
func preprocess(p *ccParser) (ok bool) {
	ok = true
	defer func() {
		ok = ok && recover() == nil
	}()
	p.cpp.eh = func(string, ...any) { ok = false }
	for n := 0; n == 0 || p.toks[n-1].Ch != endOfText; n = len(p.toks) {
		nextToken(p)
	}
	return ok
}

// closes reports whether t may end a declaration: no macro, and no part of a literal.
func closes(t cc.Token) bool { return t.Ch == ';' || t.Ch == '}' }

// fresh reports whether p has read nothing.
func (p *Parser) fresh() bool {
	return len(p.segments) == 1 && len(p.packing.files) == 0 && p.Weak == nil && p.WeakAliases == nil && !p.floats
}

// continuedBy returns how file, of which p has prepared texts, goes on where r ends; nil if it does not.
func (r *recording) continuedBy(p *Parser, file *source.File, texts *sources) *continuation {
	// 1. All that is before the end must be the same.
	if r == nil || !p.fresh() || !sameOptions(r.unit, texts.unit) || len(r.sources.list) != len(texts.list) {
		return nil
	}
	for i, s := range texts.list {
		if old := r.sources.list[i]; s.Name != old.Name || i != texts.text && s.Value != old.Value {
			return nil
		}
	}
	if !sameFiles(r.files, p.Files, file.Name) || !slices.Equal(r.before.escapes, p.escapes) || r.before.spelt != p.spelt || !maps.Equal(r.before.homes, p.homes) {
		return nil
	}
	// 2. The end must be text without directives, but for those that set lines.
	tail, ok := bytes.CutPrefix(texts.list[texts.text].Value.([]byte), r.sources.list[texts.text].Value.([]byte))
	if !ok || len(tail) > 0 && !continues(tail) {
		return nil
	}
	return &continuation{r, tail}
}

// lineSet matches a line that [Parser.markers] has written.
var lineSet = regexp.MustCompile(`^#line \d+ "[^"\n]*"`)

// continues reports whether tail begins with a line directive, after an empty line, and has no others.
func continues(tail []byte) bool {
	if !bytes.HasPrefix(tail, []byte("\n#line ")) {
		return false
	}
	for line := range bytes.Lines(tail) {
		if bytes.ContainsAny(line, "#") && !lineSet.Match(line) {
			return false
		}
	}
	// Other spellings of directives.
	for _, s := range []string{"_Pragma", "%:", "??"} {
		if bytes.Contains(tail, []byte(s)) {
			return false
		}
	}
	return true
}

// sameOptions reports whether a and b are equal, apart from functions.
func sameOptions(a, b Options) bool {
	a.ReadFile, b.ReadFile = nil, nil
	return reflect.DeepEqual(a, b)
}

// sameFiles reports whether a and b have the same texts, but for the file called except.
func sameFiles(a, b map[string]*source.File, except string) bool {
	return len(a) == len(b) && maps.EqualFunc(a, b, func(f, g *source.File) bool {
		return f.Name == g.Name && (f.Name == except || bytes.Equal(f.Text, g.Text))
	})
}

// sources are the texts of a translation unit as cc gets them.
type sources struct {
	unit Options
	list []cc.Source
	text int // the number of the file itself
	end  int // the number of the text after it
}
