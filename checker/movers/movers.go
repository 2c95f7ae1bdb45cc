package movers

import "c2bp/checker/zom"

// This file defines locations, uses and facts.

// Use is a way to use a location.
type Use int32

// The uses; see the package documentation.
const (
	Reads Use = iota
	Writes
	Sends
	Receives
	Asks
	Tests
	uses
)

// Facts are the facts about a program.
type Facts struct {
	// Future holds, by procedure and pc of a start, the future uses: Bit of a location and a use.
	Future [][]zom.Bitset
	// Acquire holds the selects that may take a lock, by the start of their block.
	Acquire map[zom.Place]Acquire
	// Heads are the numbers of blocks of which every cycle of blocks and calls has one.
	Heads zom.Bitset
	// Middle holds the starts of blocks that may run in the middle of a step.
	Middle map[zom.Place]bool

	prog        *zom.Program
	cooperative bool
	base        []int32 // by class: its first location
	locations   int32
}

// Analyse returns the facts about a program. In the cooperative mode, only blocks that yield end a step.
func Analyse(p *zom.Program, cooperative bool) *Facts {
	f := &Facts{prog: p, cooperative: cooperative, Acquire: map[zom.Place]Acquire{}, Middle: map[zom.Place]bool{}, Heads: zom.NewBitset(len(p.Places) + 1)}
	f.locations = int32(len(p.Globals))
	for _, c := range p.Classes {
		f.base = append(f.base, f.locations)
		f.locations += int32(max(len(c.Fields), 1))
	}
	f.middle()
	f.future()
	f.heads()
	f.locks()
	return f
}

// Locations returns the number of locations.
func (f *Facts) Locations() int { return int(f.locations) }

// Global returns the location of a global.
func (f *Facts) Global(i int32) int32 { return i }

// Field returns the location of a field of a class, or of the content of its objects.
func (f *Facts) Field(class int, i int32) int32 {
	if i == zom.Content {
		i = 0
	}
	return f.base[class] + i
}

// IsGlobal reports whether a location is a global.
func (f *Facts) IsGlobal(location int32) bool { return int(location) < len(f.prog.Globals) }

// Name returns the name of a location for people.
func (f *Facts) Name(location int32) string {
	if f.IsGlobal(location) {
		return f.prog.Globals[location].Name
	}
	c := len(f.base) - 1
	for f.base[c] > location {
		c--
	}
	class := f.prog.Classes[c]
	if class.Form != zom.Fixed || len(class.Fields) == 0 {
		return "elements of " + class.Name
	}
	return class.Name + "." + class.Fields[location-f.base[c]].Name
}

// Bit returns the number of a use of a location in a set of future uses.
func (f *Facts) Bit(location int32, u Use) int { return int(location)*int(uses) + int(u) }

// Unbit returns the arguments of Bit.
func (f *Facts) Unbit(bit int) (location int32, u Use) {
	return int32(bit / int(uses)), Use(bit % int(uses))
}

// May reports whether a process that stands where the frame does may still use a location so.
func (f *Facts) May(fr *zom.Frame, location int32, u Use) bool {
	return f.Future[fr.Proc][fr.PC].Has(f.Bit(location, u))
}

// callees appends the procedures that an instruction may run, or start.
func (f *Facts) callees(list []int32, in *zom.Instr) []int32 {
	switch in.Op {
	case zom.Call, zom.Spawn, zom.Eval, zom.Apply:
		return append(list, in.B)
	case zom.CallVirtual, zom.SpawnVirtual, zom.EvalVirtual:
		for _, p := range f.prog.Virtual[in.B] {
			if p >= 0 {
				list = append(list, p)
			}
		}
	}
	return list
}
