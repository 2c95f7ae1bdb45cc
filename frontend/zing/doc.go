// Package zing is the front end of the Zing modelling language (Andrews, Qadeer, Rajamani, Rehof,
// Xie: Zing: Exploiting Program Structure for Model Checking Concurrent Software, CONCUR 2004): it
// reads models into syntax trees, checks names and types, and prints trees. It gives no meaning to a
// model: an interpreter or a lowering reads the checked tree.
//
// There are two phases, each a function, and Load does both:
//
//	Parse  []*source.File → *Program, or a source.List of syntax errors
//	Check  *Program → warnings; or a source.List of errors in names, types and statements
//
//	func Parse(files []*source.File) (*Program, error)
//	func Check(p *Program) (warnings source.List, err error)
//	func Load(files []*source.File) (p *Program, warnings source.List, err error)
//
// Check annotates the tree so that nobody after it looks up a name: the fields that it sets stand
// after the word "checked".
//
//	in the text                after Check
//	x                          Name.Symbol: a *Local, a *Param, or a *Field (of this, or static)
//	e.f                        Selector.Symbol: the *Field; Selector.X is the object or the struct
//	C.f, Colour.red            Selector.Symbol: a static *Field, an *EnumMember; X is not evaluated
//	f(…), C.f(…)               Call.Kind StaticCall, Call.Method
//	f(…), o.f(…)               Call.Kind InstanceCall, Call.Receiver the object (a *This for f alone)
//	i.f(…), i of an interface  Call.Kind VirtualCall; Type.Implementation finds the method to run
//	i + b, b of type byte      Binary of type Int, its second operand a Convert from Byte to Int
//	a[Colour.red]              Index whose I is a Convert of the enum to Int
//	b = i;                     AssignStmt with a Convert from Int to Byte, which can overflow
//	b = f();                   CallStmt.Convert: the result is converted to the type of Lhs
//	s = s + x; s = x + s;      AssignStmt.Set: the set s gets the element x, or the elements of x
//	choose(bool), choose(v)    Choose.Of: the type whose values are chosen; nil for a value X
//	sizeof(T)                  Sizeof.Of: the array type; its Size is the result
//	foreach (int v in s) S     Foreach.Var: the Name of v; Foreach.Counter: a hidden variable
//	goto L;                    Goto.Target: the statement L: S; Labeled.Used
//	{ int x; }                 Block.Scope; x is a Local with its Scope and number in the method
//
// Numbers of declarations follow the order of the text: types, fields, methods, parameters and variables each have
// an Index. Values of an enum are the indices of its members; those of a range are ints, and their
// bounds are checked nowhere. Types are compared by name, so each name has one *Type, and two types are
// the same if their pointers are.
//
// Calls and choices stand only in a few places, which the tree shows: a Call in a CallStmt, an Async
// or the condition of a WaitPattern, a Choose in a ChooseStmt.
//
// Conversions are implicit. Any integer becomes any other, and an enum an integer; a real becomes an
// integer only in an assignment or initialiser. A message that is sent, the variable that receives
// one, the argument for an out parameter and the variable of a foreach have exactly the type that is
// asked for. The literal 0 is a value of each enum. Structs cannot be compared, nor be elements of a
// set; the operators of strings are == and !=.
//
// The variables of a block are in scope in all of it. One that is used before its declaration, or
// that hides another one, gets a warning, and so does a program in which no method is activate.
//
// Attributes are skipped; they may stand in front of declarations and members, too. So may an
// additional semicolon.
//
// Errors look like this (package source):
//
//	m.zing:1:26: error: cannot use a value of type bool as one of type int
//	    class M { static int x = true; };
//	                             ^
package zing
