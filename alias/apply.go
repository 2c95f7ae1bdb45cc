package alias

// This file defines what the rules of a vertex do for new addresses in it.

func (s *solver) apply(r rule, list []int32) {
	for _, n := range list {
		a := s.addresses[n]
		o := s.objects[a.object]
		switch r.kind {
		case loadRule:
			if o.Kind == Outside {
				s.insert(outsideAddress, r.other)
			} else if o.isMemory() {
				s.load(a.object, r.cell(a, o), r.other)
			}
		case storeRule:
			if o.Kind == Outside {
				s.edge(r.other, s.escaped)
			} else if o.isMemory() {
				s.store(a.object, r.cell(a, o), r.other)
			}
		case moveRule:
			m := move{moveMode(r.bit), r.off, r.stride}
			if b, ok := m.apply(a, o); ok {
				if m.off != 0 || m.stride != 0 {
					b = s.spread(int32(r.bits), b)
				}
				s.insert(s.number(b), r.other)
			}
		case sourceRule:
			s.copyBetween(address{object: r.other}, r.move(a, o), r.bits)
		case destRule:
			s.copyBetween(r.move(a, o), address{object: r.other}, r.bits)
		case escapeRule:
			s.escape(a.object)
		case callRule:
			s.bindTarget(s.calls[r.other], a.object)
		}
	}
}

// cell is the cell that r means relative to address a in o.
func (r rule) cell(a address, o *Object) cell {
	a = r.move(a, o)
	return cell{a.off*8 + r.bit, a.stride * 8, r.bits}.modulo()
}

// move is the address that r means relative to a in o.
func (r rule) move(a address, o *Object) address {
	a, _ = move{movePointer, r.off, r.stride}.apply(a, o)
	return a
}
