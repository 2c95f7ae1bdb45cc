package core

import (
	"math/big"

	"c2bp/ieee"
	"c2bp/source"
)

// This file defines expressions and variables.

// Expr is a pure expression: evaluating it changes nothing. Comparisons and
// logical operators have type Int32 and value 0 or 1, as in C.
type Expr interface {
	Type() Type
	isExpr()
}

// Loc is an expression that denotes a storage location; as an expression it is
// the value stored there. A location is a variable or a place in memory.
type Loc interface {
	Expr
	isLoc()
}

// Const is an integer constant; Val is a value of Typ.
type Const struct {
	Val *big.Int
	Typ Int
}

// VarRef is a variable: as an expression its value, as a location its storage.
type VarRef struct {
	Var *Var
}

// Unary is -X, ~X (type of X), !X or the number of ones in X (Int32). The operand of ! may be
// a pointer.
type Unary struct {
	Op UnaryOp
	X  Expr
}

// Binary applies Op to operands of one common integer type; the operands of a
// shift may differ, and the type is that of X. Comparisons also compare pointers,
// as numbers. && and || take any integer types
// and evaluate both operands; they occur only in predicates and in conditions
// whose operands are defined for all values (case ranges).
type Binary struct {
	Op   BinaryOp
	X, Y Expr
}

// Conv converts X to To, both integer types.
type Conv struct {
	X  Expr
	To Int
}

// Float applies Op to operands of one floating-point type, the type of the result (Typ), or
// compares them (Int32). ieee.FromInt makes a number of an integer of any type, ieee.Resize
// of one of another floating-point type, and ieee.ToInt an integer of Typ: undefined where
// the whole part of the operand is no value of Typ.
type Float struct {
	Op   ieee.Op
	Args []Expr
	Typ  Int
}

// Mem is the place in memory at an address: *p, p->f, a[i], s.f. Its type says how the bytes there
// are read and written, little end first.
//
// Bit is not 0 only for bit-fields (Typ an Int of any number of bits): the field starts Bit bits,
// of the little-endian numbering, after the first bit of the byte at Addr.
type Mem struct {
	Addr Expr // of type Ptr
	Typ  Type // Int or Ptr to be read; Opaque only in Havoc; Agg only in Call.Lhs
	Bit  int
	// Packed is set if the address need not be a multiple of the size: the place is a
	// member of a packed struct.
	Packed bool
	Of     *Record // of an Agg: the struct or union that it is; nil if that is not known
	Chars  bool    // of an Agg: it is an array of characters
	To     *Record // of a Ptr that is read or initialised: the struct or union that it is declared to point to, if any
	// Of a Ptr: it is declared to point to characters.
	ToChars bool
	Tag     string // of a Ptr: the tag of the struct or union that it is declared to point to, if any: struct bus
	// PartOf is set of a byte that the program reads or writes as a part of a number, as its casts show: the size of the
	// number. It is 8 for *((char *)words + i), if words is declared to lead to numbers of 8 bytes.
	PartOf int64
}

// At returns m at another address.
func (m *Mem) At(addr Expr) *Mem {
	n := *m
	n.Addr = addr
	return &n
}

// AddrOf is &Var: the address of the variable, of this activation's if it is local.
type AddrOf struct {
	Var *Var // AddrTaken, or of a type that only lives in memory (Agg, Opaque)
	Typ Ptr
}

// FuncAddr is the address of a procedure.
type FuncAddr struct {
	Proc *Proc
	Typ  Ptr
}

// Offset is the pointer X plus Off bytes, in the same object: &X->Field.
type Offset struct {
	X     Expr // of type Ptr
	Off   int64
	Field string // name of the member for people; "" if there is none
	// Of is the struct or union that the member belongs to, and Member the offset of the member in
	// it; Of is nil if that is not known.
	Of     *Record
	Member int64
}

// Index is the pointer X plus I elements of Size bytes, in the same object: &X[I]. I is of any
// integer type and its value counts, exactly.
//
// A Count above 0 says that X is the first of that many elements of an array, a member of a struct
// perhaps, and that any I but 0 <= I < Count is undefined: a[i] where a is declared with Count
// elements. If Count is [OpenEnd], a may continue after the elements that it is declared with: only
// a negative I is undefined. 0 says nothing: p + i.
//
// A Row above 0 says less: X is the first of that many elements of an array, and the sum leads to one of
// them or just after the last if it is followed at all, &a[i]. Any I is defined, and Count is 0.
type Index struct {
	X, I  Expr
	Size  int64
	Count int64
	Row   int64
}

