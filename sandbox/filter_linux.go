package sandbox

import (
	"github.com/elastic/go-seccomp-bpf/arch"
	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

// This file builds a seccomp filter from rules: a program of the Berkeley Packet Filter whose
// packet is struct seccomp_data (seccomp(2)),
//
//	offset  0  number of the call
//	offset  4  architecture, AUDIT_ARCH_…
//	offset 16  first argument, eight bytes each
//
// The library has the numbers of the calls by name. Its own policies are for one architecture, and a
// program for i386 needs two.

// The answers of a filter.
const (
	allowed    = unix.SECCOMP_RET_ALLOW
	killed     = unix.SECCOMP_RET_KILL_PROCESS
	refused    = unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM)
	noSuchCall = unix.SECCOMP_RET_ERRNO | uint32(unix.ENOSYS)
)

// native is the architecture of this process, nil if the library does not know its calls.
var native, _ = arch.GetInfo("")

// x32Bit marks calls of x32, which has the architecture of x86-64.
const x32Bit = 0x40000000

// condition is arguments[arg] & mask == value, on 32 bits unless it is wide.
type condition struct {
	arg   uint32
	mask  uint32 // 0 means all bits
	wide  bool
	value uint64
}

// rule is the answer to a call, under a condition if there is one.
type rule struct {
	name   string
	on     *condition
	answer uint32
}

// ruleSet has the calls that are allowed; all others are refused.
type ruleSet struct{ rules []rule }

// allow allows calls by name.
func (r *ruleSet) allow(names ...string) {
	for _, n := range names {
		r.answer(n, allowed)
	}
}

// allowIf allows a call under a condition.
func (r *ruleSet) allowIf(name string, c condition) {
	r.rules = append(r.rules, rule{name, &c, allowed})
}

// answer sets the answer to a call.
func (r *ruleSet) answer(name string, answer uint32) {
	r.rules = append(r.rules, rule{name, nil, answer})
}

// only returns the rules for name.
func (r *ruleSet) only(name string) *ruleSet {
	x := &ruleSet{}
	for _, rule := range r.rules {
		if rule.name == name {
			x.rules = append(x.rules, rule)
		}
	}
	return x
}

// filter returns the program for r. With bits32, a process makes the calls of i386, and those of
// the architecture of this process only until the command is executed.
func (r *ruleSet) filter(bits32 bool) []bpf.Instruction {
	// 1. The calls of this process's own architecture; for i386, the one execution.
	own, other := r, (*ruleSet)(nil)
	if bits32 && native.ID == arch.X86_64.ID {
		own, other = r.only("execve"), r
	}
	// 2. A section for each architecture.
	list := []bpf.Instruction{bpf.LoadAbsolute{Off: 4, Size: 4}}
	add := func(id arch.AuditArch, section []bpf.Instruction) {
		// A conditional jump is too short for a section.
		list = append(list, bpf.JumpIf{Cond: bpf.JumpEqual, Val: uint32(id), SkipTrue: 1}, bpf.Jump{Skip: uint32(len(section))})
		list = append(list, section...)
	}
	add(native.ID, own.section(native))
	// 3. A program for i386 executes nothing itself.
	if other != nil {
		calls := &ruleSet{}
		for _, x := range other.rules {
			if x.name != "execve" { // the address is one of the 64-bit process
				calls.rules = append(calls.rules, x)
			}
		}
		add(arch.I386.ID, calls.section(arch.I386))
	}
	return append(list, bpf.RetConstant{Val: killed})
}

// section returns the part of the program for the calls of a.
func (r *ruleSet) section(a *arch.Info) []bpf.Instruction {
	list := []bpf.Instruction{bpf.LoadAbsolute{Off: 0, Size: 4}}
	// Calls of x32 come with the architecture of x86-64.
	if a.ID == arch.X86_64.ID {
		list = append(list, bpf.JumpIf{Cond: bpf.JumpLessThan, Val: x32Bit, SkipTrue: 1}, bpf.RetConstant{Val: killed})
	}
	for _, x := range r.rules {
		number, ok := a.SyscallNames[x.name]
		if !ok {
			continue
		}
		body := []bpf.Instruction{bpf.RetConstant{Val: x.answer}}
		if x.on != nil {
			body = x.on.test(body)
		}
		list = append(list, bpf.JumpIf{Cond: bpf.JumpEqual, Val: uint32(number), SkipFalse: uint8(len(body))})
		list = append(list, body...)
	}
	return append(list, bpf.RetConstant{Val: refused})
}

// test returns code that runs body if c holds; afterwards the number of the call is loaded again.
func (c *condition) test(body []bpf.Instruction) []bpf.Instruction {
	at := 16 + 8*c.arg // little-endian: the lower half comes first
	list := []bpf.Instruction{bpf.LoadAbsolute{Off: at, Size: 4}}
	if c.mask != 0 {
		list = append(list, bpf.ALUOpConstant{Op: bpf.ALUOpAnd, Val: c.mask})
	}
	// Jumps are relative: to the end of the body, with the second comparison if there is one.
	skip := uint8(len(body))
	if c.wide {
		skip += 2
	}
	list = append(list, bpf.JumpIf{Cond: bpf.JumpEqual, Val: uint32(c.value), SkipFalse: skip})
	if c.wide {
		list = append(list, bpf.LoadAbsolute{Off: at + 4, Size: 4},
			bpf.JumpIf{Cond: bpf.JumpEqual, Val: uint32(c.value >> 32), SkipFalse: uint8(len(body))})
	}
	list = append(list, body...)
	return append(list, bpf.LoadAbsolute{Off: 0, Size: 4})
}

// assemble returns the program in the form of the kernel.
func assemble(program []bpf.Instruction) ([]unix.SockFilter, error) {
	raw, err := bpf.Assemble(program)
	if err != nil {
		return nil, err
	}
	list := make([]unix.SockFilter, len(raw))
	for i, x := range raw {
		list[i] = unix.SockFilter{Code: x.Op, Jt: x.Jt, Jf: x.Jf, K: x.K}
	}
	return list, nil
}
