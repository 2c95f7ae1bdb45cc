package wp

import (
	"fmt"

	"c2bp/frontend/core"
	"c2bp/logic"
)

// This file defines reads of memory. An address is an integer, and memory is one map from addresses
// to values for each region and each type that is read there: the place *p of type int32 in region
// 3 is the application M3:int32(p). Places that may share a byte are in one region (package alias
// sees to it), so a statement that writes in a region changes the maps of that region only. Where
// places of one region are read as signed and as unsigned integers, they are in one map, and
// converted: a fact about *(unsigned *)p is then one about *(int *)p.

// Aliases are the results of package alias; see alias.Regions.
type Aliases interface {
	// Region returns the number of the region of a place in memory, a *core.Mem or a variable that
	// lives in memory. It depends on nothing but the place.
	Region(core.Loc) int
	// Stored returns the type as which the place l is read, of the size of its own; the value is
	// then converted. Places of one region that differ in the sign only are read as one type.
	Stored(l core.Loc) core.Type
	// MayAlias reports whether two places may share a byte. A place whose type has
	// size 0 may extend to the end of its object.
	MayAlias(a, b core.Loc) bool
	// Distance returns how many bytes after the start of the range w, which is written, the place l begins, wherever
	// they have a byte in common; known is false if that is not one number.
	Distance(l, w core.Loc) (d int64, known bool)
	// Nowhere reports whether a place is in no object: its address is null, or no address, whenever it
	// is followed.
	Nowhere(core.Loc) bool
	// Unaligned reports whether a place in the region of l that is read as type t need not be aligned: it may overlap
	// another one partly although they have the same size.
	Unaligned(l core.Loc, t core.Type) bool
	// Followed returns an address equal to the given one, which is read from or written to,
	// wherever that is defined: the single target of the pointer, if it has one; else the same
	// expression.
	Followed(address core.Expr) core.Expr
	// Kept returns the bytes around the target of the pointer at l, before s makes an object, that are certain to be in one
	// object that is alive then, unless the pointer is null or a number of the first or last page. So they are not in
	// the new one. For a pointer from outside they are the declared ones, or none.
	Kept(l core.Loc, declared core.Range, s *core.Alloc) core.Range
	// KeptEver is Kept for any value that l has at some time before s.
	KeptEver(l core.Loc, declared core.Range, s *core.Alloc) core.Range
	// KeptFrom returns the bytes around the target of the pointer at l, at any time, that are certain to be in no part of
	// the global object of v, unless the pointer is null or a number of the first or last page.
	KeptFrom(l core.Loc, v *core.Var) core.Range
}

// OneRegion is the Aliases of which nothing is known: any place may be any other.
type OneRegion struct{}

// Region implements Aliases.
func (OneRegion) Region(core.Loc) int { return 0 }

// Stored implements Aliases.
func (OneRegion) Stored(l core.Loc) core.Type { return l.Type() }

// MayAlias implements Aliases.
func (OneRegion) MayAlias(a, b core.Loc) bool { return true }

// Distance implements Aliases.
func (OneRegion) Distance(l, w core.Loc) (int64, bool) { return 0, false }

// Nowhere implements Aliases.
func (OneRegion) Nowhere(core.Loc) bool { return false }

// Unaligned implements Aliases.
func (OneRegion) Unaligned(core.Loc, core.Type) bool { return true }

// Followed implements Aliases.
func (OneRegion) Followed(address core.Expr) core.Expr { return address }

// Kept implements Aliases.
func (OneRegion) Kept(core.Loc, core.Range, *core.Alloc) core.Range { return core.Range{} }

// KeptEver implements Aliases.
func (OneRegion) KeptEver(core.Loc, core.Range, *core.Alloc) core.Range { return core.Range{} }

// KeptFrom implements Aliases.
func (OneRegion) KeptFrom(core.Loc, *core.Var) core.Range { return core.Range{} }