// OpenEnd is the number of elements of an array without an end: more than any object has.
const OpenEnd = 1 << 31

// Diff is the pointer X minus the pointer Y in elements of Size bytes, truncated.
type Diff struct {
	X, Y Expr
	Size int64
	Typ  Int // ptrdiff_t
}

// ToPtr makes an address of an integer: its value modulo the width of addresses.
// ToPtr of the constant 0 is the null pointer.
type ToPtr struct {
	X   Expr // of an integer type
	Typ Ptr
}

// ToInt is the address X as a number converted to To, an integer type.
type ToInt struct {
	X  Expr // of type Ptr
	To Int
}

// Cond is C ? X : Y; it occurs only in predicates. X and Y have one type.
type Cond struct {
	C, X, Y Expr
}

func (*Const) isExpr()    {}
func (*VarRef) isExpr()   {}
func (*Unary) isExpr()    {}
func (*Binary) isExpr()   {}
func (*Conv) isExpr()     {}
func (*Float) isExpr()    {}
func (*Cond) isExpr()     {}
func (*Mem) isExpr()      {}
func (*AddrOf) isExpr()   {}
func (*FuncAddr) isExpr() {}
func (*Offset) isExpr()   {}
func (*Index) isExpr()    {}
func (*Diff) isExpr()     {}
func (*ToPtr) isExpr()    {}
func (*ToInt) isExpr()    {}
func (*VarRef) isLoc()    {}
func (*Mem) isLoc()       {}

// Type returns the type of the value.
func (e *Const) Type() Type  { return e.Typ }
func (e *VarRef) Type() Type { return e.Var.Type }

// IsNull reports whether e is a null pointer constant: a number that is 0 as an address, made a
// pointer.
func IsNull(e Expr) bool {
	p, ok := e.(*ToPtr)
	if !ok {
		return false
	}
	c, ok := p.X.(*Const)
	return ok && p.Typ.Word().Convert(c.Val).Sign() == 0
}

func (e *Conv) Type() Type  { return e.To }
func (e *Float) Type() Type { return e.Typ }
func (e *Cond) Type() Type  { return e.X.Type() }

// Type returns the type of the value.
func (e *Mem) Type() Type      { return e.Typ }
func (e *AddrOf) Type() Type   { return e.Typ }
func (e *FuncAddr) Type() Type { return e.Typ }
func (e *Offset) Type() Type   { return e.X.Type() }
func (e *Index) Type() Type    { return e.X.Type() }
func (e *Diff) Type() Type     { return e.Typ }
func (e *ToPtr) Type() Type    { return e.Typ }
func (e *ToInt) Type() Type    { return e.To }

// Type returns the type of the value.
func (e *Unary) Type() Type {
	if e.Op == Not || e.Op == Ones {
		return Int32
	}
	return e.X.Type()
}
func (e *Binary) Type() Type {
	if e.Op.IsComparison() || e.Op.IsLogical() {
		return Int32
	}
	return e.X.Type()
}

// UnaryOp is an operator with one operand.
type UnaryOp int

const (
	Neg    UnaryOp = iota // -x; undefined where the result is out of range and signed
	BitNot                // ~x
	Not                   // !x
	Ones                  // the number of ones in x, that of the sign included: gcc's __builtin_popcount
)

// String returns the operator in C.
func (op UnaryOp) String() string { return [...]string{"-", "~", "!", "__builtin_popcount"}[op] }

// BinaryOp is an operator with two operands.
type BinaryOp int

const (
	Add BinaryOp = iota // signed overflow of + - * is undefined, unsigned wraps
	Sub
	Mul
	Div // truncates; undefined for 0 and for MIN / -1
	Rem
	Shl // undefined unless 0 <= Y < bits of X; signed: also unless the result fits and X >= 0
	Shr // of a negative X: arithmetic
	And
	Or
	Xor
	Eq
	Ne
	Lt
	Le
	Gt
	Ge
	LAnd
	LOr
)

// String returns the operator in C.
func (op BinaryOp) String() string {
	return [...]string{"+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^",
		"==", "!=", "<", "<=", ">", ">=", "&&", "||"}[op]
}

// IsComparison reports whether op is one of == != < <= > >=.
func (op BinaryOp) IsComparison() bool { return op >= Eq && op <= Ge }

