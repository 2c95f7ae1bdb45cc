package ccfix

import (
	"unsafe"

	"modernc.org/cc/v4"
)

//lint:file-ignore U1000 the fields are those of cc, which uses them

// This file reaches into cc, as memory.go needs it: cc has a preprocessor that gives tokens, and a
// parser that takes them, but offers only both at one go. The functions are called by their names
// in the linker's table; the structs have the first fields of those of cc, which a test compares
// with its source. Another version of cc in which there are none does not link, or fails the test.

// ccParser is the parser of cc: it takes tokens from its preprocessor.
type ccParser struct {
	cpp        *ccPreprocessor
	fnScope    *cc.Scope
	funcTokens []cc.Token
	gotos      []*cc.JumpStatement
	keywords   map[string]rune
	orderN     int64
	scope      *cc.Scope
	switchCtx  *cc.SelectionStatement
	toks       []cc.Token // ahead of the parser
}

// ccPreprocessor is the preprocessor of cc.
type ccPreprocessor struct {
	cfg         *cc.Config
	eh          func(msg string, args ...any)
	eof         cc.Token
	fset        unsafe.Pointer
	groups      unsafe.Pointer // a map
	included    unsafe.Pointer
	indentLevel int
	macros      map[string]*cc.Macro
	mstack      map[string][]*cc.Macro // of #pragma push_macro
	sources     []cc.Source
	stack       []any
	tok         cc.Token
	tokenizer   *ccTokenizer
	tos         any
	undefs      map[string]struct{}
	counter     int // of __COUNTER__
}

// ccTokenizer expands macros.
type ccTokenizer struct {
	c   *ccPreprocessor
	in  []ccToken
	out []ccToken // expanded already
}

// ccToken is a token with the macros that are not to be expanded in it.
type ccToken struct {
	cc.Token
	hs map[string]struct{}
}

// endOfText is the token at the end of the sources.
const endOfText = -1

//go:linkname newFileSet modernc.org/cc/v4.newFset
func newFileSet() unsafe.Pointer

//go:linkname newCCParser modernc.org/cc/v4.newParser
func newCCParser(cfg *cc.Config, files unsafe.Pointer, sources []cc.Source) (*ccParser, error)

//go:linkname nextToken modernc.org/cc/v4.(*parser).next
func nextToken(p *ccParser)

//go:linkname parseTokens modernc.org/cc/v4.(*parser).parse
func parseTokens(p *ccParser) (*cc.AST, error)
