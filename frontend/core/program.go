package core

import (
	"fmt"
	"slices"
	"strings"

	"c2bp/source"
)

// This file defines programs, procedures, nodes and statements.

// Program is a whole linked program.
type Program struct {
	Globals     []*Var
	Procs       []*Proc // in source order, callees without a body included
	Entry       *Proc   // where execution starts; its nodes begin with the initialisers
	Ledger      []string
	Extern      Extern      // effects of procedures without a body
	Environment Environment // targets of pointers from outside
	// Declared says that no pointer from outside leads to an object of the program that is declared as a struct, if that holds
	// no object of the type which the pointer is followed as, whatever else the program uses it as. Executions may be
	// missed then: it is for audits that look for failing runs, and prove nothing.
	Declared  bool
	Callbacks Callbacks // calls by procedures without a body
	Unreused  bool      // no object is made where one was that others have freed and pointers still lead to
	// NumbersApart says that functions without a body take no number from outside for an address that they are given as a
	// number, unless the program takes it for one itself.
	NumbersApart bool
	CharsApart   bool                    // characters to which pointers from outside lead are in no number and no pointer
	ScalarsApart bool                    // pointers from outside to scalars lead into no struct. Proves nothing: it is to find failing runs
	ArraysApart  bool                    // a copy or fill of unknown length that begins in an array of a structure ends in it
	NumbersWrap  bool                    // signed numbers wrap around: sums, differences, products and left shifts out of their range are defined
	Strays       bool                    // pointers may leave their objects, and come back, as long as nothing is accessed by them meanwhile
	CallsBack    bool                    // nodes show the callbacks that memory leads to (package alias, Resolve)
	PtrBits      int                     // width of pointers, 32 or 64; 0 means 64, see Pointer
	Files        map[string]*source.File // texts by name, for quoting

	// Elsewhere lists the functions that state properties and are not part of the program, since
	// nothing reaches them.
	Elsewhere Elsewhere
}

// Elsewhere lists functions that are not part of a program.
type Elsewhere struct {
	Uncalled Uncalled

	// The ones that state properties.
	Procs     []string            // of the files named on the command line
	Labelled  map[string][]string // others of these, by labels that they have
	InHeaders int                 // so many more in headers
}

// Uncalled lists functions that nothing calls.
type Uncalled struct {
	Procs     []string // of the files named on the command line
	InHeaders int      // number of further ones, in headers
}

// WithLabels returns e with the functions that have one of these labels, each once. e stays as it
// is.
func (e Elsewhere) WithLabels(labels []string) Elsewhere {
	e.Procs = slices.Clone(e.Procs)
	for _, l := range labels {
		for _, p := range e.Labelled[l] {
			if !slices.Contains(e.Procs, p) {
				e.Procs = append(e.Procs, p)
			}
		}
	}
	return e
}

// String names the functions: "set, remove and 2 functions of headers"; "" if there are none.
func (e Elsewhere) String() string {
	list := slices.Clone(e.Procs)
	switch {
	case e.InHeaders == 1:
		list = append(list, "a function of a header")
	case e.InHeaders > 1:
		list = append(list, fmt.Sprintf("%d functions of headers", e.InHeaders))
	}
	if n := len(list); n > 1 {
		return strings.Join(list[:n-1], ", ") + " and " + list[n-1]
	}
	return strings.Join(list, "")
}

// Called returns the procedures that a chain of calls from the entry reaches. Calls through pointers count once they are
// resolved (package alias).
func (p *Program) Called() map[*Proc]bool {
	called := map[*Proc]bool{}
	var call func(*Proc)
	call = func(q *Proc) {
		if called[q] {
			return
		}
		called[q] = true
		for _, n := range q.Nodes {
			if c, ok := n.Stmt.(*Call); ok && c.Callee != nil {
				call(c.Callee)
			}
		}
	}
	call(p.Entry)
	return called
}

