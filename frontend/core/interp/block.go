package interp

import (
	"fmt"

	"c2bp/frontend/core"
)

// This file executes the nodes that work on blocks of bytes and on the lives of
// objects.

// block is bytes within one object, procedures excluded. The zero block is that of no bytes: it has
// no object, since memcpy(p, q, 0) need not be given valid addresses here.
type block struct {
	object    *Object
	off, size int64
}

// blockAt returns size bytes at addr; the zero block if size is 0.
func (m *Machine) blockAt(addr uint64, size int64) (block, UB) {
	if size == 0 {
		return block{}, Defined
	}
	o := m.liveAt(addr)
	if o == nil || size < 0 || !o.holds(addr, size) || o.proc != nil {
		return block{}, BadAccess
	}
	return block{object: o, off: int64(addr - o.start), size: size}, Defined
}

// block returns the size bytes that e points to. The error says that they are not in one live
// object.
func (f *Frame) block(e core.Expr, size int64) (block, error) {
	a, _, err := f.eval(e)
	if err != nil {
		return block{}, err
	}
	b, ub := f.machine.blockAt(uint64(a), size)
	if ub != Defined {
		return block{}, f.undefined(ub, f.node, e)
	}
	return b, nil
}

// target returns the size bytes that e points to, which are going to be changed.
func (f *Frame) target(e core.Expr, size int64) (block, error) {
	b, err := f.block(e, size)
	if err == nil && b.size > 0 && b.object.literal() {
		err = f.undefined(ReadOnly, f.node, e)
	}
	return b, err
}

// size returns the value of e, a number of bytes; maxObject+1 if that is too great for any object.
func (f *Frame) size(e core.Expr) (int64, error) {
	x, t, err := f.eval(e)
	switch {
	case err != nil:
		return 0, err
	case t.Signed && x < 0:
		return 0, f.undefined(BadSize, f.node, e)
	case x < 0 || x > maxObject:
		return maxObject + 1, nil
	}
	return x, nil
}

// seen reports an access to b to the observer, and to b's object if that is of the environment.
// Either l or base is given, or neither, as in [Access].
func (m *Machine) seen(f *Frame, b block, l core.Loc, base core.Expr, write bool) {
	if b.size > 0 && b.object.Environment() {
		m.use(b.object, b.object.start+uint64(b.off))
	}
	if b.size > 0 && m.options.OnAccess != nil {
		m.observe(Access{
			Place: f.place(), Loc: l, Base: base, Object: b.object,
			Addr: b.object.start + uint64(b.off), Size: b.size, Write: write,
		})
	}
}

// blur makes b arbitrary, which is a write of it: the bytes are asked for when they are read.
func (m *Machine) blur(f *Frame, b block, from origin, l core.Loc, base core.Expr) {
	if b.size > 0 {
		m.cuts(b.object, b.off, b.size)
		m.forget(b.object, b.off, b.size, from)
		m.seen(f, b, l, base, true)
	}
}

// unset makes those bytes of o, as far as it has them, arbitrary values from outside: the program
// reads them although nothing sets them.
func (m *Machine) unset(o *Object, bytes core.Ranges) {
	for _, r := range bytes {
		if end := min(r.End, o.Size()); r.Off < end {
			m.forget(o, r.Off, end-r.Off, outside)
			m.change(o).unset = true
		}
	}
}

// read returns a copy of b.
func (m *Machine) read(f *Frame, b block, base core.Expr) chunk {
	if b.size == 0 {
		return chunk{}
	}
	m.seen(f, b, nil, base, false)
	m.cuts(b.object, b.off, b.size)
	return m.take(b.object, b.off, b.size)
}

// write stores c, of the size of b.
func (m *Machine) write(f *Frame, b block, c chunk, base core.Expr) {
	if b.size > 0 {
		m.cuts(b.object, b.off, b.size)
		m.give(b.object, b.off, c)
		m.seen(f, b, nil, base, true)
	}
}

// memoryNode executes a statement on blocks of bytes or on the life of an object.
func (m *Machine) memoryNode(f *Frame, s core.Stmt) error {
	switch s := s.(type) {
	case *core.Copy:
		return m.copy(f, s)
	case *core.Fill:
		return m.fill(f, s)
	case *core.Data:
		// Not target: Data also stores the contents of string literals.
		b, err := f.block(s.Dst, int64(len(s.Bytes)))
		if err == nil {
			m.write(f, b, bytesOf(s.Bytes), s.Dst)
		}
		return err
	case *core.Alloc:
		return m.alloc(f, s)
	case *core.Free:
		return m.free(f, s)
	}
	panic(fmt.Sprintf("interp: unknown statement %T", s))
}

// copy executes s. The bytes are read before any is written, as if through a buffer.
func (m *Machine) copy(f *Frame, s *core.Copy) error {
	// 1. Evaluate the size and both addresses.
	size, err := f.size(s.Size)
	if err != nil {
		return err
	}
	dst, err := f.target(s.Dst, size)
	if err != nil {
		return err
	}
	src, err := f.block(s.Src, size)
	if err != nil {
		return err
	}
	// 2. A struct assignment shows the types of the objects.
	if s.Of != nil {
		shape := core.Shape{Record: s.Of, Size: s.Of.Size}
		for _, b := range []struct {
			block
			at core.Expr
		}{{dst, s.Dst}, {src, s.Src}} {
			if b.object != nil && !m.fits(b.object, b.off, shape) {
				return f.undefined(Impossible, f.node, b.at)
			}
		}
	}
	// 3. Copy.
	bytes := m.read(f, src, s.Src)
	if src.object != nil {
		m.shifted(src.object, src.off, src.size, dst.off)
	}
	m.write(f, dst, bytes, s.Dst)
	return nil
}

// fill executes s.
func (m *Machine) fill(f *Frame, s *core.Fill) error {
	size, err := f.size(s.Size)
	if err != nil {
		return err
	}
	dst, err := f.target(s.Dst, size)
	if err != nil {
		return err
	}
	// Arbitrary bytes, as read() stores: they come from outside.
	if s.Byte == nil {
		m.blur(f, dst, outside, nil, s.Dst)
		return nil
	}
	x, _, err := f.eval(s.Byte)
	if err != nil {
		return err
	}
	m.write(f, dst, filled(size, byte(x)), s.Dst)
	return nil
}

// alloc executes s: it makes an object and assigns its address.
func (m *Machine) alloc(f *Frame, s *core.Alloc) error {
	// 1. Evaluate the destination and the size.
	p, err := f.location(s.Lhs)
	if err != nil {
		return err
	}
	size, err := f.size(s.Size)
	if err != nil {
		return err
	}
	// 2. Make the object.
	o := &Object{alloc: s, depth: -1}
	if s.Stack {
		o.depth = f.depth
	}
	if o, err = m.newObject(o, size, indeterminate); err != nil {
		return err
	}
	// malloc(n) holds nobody's values, but for the bytes that the program reads all the same.
	m.unset(o, s.Unset)
	if s.Stack {
		f.stack = append(f.stack, o)
	}
	// 3. Store its address.
	p.set(m, int64(o.start))
	return nil
}

// free executes s: it ends the life of the object at the address.
func (m *Machine) free(f *Frame, s *core.Free) error {
	a, _, err := f.eval(s.Ptr)
	// free(NULL) does nothing (C11 7.22.3.3).
	if err != nil || a == 0 {
		return err
	}
	o := m.liveAt(uint64(a))
	if o == nil || !m.allocatedAt(o, uint64(a)) {
		return f.undefined(BadFree, f.node, s.Ptr)
	}
	m.kill(o)
	return nil
}
