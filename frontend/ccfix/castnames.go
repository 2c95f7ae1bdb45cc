package ccfix

// This file works around a defect of cc/v4: the names of the parameters of an
// abstract function declarator, as in the cast
//
//	q = (void *)((int (*)(int x, long y))q);
//
// enter the enclosing scope. A later x in that block, a parameter of the function
// perhaps, then means the x of the cast. So the names are blanked before the
// parser sees them: they have no other use, and one that hides a type would have the
// parser take that for a value. Names that come from macros leave the scope after
// parsing, see mend.go.

// scrub returns text with the names of such parameters replaced by spaces; text itself if there are
// none.
//
//	(int (*)(int x, long y))q     becomes     (int (*)(int  , long  ))q
func scrub(text []byte) []byte {
	s := &scrubber{text: text}
	s.toks, s.match = lex(text)
	for i := range s.toks {
		if s.toks[i].kind == '(' && s.match[i] >= 0 && s.abstractFunction(i) {
			s.parameters(i)
		}
	}
	if s.out == nil {
		return text
	}
	return s.out
}

// scrubber blanks the names of parameters in one text. out is nil until the first name is blanked,
// and match has the partner of each bracket, -1 without one.
type scrubber struct {
	text, out []byte
	toks      []cToken
	match     []int
	blanked   map[int]bool
}

// word returns the identifier at token i, "" if it is none or was blanked.
func (s *scrubber) word(i int) string {
	if i < 0 || i >= len(s.toks) || s.toks[i].kind != 'i' || s.blanked[i] {
		return ""
	}
	return string(s.text[s.toks[i].start:s.toks[i].end])
}

// kind returns the kind of token i, a blank if it was blanked, 0 outside of the text.
func (s *scrubber) kind(i int) byte {
	if i < 0 || i >= len(s.toks) {
		return 0
	}
	if s.blanked[i] {
		return ' '
	}
	return s.toks[i].kind
}

// abstractFunction reports whether the group that starts at i is the parameter list of an abstract
// declarator: it follows (*) or, with types inside, a type.
//
//	(*)(int x)        a parameter list
//	int (char c)      likewise
//	f(int)            may be a macro with a type as its argument: none
func (s *scrubber) abstractFunction(i int) bool {
	if s.kind(i-1) == ')' && s.match[i-1] >= 0 {
		return s.abstractPointer(s.match[i-1], i-1)
	}
	// One of the two words may be a typedef, which is not known here, if the place can only have a
	// type.
	before, inside := isTypeWord(s.word(i-1)), isTypeWord(s.word(i+1))
	return before && inside || (before || inside && s.word(i-1) != "") && s.endsTypeof(i)
}

// endsTypeof reports whether the group that starts at i ends the operand of typeof, as in
// typeof(int (T)) where T is an argument of a macro.
func (s *scrubber) endsTypeof(i int) bool {
	end := s.match[i] + 1
	return s.kind(end) == ')' && s.match[end] > 0 && isTypeof(s.word(s.match[end]-1))
}

// abstractPointer reports whether the tokens from ( at i to ) at j are an
// abstract declarator that starts with *: (*), (*const), (**[3]), (*(*)(int)).
func (s *scrubber) abstractPointer(i, j int) bool {
	if s.kind(i+1) != '*' && s.kind(i+1) != '^' {
		return false
	}
	for k := i + 1; k < j; k++ {
		switch c := s.kind(k); {
		case c == '*' || c == '^' || c == ' ':
		case c == 'i' && isQualifier(s.word(k)):
		case c == 'i' && isAttribute(s.word(k)) && s.kind(k+1) == '(' && s.match[k+1] > 0:
			k = s.match[k+1]
		case c == '[' && s.match[k] > 0:
			k = s.match[k]
		case c == '(' && s.match[k] > 0 && (s.abstractPointer(k, s.match[k]) || s.abstractFunction(k)):
			k = s.match[k]
		default:
			return false
		}
	}
	return true
}

// parameters blanks the names in the parameter list that starts at i, which has a partner.
func (s *scrubber) parameters(i int) {
	end := s.match[i]
	for k := i + 1; k < end; {
		k = s.parameter(k, end) + 1
	}
}

// parameter blanks the name of the parameter declaration at k and returns the
// index of the comma or parenthesis that ends it.
func (s *scrubber) parameter(k, end int) int {
	typed := false // a type has been seen
	for ; k < end && s.kind(k) != ','; k++ {
		w := s.word(k)
		switch {
		// A tag is part of the type.
		case w == "struct" || w == "union" || w == "enum":
			typed = true
			k++ // the tag
		case isAttribute(w) && s.kind(k+1) == '(' && s.match[k+1] > 0:
			k = s.match[k+1]
		case isQualifier(w):
		case isTypeWord(w):
			typed = true
		// The second identifier is the name, the first one that of a type.
		case w != "" && typed:
			s.blank(k)
		case w != "":
			typed = true
		case s.kind(k) == '*':
			typed = true
		// A declarator in parentheses may have the name inside; the parameters of that are scrubbed in turn.
		case (s.kind(k) == '(' || s.kind(k) == '[') && s.match[k] > 0:
			if s.kind(k) == '(' && s.kind(k+1) == '*' {
				s.nested(k)
			}
			k = s.match[k]
		}
	}
	return k
}

// nested blanks the name in the declarator (*name) that starts at i; its own parameter list is then
// one of an abstract declarator, and scrub comes to it later.
func (s *scrubber) nested(i int) {
	for k := i + 1; k < s.match[i]; k++ {
		if w := s.word(k); w != "" && !isQualifier(w) {
			s.blank(k)
			return
		}
		// Anything else cannot stand before the name.
		if c := s.kind(k); c != '*' && c != '(' && c != 'i' {
			return
		}
	}
}

// blank overwrites token i with blanks. From then on word and kind do not see it.
func (s *scrubber) blank(i int) {
	if s.out == nil {
		s.out = append([]byte(nil), s.text...)
		s.blanked = map[int]bool{}
	}
	s.blanked[i] = true
	for k := s.toks[i].start; k < s.toks[i].end; k++ {
		s.out[k] = ' '
	}
}

// isQualifier reports whether w may stand beside a type or a star without being a type.
func isQualifier(w string) bool {
	switch w {
	case "const", "volatile", "restrict", "register", "_Atomic", "_Nonnull", "_Nullable",
		"__const", "__const__", "__volatile", "__volatile__", "__restrict", "__restrict__":
		return true
	}
	return false
}

// isAttribute reports whether w is followed by attributes in parentheses.
func isAttribute(w string) bool {
	return w == "__attribute__" || w == "__attribute" || w == "_Alignas" || w == "__declspec"
}

// isTypeof reports whether w is a spelling of typeof.
func isTypeof(w string) bool { return w == "typeof" || w == "__typeof__" || w == "__typeof" }

// isTypeWord reports whether w begins a type: a keyword of one, or a qualifier.
func isTypeWord(w string) bool {
	switch w {
	case "void", "char", "short", "int", "long", "float", "double", "signed", "unsigned", "_Bool", "_Complex",
		"__signed__", "__signed", "__int128", "struct", "union", "enum":
		return true
	}
	return isQualifier(w) && w != "register"
}
