package core

import (
	"fmt"
	"math/big"
)

// This file defines types.

// Type is the type of an expression or variable: Int, Ptr, Agg, Opaque or Void.
// Types are comparable with ==.
type Type interface {
	String() string
	isType()
}

// Int is a C integer type, named by its properties: int and long are two types
// only where their sizes differ. Bool is C's _Bool: Bits 8, not Signed, holding
// 0 or 1; converting to it tests against zero.
//
// Float is C's float (32 bits) and double (64): a value is the number whose bits are those
// of the floating-point number, and is stored, copied and compared with == as such. Only
// [Float] computes with it. A [Conv] from or to an integer type of the same width leaves the
// bits as they are, and so do a union and memcpy.
type Int struct {
	Bits   int // 8, 16, 32, 64; fewer for bit-fields
	Signed bool
	Bool   bool
	Float  bool
}

// Ptr is the type of every pointer: an address, a number of Bits bits of which 0
// is null. What a pointer points to is no part of the type; each access says what
// it reads or writes there.
type Ptr struct {
	Bits int // 32 or 64
}

// Agg is the type of a struct, union or array: Size bytes of storage that are
// read and written piece by piece, through Mem locations. Size is 0 where it is
// not known. Name is the C spelling.
type Agg struct {
	Name string
	Size int64
}

// Opaque is any type whose values the core language does not represent, such as
// long double and vectors: it can be made arbitrary, but not read. Name is its C spelling;
// Size counts bytes, 0 where it is not known.
type Opaque struct {
	Name string
	Size int64
}

// Void is the result type of a procedure that returns nothing.
type Void struct{}

func (Int) isType()    {}
func (Ptr) isType()    {}
func (Agg) isType()    {}
func (Opaque) isType() {}
func (Void) isType()   {}

// Predefined integer types, by size.
var (
	Int8   = Int{Bits: 8, Signed: true}
	Int16  = Int{Bits: 16, Signed: true}
	Int32  = Int{Bits: 32, Signed: true}
	Int64  = Int{Bits: 64, Signed: true}
	Uint8  = Int{Bits: 8}
	Uint16 = Int{Bits: 16}
	Uint32 = Int{Bits: 32}
	Uint64 = Int{Bits: 64}
	Bool   = Int{Bits: 8, Bool: true}
)

// The floating-point types.
var (
	Float32 = Int{Bits: 32, Float: true}
	Float64 = Int{Bits: 64, Float: true}
)

// String returns the type as texts of programs have it: bool, double, int32, uint8.
func (t Int) String() string {
	switch {
	case t.Bool:
		return "bool"
	case t == Float32:
		return "float"
	case t == Float64:
		return "double"
	case t.Signed:
		return fmt.Sprintf("int%d", t.Bits)
	}
	return fmt.Sprintf("uint%d", t.Bits)
}

func (t Ptr) String() string    { return "ptr" }
func (t Agg) String() string    { return fmt.Sprintf("agg{%s, %d}", t.Name, t.Size) }
func (t Opaque) String() string { return "opaque{" + t.Name + "}" }
func (Void) String() string     { return "void" }

// Word returns the unsigned integer type whose values are the values of t: addresses.
func (t Ptr) Word() Int { return Int{Bits: t.Bits} }

// Word returns the integer type that holds exactly the values of t, which is an Int or a
// Ptr; ok is false for any other type.
func Word(t Type) (w Int, ok bool) {
	switch t := t.(type) {
	case Int:
		return t, true
	case Ptr:
		return t.Word(), true
	}
	return Int{}, false
}

// Bytes returns the size of a value of type t in memory, 0 where it is not known. A
// bit-field counts the bytes it needs.
func Bytes(t Type) int64 {
	switch t := t.(type) {
	case Int:
		return int64(t.Bits+7) / 8
	case Ptr:
		return int64(t.Bits) / 8
	case Agg:
		return t.Size
	case Opaque:
		return t.Size
	}
	return 0
}

// Min returns the least value of t.
func (t Int) Min() *big.Int {
	if !t.Signed {
		return new(big.Int)
	}
	return new(big.Int).Neg(new(big.Int).Lsh(big.NewInt(1), uint(t.Bits-1)))
}

// Max returns the greatest value of t.
func (t Int) Max() *big.Int {
	if t.Bool {
		return big.NewInt(1)
	}
	bits := uint(t.Bits)
	if t.Signed {
		bits--
	}
	m := new(big.Int).Lsh(big.NewInt(1), bits)
	return m.Sub(m, big.NewInt(1))
}

// Contains reports whether v is a value of t.
func (t Int) Contains(v *big.Int) bool {
	return v.Cmp(t.Min()) >= 0 && v.Cmp(t.Max()) <= 0
}

// Holds reports whether every value of u is a value of t, so that a conversion from u to t keeps
// the value.
func (t Int) Holds(u Int) bool {
	if t.Float || u.Float { // numbers of another type have other bits
		return t == u
	}
	return t.Contains(u.Min()) && t.Contains(u.Max())
}

// Convert returns the value of v converted to t (C23 6.3.1.2, 6.3.1.3; out of range for a signed
// type: modulo, as gcc defines it). v is not changed, and may be the result.
func (t Int) Convert(v *big.Int) *big.Int {
	if t.Bool {
		return big.NewInt(int64(v.CmpAbs(new(big.Int))))
	}
	if t.Contains(v) {
		return v
	}
	// Reduce modulo 2^Bits to [0, 2^Bits); the upper half is negative for a signed type.
	size := new(big.Int).Lsh(big.NewInt(1), uint(t.Bits))
	r := new(big.Int).Mod(v, size) // Euclidean: 0 <= r
	if r.Cmp(t.Max()) > 0 {
		r.Sub(r, size)
	}
	return r
}