// Uncalled returns the functions that no chain of calls from the entry reaches, including those
// that are not part of p.
func (p *Program) Uncalled() Uncalled {
	// 1. Find the procedures that the entry reaches.
	called := p.Called()
	// 2. List the others by their place of definition.
	u := Uncalled{InHeaders: p.Elsewhere.Uncalled.InHeaders}
	for _, q := range p.Procs {
		switch {
		case called[q] || !q.HasBody() || q.Home == HomeNone:
		case q.Home == HomeOwn:
			u.Procs = append(u.Procs, q.Name)
		default:
			u.InHeaders++
		}
	}
	u.Procs = append(u.Procs, p.Elsewhere.Uncalled.Procs...)
	return u
}

// Home is the place where a procedure is defined.
type Home int

const (
	HomeNone   Home = iota // nowhere, or in a model: it was added to the program
	HomeOwn                // in a file named on the command line
	HomeHeader             // in what such a file includes
)

// Extern is the assumption about procedures without a body. Their results are arbitrary in any
// case.
type Extern int

const (
	// ExternArgs: a call may change, to anything, all memory that its arguments
	// reach, through any number of pointers; and nothing else.
	ExternArgs Extern = iota
	// ExternPure: a call changes nothing.
	ExternPure
	// ExternAll: a call may change every global variable, every variable whose
	// address is taken and all memory.
	ExternAll
)

// String returns the value of the option that means x.
func (x Extern) String() string { return [...]string{"args", "pure", "all"}[x] }

// Environment is the assumption about pointers that the program did not make.
type Environment int

const (
	// EnvironmentAny: a pointer from outside may lead anywhere in what is outside, whatever it
	// is followed as.
	EnvironmentAny Environment = iota
	// EnvironmentTyped: it leads to a place of the type that it is followed as, and objects
	// overlap only as their types nest.
	EnvironmentTyped
)

// String returns the value of the option that means x.
func (x Environment) String() string { return [...]string{"any", "typed"}[x] }

// Callbacks is the assumption about the calls that procedures without a body make.
type Callbacks int

const (
	// CallbacksNow: they may call, before they return, the procedures that they are given.
	CallbacksNow Callbacks = iota
	// CallbacksLater: they call none. That a program calls those itself, in any order, is up to
	// who writes its entry.
	CallbacksLater
)

// Proc is a procedure. Without a body (an external function) Nodes is empty.
type Proc struct {
	Name    string // distinct among the procedures; the entry is always "main"
	CName   string // as the C source calls it
	Pos     source.Pos
	Home    Home
	Formals []*Var
	Locals  []*Var // locals and temporaries
	Result  *Var   // the variable r that Return returns; nil for void and for externals
	RetType Type
	RetTo   *Record // the declared target of the result, if a struct or union; else nil
	// Pointees are the declared targets of the result and of each parameter; nil where C declares
	// no parameters.
	Pointees []Pointee
	// Quiet is set for functions of the C library: they call nothing of the program but their
	// arguments.
	Quiet bool
	// Computes is set for functions of the C library whose results and effects the library computes from the arguments
	// and from memory: where they are arbitrary, that is for want of a model.
	Computes bool
	// Limited, of a procedure without a body, says that a call changes at most the structs Changes that its arguments
	// lead to, and characters if ChangesChars is set, where calls change what their arguments reach (ExternArgs).
	Limited      bool
	Changes      []*Record
	ChangesChars bool
	// ReadOnly, of a procedure without a body, says of each parameter whether a call changes nothing through it, under
	// ExternArgs: it leads to constants. It is nil if none does.
	ReadOnly []bool
	// Fixed is set if C declares the number of arguments of the procedure.
	Fixed bool
	// Recast is set if the program converts pointers to procedures of this type to other types.
	Recast bool
	// Variadic, of a procedure with a body, is the local variable (an Agg of unknown size) that
	// holds the arguments after the formals: argument i at byte 8*i. Package alias makes a formal
	// of it that points to them (Resolve).
	Variadic *Var
	// Assembly marks the procedure without a body that stands for the changes that assembly makes
	// in memory. Whatever Extern says, a call of it may change the memory that its arguments lead
	// to, and all whose address is known outside of the program.
	Assembly bool
	Nodes    []*Node
}