// memory holds the maps in use; translators of one table share it.
type memory struct {
	aliases Aliases
	kinds   map[string]kind            // by name of the map
	places  map[*logic.Term][]core.Loc // the places that were read as the application
	vars    map[*logic.Term]*core.Var  // the variable that is the symbol
	bits    int                        // width of pointers

	literals map[*logic.Term]bool      // the addresses of string literals
	globals  map[*logic.Term]*core.Var // by address

	unchanging map[*logic.Term]bool // answers of settled
}

// kind is the way in which the places of one map are read.
type kind struct {
	typ core.Type // Int or Ptr
	bit int
}

// newMemory returns a memory without maps.
func newMemory(a Aliases, bits int) *memory {
	return &memory{aliases: a, bits: bits, kinds: map[string]kind{}, places: map[*logic.Term][]core.Loc{}, vars: map[*logic.Term]*core.Var{}, literals: map[*logic.Term]bool{}, globals: map[*logic.Term]*core.Var{},
		unchanging: map[*logic.Term]bool{}}
}

// bits returns the width of a value.
func (k kind) bits() int64 {
	w, _ := core.Word(k.typ)
	return int64(w.Bits)
}

// isField reports whether places of kind k are bit-fields.
func (k kind) isField() bool { return k.bit != 0 || k.bits()%8 != 0 }

// isBool reports whether places of kind k are of type _Bool.
func (k kind) isBool() bool {
	t, ok := k.typ.(core.Int)
	return ok && t.Bool
}

// String returns the kind as it occurs in names of maps: int32, uint8@3.
func (k kind) String() string {
	if k.bit != 0 {
		return fmt.Sprintf("%s@%d", k.typ, k.bit)
	}
	return k.typ.String()
}

// load returns the value of place l, which is at address a.
func (tr *Translator) load(l core.Loc, a *logic.Term, typ core.Type, bit int) *logic.Term {
	k := kind{typ, bit}
	if bit == 0 {
		k.typ = tr.mem.aliases.Stored(l)
	}
	// The map is named by region, type and state, so that places of one map share a name.
	name := fmt.Sprintf("M%d:%s%s", tr.mem.aliases.Region(l), k, tr.suffix(l))
	tr.mem.kinds[name] = k
	x := tr.at(name, a)
	tr.mem.addPlace(x, l)
	// Convert from the type of the map to that of the place.
	if k.typ != typ {
		w, _ := core.Word(typ)
		return tr.convert(x, w)
	}
	return x
}

// at returns the map of that name at address a.
func (tr *Translator) at(name string, a *logic.Term) *logic.Term {
	w, ok := core.Word(tr.mem.kinds[name].typ)
	if !ok {
		panic("wp: " + name + " is no map of memory")
	}
	return tr.T.App(name, w.Min(), w.Max(), a)
}

// followed returns the value of an address that is read from or written to. A pointer with a single
// target is taken to point to it, whatever it holds: neither predicates nor proofs have to say that
// p points to the one device. Predicates are read in the same way; their value in states in which p
// is invalid is for us to choose.
func (tr *Translator) followed(address core.Expr) *logic.Term {
	return tr.Value(tr.mem.aliases.Followed(address))
}

// address returns the address of variable v: this activation's, if v is local.
func (tr *Translator) address(v *core.Var) *logic.Term {
	name := "&" + v.Name
	if v.Kind != core.Global {
		name += tr.frame
	}
	// Blocks and activations are told apart for variables whose address is taken only.
	storage := logic.Storage{Merged: v.Merged, Text: v.Text, Align: v.Align}
	if v.Block != "" && v.AddrTaken {
		storage.Block = tr.frame + v.Proc.Name + v.Block
	}
	if v.AddrTaken && v.Kind != core.Global && !v.Merged {
		storage.Calls = tr.calls
	}
	a := tr.T.Addr(name, core.Bytes(v.Type), tr.mem.bits, storage)
	if v.Literal {
		tr.mem.literals[a] = true
	}
	if v.Kind == core.Global {
		tr.mem.globals[a] = v
	}
	return a
}