// IsLogical reports whether op is && or ||.
func (op BinaryOp) IsLogical() bool { return op >= LAnd }

// IsShift reports whether op is << or >>.
func (op BinaryOp) IsShift() bool { return op == Shl || op == Shr }

// VarKind is the storage of a variable.
type VarKind int

const (
	Global VarKind = iota // file scope or static local
	Formal
	Local // automatic variable, or the fresh variable \result
	Temp  // made by the front end; predicates cannot name it
	Ghost // symbolic constant 'x: set once on entry, read only by predicates; or ResolvedPredicate.This
)

// String returns the word by which texts of programs declare such variables.
func (k VarKind) String() string {
	return [...]string{"global", "formal", "local", "temp", "ghost"}[k]
}

// Var is a variable. Two variables are the same iff their pointers are.
type Var struct {
	Name      string // distinct from every other name visible in its procedure: x, x@12, f::x, 'x, \result
	Type      Type
	Kind      VarKind
	Proc      *Proc      // nil for Global, and for ResolvedPredicate.This
	Pos       source.Pos // declaration
	AddrTaken bool       // pointers may point to it or into it
	Foreign   bool       // a global that the program declares and does not define: others change it
	Kept      bool       // a Foreign one that functions without a body do not change all the same
	Literal   bool       // a string literal: to change it is undefined, and it holds no address
	Volatile  bool       // never read: the front end makes each read a havoc
	Logical   bool       // a Temp that only ever holds 0 or 1 (value of &&, ||, !)
	Rule      bool       // a variable of a rule: the program itself does not know it
	Const     bool       // declared const: only its initialiser sets it
	Living    bool       // a pointer to the start of an object of the program, which is set to another one before that is freed
	// Merged constants, string literals and compound literals of constants, may be at the
	// same place as others with the same contents, or with these at their end. Text is the
	// contents, nil if they are not known.
	Merged bool
	Text   []byte
	// Block is the block in whose execution the variable lives, as the path of blocks around
	// it: /1/4/. It is empty if it lives as long as its activation, or longer. Variables of
	// blocks that are never executed together may be at the same place.
	Block string
	// Incomplete says that the variable is declared with a struct or union of which the file has no definition, or an array
	// of such ones.
	Incomplete bool
	// Declared is the type that C declares for the variable, as that of a member of the same size
	// at the first byte. It is nil if that is not known.
	Declared *Member
	To       *Record // the declared target of a pointer, if a struct or union; else nil
	ToChars  bool    // a pointer that is declared to lead to characters
	Align    int64   // the address is a multiple of this power of two; 0 says nothing
	Init     Expr    // Ghost with a Proc only: the expression whose value on entry it holds
}

// InMemory reports whether v lives in memory: it has an address, and stores through pointers may
// change it. Any other variable is changed by its name only.
func (v *Var) InMemory() bool {
	switch v.Type.(type) {
	case Agg, Opaque:
		return true
	}
	return v.AddrTaken
}

// Ref returns an expression of v.
func (v *Var) Ref() *VarRef { return &VarRef{Var: v} }

// Null returns the null pointer.
func Null(t Ptr) Expr { return &ToPtr{X: NewConst(0, t.Word()), Typ: t} }

// NewConst returns a constant of type t; v must be in its range.
func NewConst(v int64, t Int) *Const { return &Const{Val: big.NewInt(v), Typ: t} }

// ConstantOf returns the value of e if e is a constant of 64 bits at most.
func ConstantOf(e Expr) (int64, bool) {
	c, ok := e.(*Const)
	if !ok || !c.Val.IsInt64() {
		return 0, false
	}
	return c.Val.Int64(), true
}

// Negate returns the negation of e as a condition: !e, or e without its !, or the opposite
// comparison. The latter is exact, since comparisons of floating-point numbers, where !(x < y) is
// not x >= y, are Float nodes and get a !.
func Negate(e Expr) Expr {
	switch e := e.(type) {
	case *Unary:
		if e.Op == Not {
			return e.X
		}
	case *Binary:
		if e.Op.IsComparison() {
			opposite := [...]BinaryOp{Ne, Eq, Ge, Gt, Le, Lt}
			return &Binary{Op: opposite[e.Op-Eq], X: e.X, Y: e.Y}
		}
	}
	return &Unary{Op: Not, X: e}
}
