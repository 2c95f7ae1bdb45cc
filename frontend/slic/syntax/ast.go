package syntax

import "c2bp/source"

// This file defines the nodes of files of rules. The comment of each shows its printed form.

// File is a file of rules, as it is written.
type File struct {
	Source *source.File
	Decls  []Decl
}

// Decl is a declaration of a file: Include, Event, Use or Rule.
type Decl interface{ isDecl() }

// Include makes the declarations of another file known.
//
//	include "linux/locks.slic"
type Include struct {
	Pos  source.Pos
	Path string
}

// Event names the functions that headers make of one event.
//
//	event spin_lock(l) = raw_spin_lock, _raw_spin_lock(&l->rlock), lock_bus(&_->lock == l)
type Event struct {
	Name    Name
	Params  []Name
	Aliases []*Alias
}

// Alias is a function that means an event. Args are its arguments in terms of the parameters of the
// event, each once: a parameter, a member of what it points to, or a pointer to a struct of which it is a member
// (see Root and Part). Without Given they are the same parameters, in order. With Entry, it is each entry point of
// that type instead, and Func is the word entrypoint.
type Alias struct {
	Func  Name
	Args  []Expr
	Given bool
	Entry *Signature
}

// Signature is a type of functions, in terms of the program. If it is Optional, a rule about it is also decided
// for programs without an entry point of that type.
//
//	entrypoint NTSTATUS (DEVICE_OBJECT *, IRP *)
//	optional entrypoint NTSTATUS (DEVICE_OBJECT *, IRP *)
type Signature struct {
	Optional bool
	Result   Type
	Params   []Type // nil for (void)
}

// Use is a rule made of a parametrised one.
//
//	use Alternation(read_lock, read_unlock) as rwlock_read "readers"
type Use struct {
	Template Name
	Args     []Name
	As       Name
	Title    string // "": that of the template
}

// Rule is a rule, or a parametrised one if Formals is not nil.
//
//	rule spinlock "a spin lock is taken and released alternately"
//	rule Alternation(acquire, release) "acquired and released alternately"
type Rule struct {
	Name    Name
	Formals []Name // names of functions; nil if there is no list
	Title   string
	Items   []Item
}

// Name is a name with its place.
type Name struct {
	Text string
	Pos  source.Pos
}

// Item is a part of a rule: Severity, Applies, Object, State, On, At, Life or Event.
type Item interface{ isItem() }

// Severity says how bad a violation is: error, warning or note.
//
//	severity error
type Severity struct{ Level Name }

// Applies lists functions: the rule applies to programs that mention one of them.
//
//	applies if spin_lock, spin_unlock
type Applies struct{ Funcs []Name }

// Object says that the rule has an automaton for each object to which the parameter of that name
// points. Without Nullable, null and error pointers are no objects. With Outside, objects are memory that is
// not the program's, unless the program itself gives one of its own to a function of the rule.
//
//	object l : spinlock_t * nullable
//	object u : struct urb * outside
type Object struct {
	Name     Name
	Type     Type
	Nullable bool
	Outside  bool
}

// State declares ghost state. Without an initial value it is 0.
//
//	state { enum { free, held } s = free; int n; }
type State struct {
	Pos  source.Pos
	Vars []*Ghost
}

// Ghost is a variable of the state: of a type of C, or of an enumeration of its own.
type Ghost struct {
	Name  Name
	Type  Type   // if there are no constants
	Enum  []Name // constants: 0, 1, 2, …
	Init  Expr   // or nil
	Stars int    // between the type and the name
}

// On says what to do at events.
//
//	on r = spin_trylock(l).exit { if (r != 0) s = held; }
type On struct {
	Pos    source.Pos
	Events []*Point
	Body   *Block
}

// At says what to do at points of the life of the program or the object.
//
//	at end, entrypoint.exit { if (s == held) abort "held-at-end: still held"; }
type At struct {
	Pos    source.Pos
	Points []When
	Body   *Block
}

// When is a point of At.
type When struct {
	Pos   source.Pos
	Point Moment
}

// Moment is a point without a function.
type Moment int

const (
	AtEnd        Moment = iota // of the program
	AtEntrypoint               // at the exit of each function that is called from outside
	AtDeath                    // of the object
)

// String returns p as it is written.
func (p Moment) String() string { return [...]string{"end", "entrypoint.exit", "death"}[p] }

// Life says that an object begins or ends at an event.
//
//	birth on r = usb_alloc_urb().exit if (r)
//	death on usb_free_urb(u).entry
type Life struct {
	Pos   source.Pos
	Death bool
	Event *Point
	If    Expr // or nil
}