// Pointer returns the type of p's pointers. It is the one place that defines their width.
func (p *Program) Pointer() Ptr {
	if p.PtrBits == 0 {
		return Ptr{Bits: 64}
	}
	return Ptr{Bits: p.PtrBits}
}

// IsTest reports whether node i chooses a way by conditions only: a branch to assumptions.
func (p *Proc) IsTest(i int) bool {
	if _, ok := p.Nodes[i].Stmt.(*Branch); !ok {
		return false
	}
	return !slices.ContainsFunc(p.Nodes[i].Succ, func(s int) bool {
		_, ok := p.Nodes[s].Stmt.(*Assume)
		return !ok
	})
}

// HasBody reports whether p is defined in the program.
func (p *Proc) HasBody() bool { return len(p.Nodes) > 0 }

// Exit returns the index of the return node. The procedure must have a body.
func (p *Proc) Exit() int { return len(p.Nodes) - 1 }

// NodeID returns the stable name "proc:17" of node i.
func (p *Proc) NodeID(i int) string { return fmt.Sprintf("%s:%d", p.Name, i) }

// Proc returns the procedure of that name, or nil.
func (p *Program) Proc(name string) *Proc {
	for _, q := range p.Procs {
		if q.Name == name {
			return q
		}
	}
	return nil
}

// Node is a control-flow node: one statement and its successors.
type Node struct {
	Stmt   Stmt
	Succ   []int      // indices into Proc.Nodes; empty for Return
	Pos    source.Pos // of the C statement
	Text   string     // one line of C that this node comes from; "" if it has none
	Labels []string   // C labels in front of it
	Origin Origin
	// First is set on the first node of each C statement: a step of the C program
	// runs from one First node to the next.
	First bool
	// Input is the function without a body whose result this node chooses: a Havoc or Fill stores
	// it, a Branch goes to its first successor if it is not 0, and after a Skip nobody uses it. For
	// the Branch of asm goto it is the procedure for assembly. It is nil for all other nodes, calls
	// among them. A run can be repeated in C by a function that returns the values that these nodes
	// chose.
	Input *Proc
	// Caller is the procedure without a body that calls back a function that it is given, for the
	// nodes of its choices: of the way at a Branch, of an argument at a Havoc; and for the Call
	// that stands for its other effects before. It is nil for all other nodes.
	Caller *Proc
	// Free is set where a way is taken that no condition decides, if it can be taken for certain:
	// on the first node of this way or, for all of them, on the Branch. An allocator finds memory
	// or not.
	Free bool
	// Ends is set on the Assume at which the C program ends, by exit or abort, rather than that there is no run
	// through it.
	Ends bool
	// Decides is set if package alias has put this node in the place of an Assume: the assumption
	// follows it.
	Decides bool
	// Block is the block in which the node stands, as the path of blocks around it, see Var.Block; "" if that is
	// not known.
	Block string
	// Model is the call of a library function that this node is a part of, nil outside
	// of models.
	Model *ModelCall
	// Initial is set on the first nodes of the entry, which make the state in which the C program starts: they
	// initialise globals and the arguments of main.
	Initial bool
}

// ModelCall is a call of a library function in whose place the body of a model stands.
// Its nodes follow one another; the call ends with the next node that is not one of them.
type ModelCall struct {
	Func   *Proc  // the C function
	Args   []Expr // their values before the first node; nil for those that are not used
	Result Loc    // what holds the result after the last node; nil if nobody uses it
	// Computed is the name of the library function whose result the nodes leave open, and that a run computes: see
	// IsComputed. It is "" if there is none.
	Computed string
}

