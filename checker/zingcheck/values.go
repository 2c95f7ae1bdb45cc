package zingcheck

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"c2bp/checker/lowerzing"
	"c2bp/checker/zom"
	"c2bp/verdict"
)

// This file names objects and values, and finds out what a step changes. Objects are named by their class and
// their number among those of the class, in the order in which they were made: N#1, N#2, …

// viewer shows states of one run, in which objects keep their addresses.
type viewer struct {
	low     *lowerzing.Lowered
	s       *zom.State
	numbers []int // by address-1: the number among the objects of the class
}

// cell is a variable, field or sequence. The id tells variables of the same name apart.
type cell struct {
	id, name, val string
	fresh         bool // it has the value with which it begins
}

// renumber counts the objects of the present state.
func (v *viewer) renumber() {
	v.numbers = v.numbers[:0]
	met := make([]int, len(v.low.Prog.Classes))
	for a := range v.s.News() {
		class := v.s.Class(zom.Word(a + 1))
		met[class]++
		v.numbers = append(v.numbers, met[class])
	}
}

// object returns the name of the object at an address.
func (v *viewer) object(at zom.Word) string {
	if int(at) > len(v.numbers) {
		v.renumber()
	}
	return fmt.Sprintf("%s#%d", v.low.Prog.Classes[v.s.Class(at)].Name, v.numbers[at-1])
}

// word returns the text of a value.
func (v *viewer) word(slot *zom.Slot, w zom.Word) string {
	switch slot.Kind {
	case zom.Bool:
		return strconv.FormatBool(w == 1)
	case zom.Enum:
		if w >= 0 && w < zom.Word(len(slot.Names)) {
			return slot.Names[w]
		}
	case zom.Ref:
		if w == zom.Null {
			return "null"
		}
		return v.object(w)
	case zom.Real:
		return strconv.FormatFloat(math.Float64frombits(uint64(w)), 'g', -1, 64)
	case zom.Text:
		if w == 0 {
			return "null"
		}
		return strconv.Quote(v.low.Prog.Texts[w-1])
	}
	return strconv.FormatInt(w, 10)
}

// elements returns the text of a sequence.
func (v *viewer) elements(class *zom.Class, words []zom.Word) string {
	var list []string
	w := len(class.Elem)
	for i := 0; w > 0 && i < len(words); i += w {
		var parts []string
		for j := range class.Elem {
			text := v.word(&class.Elem[j], words[i+j])
			if class.Elem[j].Name != "" {
				text = class.Elem[j].Name + " = " + text
			}
			parts = append(parts, text)
		}
		text := strings.Join(parts, ", ")
		if w > 1 {
			text = "(" + text + ")"
		}
		list = append(list, text)
	}
	if class.Form == zom.Set {
		return "{" + strings.Join(list, ", ") + "}"
	}
	return "[" + strings.Join(list, ", ") + "]"
}

// globals returns the static fields.
func (v *viewer) globals() (list []cell) {
	for i := range v.low.Prog.Globals {
		slot := &v.low.Prog.Globals[i]
		list = append(list, cell{slot.Name, slot.Name, v.word(slot, v.s.Globals[i]), v.s.Globals[i] == slot.Init})
	}
	return list
}

// frame returns the variables of a frame. Those that no text names are left out.
func (v *viewer) frame(process, i int) (list []cell) {
	f := v.s.Procs[process].Frames[i]
	proc := v.low.Prog.Procs[f.Proc]
	words := v.s.Slots(process, i)
	for j := range proc.Scratch {
		slot := &proc.Slots[j]
		if slot.Name == "foreach" || slot.Name == "result" {
			continue
		}
		id := fmt.Sprintf("%d %d %d %d", process, i, f.Proc, j)
		list = append(list, cell{id, slot.Name, v.word(slot, words[j]), words[j] == slot.Init})
	}
	return list
}

// heap returns the fields of objects, and sequences.
func (v *viewer) heap() (list []cell) {
	for a := zom.Word(1); a <= zom.Word(v.s.News()); a++ {
		class := v.low.Prog.Classes[v.s.Class(a)]
		name := v.object(a)
		if class.Form != zom.Fixed {
			words := v.s.Elements(a)
			list = append(list, cell{name, name, v.elements(class, words), isFresh(class, words)})
			continue
		}
		for j := range class.Fields {
			field := name + "." + class.Fields[j].Name
			w := v.s.Field(a, int32(j))
			list = append(list, cell{field, field, v.word(&class.Fields[j], w), w == class.Fields[j].Init})
		}
	}
	return list
}

// mostFrames is the number of frames of a process that are shown, the innermost ones.
const mostFrames = 30

// all returns everything that a step of a process can change.
func (v *viewer) all(process int) []cell {
	v.renumber()
	list := v.globals()
	frames := len(v.s.Procs[process].Frames)
	for i := max(0, frames-mostFrames); i < frames; i++ {
		list = append(list, v.frame(process, i)...)
	}
	return append(list, v.heap()...)
}

// changed returns the cells whose values differ from earlier ones, and the new ones that are not in their
// initial state.
func changed(before, after []cell) (list []verdict.Value) {
	old := map[string]string{}
	for _, c := range before {
		old[c.id] = c.val
	}
	for _, c := range after {
		val, known := old[c.id]
		switch {
		case known && val != c.val, !known && !c.fresh:
			list = append(list, verdict.Value{Name: c.name, Val: c.val})
		}
	}
	return list
}

// isFresh reports whether a sequence has only elements as a new array has them.
func isFresh(class *zom.Class, words []zom.Word) bool {
	if class.Form != zom.Array {
		return len(words) == 0
	}
	for i, w := range words {
		if w != class.Elem[i%len(class.Elem)].Init {
			return false
		}
	}
	return true
}

// values returns cells as values.
func values(list []cell) (out []verdict.Value) {
	for _, c := range list {
		out = append(out, verdict.Value{Name: c.name, Val: c.val})
	}
	return out
}
