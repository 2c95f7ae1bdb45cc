package ccfix

import "bytes"

// This file works around two defects of cc/v4's preprocessor. It glues a comma to the
// first of the variable arguments, where it should drop the ## between them,
//
//	#define F(fmt, arg...) p(fmt, ## arg)
//	#define G(fmt, ...)    p(fmt,##__VA_ARGS__)
//
// so that F(fmt, x) inside another macro loses the x, in silence; and without variable
// arguments it leaves the comma of F. Both do not happen to
//
//	#define F(fmt, ...) p(fmt, ## __VA_ARGS__)
//
// and that is what is made of them. Such a directive gets longer, nothing else moves.

const vaArgs = "__VA_ARGS__"

// variadics rewrites the macros of text that have variable arguments; it returns text itself if
// there are none to rewrite.
func variadics(text []byte) []byte {
	if !bytes.Contains(text, []byte("...")) && !bytes.Contains(text, []byte(vaArgs)) {
		return text
	}
	var out []byte
	done := 0 // the length of the text that is in out
	for start := 0; start < len(text); {
		hash, end := directive(text, start)
		if hash >= 0 {
			if d := variadic(text[hash:end]); d != nil {
				out = append(append(out, text[done:hash]...), d...)
				done = end
			}
		}
		start = end + 1
	}
	if out == nil {
		return text
	}
	return append(out, text[done:]...)
}

// directive looks at the logical line that starts at start: a line that ends in a backslash, or
// within a comment, continues. It ends at end, a newline or the end of the text; hash is where its
// # is if it is a directive, or else -1.
func directive(text []byte, start int) (hash, end int) {
	hash = -1
	blank := true // so far
	i := start
	for i < len(text) && text[i] != '\n' {
		switch n := CommentLength(text[i:]); {
		case n > 0:
			i += n
			continue
		case text[i] == '\\' && i+1 < len(text) && text[i+1] == '\n':
			i++
		case text[i] == '"' || text[i] == '\'':
			i += LiteralLength(text[i:])
			blank = false
			continue
		case blank && text[i] == '#':
			hash, blank = i, false
		case text[i] > ' ':
			blank = false
		}
		i++
	}
	return hash, min(i, len(text))
}

// variadic returns the directive text in the form that the preprocessor understands, or nil
// if it is one already.
func variadic(text []byte) []byte {
	toks, _ := lex(text)
	word := func(i int) string {
		if i < 0 || i >= len(toks) {
			return ""
		}
		return string(text[toks[i].start:toks[i].end])
	}
	if word(1) != "define" || word(3) != "(" || toks[3].start != toks[2].end {
		return nil
	}
	// 1. Find the parameters: it must be ... at the end, and may have a name.
	close := 4
	for close < len(toks) && toks[close].kind != ')' {
		close++
	}
	if close >= len(toks) || close < 7 || word(close-1)+word(close-2)+word(close-3) != "..." {
		return nil
	}
	name, named := vaArgs, toks[close-4].kind == 'i'
	if named {
		name = word(close - 4)
	}
	// 2. Write __VA_ARGS__ for the name, and a blank before ##.
	var out []byte
	done := 0
	replace := func(from, to int, s string) {
		out = append(append(out, text[done:from]...), s...)
		done = to
	}
	if named {
		replace(toks[close-4].start, toks[close-4].end, "")
	}
	for i := close + 1; i < len(toks); i++ {
		switch {
		case named && word(i) == name:
			replace(toks[i].start, toks[i].end, vaArgs)
		case word(i) == "#" && word(i+1) == "#" && word(i-1) == "," && word(i+2) == name && text[toks[i].start-1] != ' ':
			replace(toks[i].start, toks[i].start, " ")
		}
	}
	if done == 0 {
		return nil
	}
	return append(out, text[done:]...)
}