// Point is the entry or the exit of a function, or a label. Names of parameters are by position, "_"
// is none; Result is the name of the result at an exit.
//
//	r = spin_trylock(l).exit
//	label retry
type Point struct {
	Pos    source.Pos
	Label  bool // Func is a label
	Func   Name
	Params []Name
	Result Name // without text if there is none
	Exit   bool
}

func (*Include) isDecl()  {}
func (*Event) isDecl()    {}
func (*Use) isDecl()      {}
func (*Rule) isDecl()     {}
func (*Severity) isItem() {}
func (*Applies) isItem()  {}
func (*Object) isItem()   {}
func (*State) isItem()    {}
func (*On) isItem()       {}
func (*At) isItem()       {}
func (*Life) isItem()     {}
func (*Event) isItem()    {}

// Stmt is a statement of a body: Block, If, Assign, Abort or Assume.
type Stmt interface{ isStmt() }

// Block is { … }.
type Block struct {
	Pos  source.Pos
	List []Stmt
}

// If is if (Cond) Then else Else; Else may be nil.
type If struct {
	Pos        source.Pos
	Cond       Expr
	Then, Else Stmt
}

// Assign is X Op Value, where Op is = or one of C's compound operators; x++ and x-- are x += 1 and
// x -= 1.
type Assign struct {
	To    Name
	Op    string
	Value Expr
}

// Abort says that the rule is violated: abort "key: text";
type Abort struct {
	Pos       source.Pos
	Key, Text string
}

// Assume says that only runs count in which Cond holds: assume Cond;
type Assume struct {
	Pos  source.Pos
	Cond Expr
}

func (*Block) isStmt()  {}
func (*If) isStmt()     {}
func (*Assign) isStmt() {}
func (*Abort) isStmt()  {}
func (*Assume) isStmt() {}

// Type is the name of a type in C's words: struct usb_device, unsigned long, spinlock_t; and the
// stars after it.
type Type struct {
	Pos   source.Pos
	Words []string
	Stars int
}

// Expr is an expression of C without side effects.
type Expr interface {
	isExpr()
	At() source.Pos
}

// Ident is a name: of a parameter, of ghost state, or of the program.
type Ident struct{ Name }

// Literal is a number, a character or a string, as it is written.
type Literal struct {
	Pos  source.Pos
	Text string
}

// Paren is (X). Parentheses are kept, see the comment of the package.
type Paren struct {
	Pos source.Pos
	X   Expr
}

// Unary is Op X.
type Unary struct {
	Pos source.Pos
	Op  string
	X   Expr
}

// Binary is X Op Y; Pos is that of the operator.
type Binary struct {
	Pos  source.Pos
	Op   string
	X, Y Expr
}

// Cond is C ? X : Y.
type Cond struct{ C, X, Y Expr }

// Member is X.Name or, with Arrow, X->Name.
type Member struct {
	X     Expr
	Arrow bool
	Name  Name
}

// Index is X[I].
type Index struct{ X, I Expr }

// Call is a macro with arguments, Func(Args); functions must not be called.
type Call struct {
	Func Name
	Args []Expr
}

// Cast is (To)X.
type Cast struct {
	To Type
	X  Expr
}

// Sizeof is sizeof(Of).
type Sizeof struct {
	Pos source.Pos
	Of  Type
}

// Choose is either of two values, whichever: choose(X, Y).
type Choose struct {
	Pos  source.Pos
	X, Y Expr
}

func (*Ident) isExpr()   {}
func (*Literal) isExpr() {}
func (*Paren) isExpr()   {}
func (*Unary) isExpr()   {}
func (*Binary) isExpr()  {}
func (*Cond) isExpr()    {}
func (*Member) isExpr()  {}
func (*Index) isExpr()   {}
func (*Call) isExpr()    {}
func (*Cast) isExpr()    {}
func (*Sizeof) isExpr()  {}
func (*Choose) isExpr()  {}

// At returns the place that an error about the expression names.
func (e *Ident) At() source.Pos   { return e.Pos }
func (e *Literal) At() source.Pos { return e.Pos }
func (e *Paren) At() source.Pos   { return e.Pos }
func (e *Unary) At() source.Pos   { return e.Pos }
func (e *Binary) At() source.Pos  { return e.X.At() }
func (e *Cond) At() source.Pos    { return e.C.At() }

// At returns the place that an error about the expression names.
func (e *Member) At() source.Pos { return e.X.At() }
func (e *Index) At() source.Pos  { return e.X.At() }
func (e *Call) At() source.Pos   { return e.Func.Pos }
func (e *Cast) At() source.Pos   { return e.To.Pos }
func (e *Sizeof) At() source.Pos { return e.Pos }
func (e *Choose) At() source.Pos { return e.Pos }