// IsComputed reports whether runs compute the results of the library function called name, which its model leaves open: those that
// are defined by the memory to which its arguments lead.
func IsComputed(name string) bool {
	switch Unprefixed(name) {
	case "strlen", "strnlen", "strspn", "strcspn", "strcmp", "strncmp", "memcmp":
		return true
	case "memchr", "strchr", "strrchr", "strstr", "strpbrk": // whether they find something, and where
		return true
	}
	return false
}

// Unprefixed returns the name of a library function that a function of the compiler is another name of: strlen for
// __builtin_strlen.
func Unprefixed(name string) string { return strings.TrimPrefix(name, "__builtin_") }

// Origin is the role of a node in the C program, for traces.
type Origin int

const (
	Plain       Origin = iota
	BranchTrue         // assume on the branch taken when the condition holds
	BranchFalse        // assume on the other branch
	Assumed            // assume that the program states: where it does not hold there is no run, and no end of one
)

// String returns the name of o in traces.
func (o Origin) String() string { return [...]string{"", "branch-true", "branch-false", "assume"}[o] }

// Stmt is the statement of a node. See the table in the package comment.
type Stmt interface{ isStmt() }

// Skip does nothing.
type Skip struct{}

// Branch continues at any successor; those are usually Assume nodes.
type Branch struct{}

// Assume ends the execution silently unless Cond is not zero.
type Assume struct{ Cond Expr }

// Assert is a property: the execution fails, and ends, unless Cond is not zero.
type Assert struct {
	Cond  Expr
	Check *Check // of a check that the program does not state itself; else nil
}

// Check says of an Assert which operation of C it checks. Nothing depends on it but messages.
type Check struct {
	Name string     // of the property: "division by zero"
	Pos  source.Pos // of the operation
	Text string     // of the operation in C, one line: x / y
}

// Assign is a parallel assignment: all right sides and all addresses on the left
// are evaluated, then the values are stored, in order.
type Assign struct {
	Lhs []Loc
	Rhs []Expr // same types as Lhs
}

// Copy copies Size bytes from Src to Dst as if through a buffer: a struct
// assignment, memcpy, memmove.
type Copy struct {
	Dst, Src Expr // of type Ptr
	Size     Expr // bytes, of an integer type
	// Parts lists the known scalars in the copied bytes, in order of Off; they do not overlap. It
	// is a hint: the statement copies bytes.
	Parts []Part
	Of    *Record // the struct or union that is copied as a whole; nil if that is not known
	Chars bool    // the bytes are characters, as the types of the pointers say
}

// Part is Count scalars of type Typ, Bytes(Typ) apart, from byte Off of a copied
// object. Bit is as in Mem.
type Part struct {
	Off   int64
	Typ   Type // Int or Ptr
	Bit   int
	Count int64 // at least 1
}

// Fill sets Size bytes from Dst on to Byte, or makes them arbitrary.
type Fill struct {
	Dst, Size Expr // of type Ptr and of an integer type
	Byte      Expr // of type Uint8, or nil: arbitrary
	Chars     bool // the bytes are characters of a string, as the type of the pointer says
	Why       string
}

// Data stores constant bytes: the contents of a string or table.
type Data struct {
	Dst   Expr // of type Ptr
	Bytes []byte
}

// Alloc makes a new object of Size bytes with arbitrary contents and assigns its address, which is
// not null, to Lhs. Each Alloc is an allocation site. With Stack the object ends with the
// activation of the procedure (alloca, arrays of variable length). With Moved it may begin where an
// object lies whose life the following statements end, as the result of realloc may.
type Alloc struct {
	Lhs   Loc
	Size  Expr // of an integer type
	Stack bool
	Moved bool
	Unset Ranges // bytes of the object that are read although nothing sets them, as of a Havoc (package unset)
}

// Free ends the life of the object at Ptr, unless that is null.
type Free struct{ Ptr Expr }

