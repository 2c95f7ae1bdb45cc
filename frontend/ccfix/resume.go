package ccfix

import (
	"maps"
	"slices"

	"modernc.org/cc/v4"

	"c2bp/source"
)

// This file parses texts that go on where a recording ends (memory.go).

// parse parses all of c, the text of file, and checks it; r finds the functions that are reached. It sets p to the
// state at the end of the text.
func (c *continuation) parse(p *Parser, file *source.File, r *reach) (*cc.AST, error) {
	given := *p
	// 1. Without the bodies that are not reached; unless one is.
	if c.bodies != nil && !p.Whole {
		c.restore(p, &given, file)
		if parser, omitted := c.shorter(p); parser != nil {
			own := *r
			ast, err := translate(parser.cpp.cfg, p.Excluded[file.Name], &own, func() (*cc.AST, error) { return parseTokens(parser) })
			if own.leftOut(omitted) {
				*r = own
				return ast, err
			}
		}
	}
	// 2. With all of it.
	c.restore(p, &given, file)
	parser := c.resume(p, c.tail)
	parser.cpp.tokenizer.out = slices.Clip(c.tokens)
	ast, err := translate(parser.cpp.cfg, p.Excluded[file.Name], r, func() (*cc.AST, error) { return parseTokens(parser) })
	if err == nil && c.bodies == nil && len(c.tail) == 0 {
		c.bodies = bodiesIn(c.tokens, r)
	}
	return ast, err
}

// restore sets p, which was given, to its state at the end of the file of the recording, with the text of file.
func (c *continuation) restore(p, given *Parser, file *source.File) {
	c.after.copyTo(p)
	for name, f := range p.Files {
		if given.Files[name] == nil {
			given.Files[name] = f
		}
	}
	p.Files = given.Files
	p.segments[file.Name], p.indexed = given.segments[file.Name], false
	p.Dated, p.raw = p.Dated || given.Dated, p.raw || given.raw
}

// resume returns a parser of cc, and of its preprocessor, in the state at the end of the recording, that goes on with
// tail and the text that follows each file. Handlers write into p.
func (c *continuation) resume(p *Parser, tail []byte) *ccParser {
	cfg, err := p.config()
	if err != nil {
		panic(err) // it was all right before
	}
	texts := slices.Clone(c.sources.list[c.sources.text:])
	texts[0].Value = slices.Clip(tail)
	parser, err := newCCParser(cfg, c.macros.fset, texts) // places of macros in the tail are places in its files
	if err != nil {
		panic(err)
	}
	cpp, old := parser.cpp, &c.macros
	cpp.macros, cpp.undefs, cpp.counter = maps.Clone(old.macros), maps.Clone(old.undefs), old.counter
	for name, list := range old.mstack {
		cpp.mstack[name] = slices.Clone(list)
	}
	return parser
}

// shorter returns a parser of cc that has yet to parse c without the bodies that nothing reaches, and the places
// of those; nil if the tail has errors.
func (c *continuation) shorter(p *Parser) (parser *ccParser, omitted map[source.Pos]bool) {
	// 1. The tokens of the tail, with that at the end of all texts.
	ahead := c.resume(p, c.tail)
	if !preprocess(ahead) {
		return nil, nil
	}
	tail := ahead.toks
	// 2. All tokens, for a preprocessor that has nothing left to do.
	list, omitted := c.bodies.omit(c.tokens, tail)
	for _, t := range tail {
		list = append(list, ccToken{Token: t})
	}
	parser, err := newCCParser(ahead.cpp.cfg, c.macros.fset, nil)
	if err != nil {
		panic(err)
	}
	parser.cpp.macros, parser.cpp.tokenizer.out = ahead.cpp.macros, list
	return parser, omitted
}

// copyTo makes q a parser in the state of p, apart from the fields that belong to one tree or are set by the caller.
func (p *Parser) copyTo(q *Parser) {
	excluded, memory, whole := q.Excluded, q.Memory, q.Whole
	*q = *p
	q.Excluded, q.Memory, q.Whole = excluded, memory, whole
	q.Files, q.unreadable, q.stripped = maps.Clone(p.Files), maps.Clone(p.unreadable), maps.Clone(p.stripped)
	q.segments, q.homes, q.Weak = maps.Clone(p.segments), maps.Clone(p.homes), maps.Clone(p.Weak)
	q.escapes, q.WeakAliases = slices.Clip(p.escapes), slices.Clip(p.WeakAliases)
	q.lines, q.cuts, q.indexed = nil, nil, false
	q.spans, q.Unreached = nil, nil
	q.packing = p.packing.copy()
}

// copy returns a copy of p.
func (p packing) copy() packing {
	p.now.stack = slices.Clip(p.now.stack)
	files := p.files
	p.files = nil
	for name, f := range files {
		if p.files == nil {
			p.files = map[string]*packFile{}
		}
		g := *f
		g.changes, g.again = slices.Clip(g.changes), slices.Clip(g.again)
		p.files[name] = &g
	}
	return p
}
