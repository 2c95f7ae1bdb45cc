package harness

import (
	"math/big"

	"c2bp/frontend/core"
	"c2bp/frontend/core/interp"
)

// This file evaluates the operands of a node before it is executed.

// before is a node that is being executed, with the values of its expressions before. They are
// evaluated in the order of the machine, since evaluation may ask for contents of memory.
type before struct {
	node     *core.Node
	depth    int
	callee   *core.Proc             // without a body, which the node calls, or nil
	args     arguments              // of that call
	ways     map[*interp.Object]way // to functions of the program, if it calls back
	given    bool                   // the node has delivered its input
	known    bool                   // the callee, of which the program knows the signature only, is at an address from outside
	result   *core.Call             // of which the Return under way returns
	dst, src *big.Int               // of a Copy, Fill or Data, or of the result of a call
	size     int64
	value    *big.Int       // of a Fill
	places   []*big.Int     // of an Assign, by left side; nil outside of memory
	values   []*big.Int     // and the right sides
	freed    *interp.Object // whose life a Free ends
	stores   []store        // what the callee stores, or a Havoc of a model
	outputs  []output       // of assembly
}

// store is a range of bytes that are stored from outside.
type store struct {
	addr  *big.Int
	image *image
}

// look evaluates the expressions of node, which f is about to execute.
func (r *Recorder) look(f *interp.Frame, node *core.Node) *before {
	b := &before{node: node, depth: f.Depth()}
	// An expression that cannot be evaluated has no value: the machine will report why.
	eval := func(e core.Expr) *big.Int {
		if e == nil {
			return nil
		}
		v, err := f.Eval(e)
		if err != nil {
			return nil
		}
		return v
	}
	size := func(e core.Expr) {
		if v := eval(e); v != nil && v.IsInt64() {
			b.size = v.Int64()
		}
	}
	switch s := node.Stmt.(type) {
	case *core.Call:
		if b.callee = r.calleeOf(f, s); b.callee != nil {
			// The destination of the result, then the arguments, then the pointer to the callee.
			if m, ok := s.Lhs.(*core.Mem); ok {
				b.dst, b.size = eval(m.Addr), core.Bytes(m.Typ)
			}
			b.args = evaluate(f, s.Args)
			if node.Caller != nil {
				b.ways = r.ways(b.args)
			}
			if s.Through != nil {
				b.known = r.calls(eval(s.Through), b.callee)
			}
		}
	case *core.Return:
		if f.Depth() > 0 {
			// The place of the result belongs to the caller, whose node is the call.
			caller := r.machine.Frames()[f.Depth()-1]
			b.result, _ = caller.Proc().Nodes[caller.Node()].Stmt.(*core.Call)
		}
	case *core.Copy:
		size(s.Size)
		b.dst, b.src = eval(s.Dst), eval(s.Src)
	case *core.Fill:
		size(s.Size)
		b.dst, b.value = eval(s.Dst), eval(s.Byte)
	case *core.Data:
		b.dst = eval(s.Dst)
	case *core.Free:
		b.freed = r.object(eval(s.Ptr))
	case *core.Assign:
		// Only models have assignments whose places matter.
		if node.Model == nil {
			break
		}
		for i, l := range s.Lhs {
			var p *big.Int
			if m, ok := l.(*core.Mem); ok {
				p = eval(m.Addr)
			}
			b.places, b.values = append(b.places, p), append(b.values, eval(s.Rhs[i]))
		}
	}
	return b
}

// calleeOf returns the procedure without a body that c calls, or nil.
func (r *Recorder) calleeOf(f *interp.Frame, c *core.Call) *core.Proc {
	p := c.Callee
	if p == nil {
		a, err := f.Eval(c.Target)
		if err != nil {
			return nil
		}
		if o := r.object(a); o != nil {
			p = o.Proc()
		}
	}
	if p == nil || p.HasBody() || p.Assembly {
		return nil
	}
	return p
}
