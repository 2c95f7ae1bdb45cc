package ccfix

import (
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"c2bp/source"
)

// This file leaves the bodies of functions of headers out of tokens that are parsed again.
//
//	static inline int a(int x) { return b(x) + 1; }        static inline int a(int x) { }
//
// Once the tokens of a recording have been parsed, the bodies in them are known, and the names that each mentions
// (reach.go). A text that goes on after them reaches those that its own tokens mention, and what these mention; the
// others would be dropped after the parse anyway. The names of the tokens are a guess, for strings are
// joined by the parser: so it is checked after the parse that no function is reached of which the body
// was left out.

// bodies are the bodies in the tokens of a recording that may be left out.
type bodies struct {
	mentioned []string // names that are reached in any case, but for those of the text that follows
	list      map[string][]*bodyOfTokens
}

// bodyOfTokens is the body of a function.
type bodyOfTokens struct {
	open, closing int        // numbers of its braces, in the tokens
	at            source.Pos // of its opening brace, for which no other one at file scope has it
	mentions      []string
}

// bodiesIn finds the bodies of functions of headers in tokens, of which r has seen the tree.
func bodiesIn(tokens []ccToken, r *reach) *bodies {
	b := &bodies{mentioned: r.mentioned, list: map[string][]*bodyOfTokens{}}
	braces := bracesIn(tokens)
	for name, list := range r.bodies {
		for _, f := range list {
			n := f.declaration.FunctionDefinition.CompoundStatement
			at := RawAt(n.Token.Position())
			own := &bodyOfTokens{at: at, mentions: f.mentions, open: -1}
			// One whose place is not its own, since a macro has several, stays.
			if pair, ok := braces[at]; ok && pair != nil && RawAt(tokens[pair[1]].Position()) == RawAt(n.Token2.Position()) {
				own.open, own.closing = pair[0], pair[1]
			}
			b.list[name] = append(b.list[name], own)
		}
	}
	return b
}

// bracesIn returns the pairs of braces in tokens that are in no other bracket, by the place of the first; nil if
// several have that.
func bracesIn(tokens []ccToken) map[source.Pos][]int {
	pairs := map[source.Pos][]int{}
	depth, open := 0, 0
	for i, t := range tokens {
		switch t.Ch {
		case '(', '[', '{':
			if depth == 0 {
				open = i
			}
			depth++
		case ')', ']', '}':
			depth--
			if depth != 0 || t.Ch != '}' {
				continue
			}
			at := RawAt(tokens[open].Position())
			if _, twice := pairs[at]; twice {
				pairs[at] = nil
			} else {
				pairs[at] = []int{open, i}
			}
		}
	}
	return pairs
}

// omit returns tokens without the bodies that nothing in tail reaches, and the places of those.
func (b *bodies) omit(tokens []ccToken, tail []cc.Token) (fewer []ccToken, omitted map[source.Pos]bool) {
	// 1. What the tail mentions, and from there on what is mentioned.
	work := slices.Clone(b.mentioned)
	for _, t := range tail {
		work = append(work, WordsOf(t.SrcStr())...)
	}
	reached := map[string]bool{}
	for len(work) > 0 {
		name := strings.TrimPrefix(work[len(work)-1], "__builtin_")
		work = work[:len(work)-1]
		if !reached[name] {
			reached[name] = true
			for _, f := range slices.Concat(b.list[name], b.list["__builtin_"+name]) {
				work = append(work, f.mentions...)
			}
		}
	}
	// 2. The other bodies, in the order of the tokens.
	var out []*bodyOfTokens
	omitted = map[source.Pos]bool{}
	for name, list := range b.list {
		for _, f := range list {
			if !reached[strings.TrimPrefix(name, "__builtin_")] && f.open >= 0 {
				out, omitted[f.at] = append(out, f), true
			}
		}
	}
	slices.SortFunc(out, func(f, g *bodyOfTokens) int { return f.open - g.open })
	// 3. Copy what is between them.
	fewer = make([]ccToken, 0, len(tokens))
	done := 0
	for _, f := range out {
		fewer = append(fewer, tokens[done:f.open+1]...)
		done = f.closing
	}
	return append(fewer, tokens[done:]...), omitted
}

// leftOut reports whether all functions of which the bodies were omitted are such as r skips.
func (r *reach) leftOut(omitted map[source.Pos]bool) bool {
	n := 0
	for d := range r.skipped {
		if omitted[RawAt(d.FunctionDefinition.CompoundStatement.Token.Position())] {
			n++
		}
	}
	return n == len(omitted)
}
