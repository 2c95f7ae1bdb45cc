package frontend

import (
	"modernc.org/cc/v4"

	"c2bp/frontend/ccfix"
	"c2bp/frontend/core"
	"c2bp/frontend/layout"
	"c2bp/source"
)

// This file defines what the linker knows, in layers. Each embeds the one below, and is the receiver
// of the methods that need no more than it:
//
//	sources      the files that are read, and what is to be said of them
//	typing       C types and their core types; types of expressions
//	program      objects and functions, and the values of constants
//	sharing      objects that may change without the function: analyses of volatile objects,
//	             threads, signals and assembly

// sources are the files that are read, and what is to be said of them.
type sources struct {
	*ccfix.Parser
	opts Options
	tus  []*translationUnit

	diags  source.List // notes and warnings
	errs   source.List
	ledger ledger
}

// typing knows the types of the program. Its maps are keyed by what cc has made.
type typing struct {
	*sources

	// Sizes, offsets and alignments; it calls back for constant expressions, see forLayout.
	layouts    *layout.Table
	records    records
	recasts    recasts
	asScalars  map[*cc.Declarator]bool           // structs, by firstDeclarator, whose pointers become pointers to scalars
	types      map[cc.ExpressionNode]integerType // memo of typeOf
	specifiers map[*cc.Declarator]cc.Node        // see qualifiers.go; nil before the first use
	rounds     bool                              // the program chooses how floating-point operations round
	beside     map[string]bool                   // headers that other files may include, see private.go
}

// newTyping makes the layer above s; its layouts are made later.
func newTyping(s *sources) *typing {
	return &typing{sources: s, records: newRecords(), recasts: recasts{}, asScalars: map[*cc.Declarator]bool{}, beside: map[string]bool{}, types: map[cc.ExpressionNode]integerType{}}
}

// program has the objects and functions of the program.
type program struct {
	*typing
	prog *core.Program

	// Every declarator of an object, with all its redeclarations, to its one variable.
	vars    map[*cc.Declarator]*core.Var
	objects map[string]*object // by name, statics by file and name
	ordered []*object
	funcs   map[*cc.Declarator]*function
	// By the keys of keyOf.
	byKey   map[string]*function
	order   []*function // in order of first appearance
	defined []*function // in order of definition
	entry   *function   // where the C program starts
	ending  *programEnd // nil if nothing happens when the program ends

	// Declared const, so assignments to them are errors.
	consts    map[*core.Var]bool
	values    map[*core.Var]*core.Const // of constants that are initialised with a constant
	named     map[*core.Var]bool        // mentioned by an expression
	weakVars  map[*core.Var]bool        // declared weak, see outside.go
	volatiles map[*core.Var]bool        // volatile pointers; of other variables core.Var.Volatile is set
	pointees  map[source.Pos]bool       // members that point to volatile objects, see volatile.go
	noreturns map[*cc.Declarator]bool   // functions declared _Noreturn
	reached   map[*core.Var]bool        // the globals of the program, see reached.go; nil before they are known

	strings    map[*cc.PrimaryExpression]*core.Var
	literals   []literal                   // in order of first use
	understood map[*cc.AttributeValue]bool // attributes that a function looks after, see cleanups.go
	assembly   *core.Proc                  // what assembly changes in memory; nil if there is none
	processor  processorVariables
	modelsUsed map[*model]bool
	pointers   pointerUse
	errnoKept  bool // the program keeps the address of errno
}

// newProgram makes the layer above t.
func newProgram(t *typing) *program {
	return &program{
		typing: t, prog: &core.Program{},
		vars: map[*cc.Declarator]*core.Var{}, objects: map[string]*object{}, funcs: map[*cc.Declarator]*function{}, byKey: map[string]*function{},
		consts: map[*core.Var]bool{}, values: map[*core.Var]*core.Const{}, named: map[*core.Var]bool{},
		volatiles: map[*core.Var]bool{}, pointees: map[source.Pos]bool{}, weakVars: map[*core.Var]bool{}, noreturns: map[*cc.Declarator]bool{},
		strings: map[*cc.PrimaryExpression]*core.Var{}, understood: map[*cc.AttributeValue]bool{},
	}
}

// sharing knows what may change without a statement that says so.
type sharing struct {
	*program

	touchable    map[*core.Var]bool // what threads, handlers or assembly may change
	keeping      map[*core.Var]bool // what keeps what is written to it, see volatilekept.go
	kept         map[*core.Var]bool // those of them that are volatile
	concurrent   bool               // the program starts threads, see threads.go
	interrupted  bool               // it installs handlers, see signals.go
	fileAssembly []*fileAssembly
}

// newSharing makes the layer above p.
func newSharing(p *program) *sharing {
	return &sharing{program: p, touchable: map[*core.Var]bool{}}
}