// Values of Why: for outputs of assembly whose instructions are not followed, for those that come
// from outside of the program, for values that models read from there, and for those that rules choose.
const (
	AssemblyOutput = "assembly"
	AssemblyInput  = "assembly that reads from outside"
	LibraryInput   = "what a library function reads from outside"
	CallbackInput  = "an argument of what is called back"
	RuleInput      = "a choice of a rule"
	RuleOutside    = RuleInput + " outside of the program" // of an object that is in none of the program
)

// NotNoted is the name of a function, and so the Why of its values, that a harness calls where it has lost count: what is
// found may be anything then.
const NotNoted = "__c2bp_nondet_other"

// Havoc gives arbitrary values of their types to the locations and, with Region, to every variable
// whose address is taken, globals and those of all live frames alike, and to all memory that Alloc
// made.
//
// With Begin the locations, whole variables, begin to live: nobody has set them. To follow a
// pointer in them is undefined, so it points nowhere. Unset is the exception: the bytes of each
// that are read although nothing sets them (package unset); they come from outside, and so do
// pointers there. nil means none, for all locations.
//
// From lists the values that the values of the locations may be made of: addresses in them may be
// in the locations. Without locations it lists the values that went into one that the language does
// not represent, such as a floating-point number: any value that is arbitrary from then on may have
// been made of it. It is for package alias; executions do not depend on it.
//
// Reads is a volatile place in memory whose value is read into the one location, of its type: the
// stored value, unless somebody else has changed it. With Steady nobody in the program does, no
// thread or handler of a signal, so that a place that is not known outside holds the stored value;
// package alias replaces the Havoc there (Resolve).
type Havoc struct {
	Locs   []Loc
	Region bool
	Begin  bool
	Unset  []Ranges // of each of Locs
	From   []Source
	Reads  Loc
	Steady bool
	Why    string // diagnostic text: "assembly"
}

// Source is a value that went into one that is not represented: Value, an integer or pointer, or
// the Size bytes at address At, of type Ptr; a Size of nil is any number of bytes. The other one of
// Value and At is nil. With Outside it is known outside of the program from then on: it was
// printed, written to a file, compared by a library function.
type Source struct {
	Value, At, Size Expr
	Outside         bool
}

// Call calls Callee or, if that is nil, the procedure whose address is Target. The
// value that it returns, converted by ResultConv, is stored in Lhs, whose address
// was taken before the call; both may be nil. A callee without a body returns an
// arbitrary value and changes what [Program.Extern] says.
//
// An argument for a formal of type Agg is the address of the object that is copied
// into the formal. An argument for a formal of type Opaque is nil. If the result is
// an Agg, Lhs is a Mem of that type.
type Call struct {
	Lhs        Loc // nil if the result is not used
	ResultConv *Int
	Callee     *Proc
	Target     Expr      // of type Ptr; nil if Callee is not
	RetType    Type      // of the function type of Target; nil if Callee is not
	Args       []Expr    // types of the callee's formals; for Target of its function type
	Extra      []Expr    // the arguments after the formals of a variadic function
	Pointees   []Pointee // those of the function type of Target, as in Proc
	CalledBack []int     // positions in Args, then Extra, of functions that nodes before call back for the Callee
	By         *Proc     // the procedure without a body that calls back Target, which it was given
	// Through is the former Target, where package alias has found that it may lead to the Callee,
	// which is outside of the program. Nothing depends on it.
	Through Expr
	// Elsewhere says that a call of assembly stands in a header: it knows the members of the structs that
	// functions without a body know.
	Elsewhere bool
}

// Return leaves the procedure with the value of Proc.Result.
type Return struct{}

func (*Skip) isStmt()   {}
func (*Branch) isStmt() {}
func (*Assume) isStmt() {}
func (*Assert) isStmt() {}
func (*Assign) isStmt() {}
func (*Copy) isStmt()   {}
func (*Fill) isStmt()   {}
func (*Data) isStmt()   {}
func (*Alloc) isStmt()  {}
func (*Free) isStmt()   {}
func (*Havoc) isStmt()  {}
func (*Call) isStmt()   {}
func (*Return) isStmt() {}
