package sandbox

import (
	"bytes"
	"context"
	"debug/elf"
	"encoding/binary"
	"os"
	"path/filepath"
)

// This file finds out whether programs for i386 can be executed: many kernels for x86-64 are built
// without that, and an emulator may need more memory than a command is allowed. A process that is
// restricted for such a program cannot report that it was not executed, for lack of a system call.

// no32 is the reason why a program for i386 is not executed.
const no32 = "programs of 32 bits do not run here"

// runs32 reports whether c executes programs for i386 with these limits, by executing the smallest.
func (c *Confinement) runs32(ctx context.Context, limits Limits) (bool, error) {
	dir, err := os.MkdirTemp("", "c2bp-sandbox-")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "program")
	if err := os.WriteFile(path, smallest32(), 0o500); err != nil {
		return false, err
	}
	r, err := c.run(ctx, Command{Path: path, Dir: dir, Bits32: true, Limits: limits})
	return err == nil && r.State.ExitCode() == code32, ctx.Err()
}

// code32 is the exit code of the smallest program.
const code32 = 42

// smallest32 returns a program for i386 that only exits: an ELF file with one segment.
func smallest32() []byte {
	code := []byte{
		0xb8, 252, 0, 0, 0, // mov $252, %eax: exit_group
		0xbb, code32, 0, 0, 0, // mov $42, %ebx
		0xcd, 0x80, // int $0x80
	}
	// 1. The headers. All offsets follow from their sizes.
	const base = 0x08048000
	header := elf.Header32{
		Ident: [elf.EI_NIDENT]byte{0x7f, 'E', 'L', 'F', byte(elf.ELFCLASS32), byte(elf.ELFDATA2LSB), byte(elf.EV_CURRENT)},
		Type:  uint16(elf.ET_EXEC), Machine: uint16(elf.EM_386), Version: uint32(elf.EV_CURRENT),
		Phnum: 1,
	}
	var segment elf.Prog32
	header.Ehsize, header.Phentsize = uint16(binary.Size(header)), uint16(binary.Size(segment))
	header.Phoff = uint32(header.Ehsize)
	start := uint32(header.Ehsize + header.Phentsize)
	header.Entry = base + start
	size := start + uint32(len(code))
	segment = elf.Prog32{
		Type: uint32(elf.PT_LOAD), Vaddr: base, Paddr: base, Filesz: size, Memsz: size,
		Flags: uint32(elf.PF_R | elf.PF_X), Align: 0x1000,
	}
	// 2. The bytes.
	var b bytes.Buffer
	for _, part := range []any{header, segment, code} {
		_ = binary.Write(&b, binary.LittleEndian, part) // a Buffer takes all
	}
	return b.Bytes()
}
