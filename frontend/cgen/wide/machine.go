package wide

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// This file checks whether programs of 32 bits can be compiled and run on this machine.

// Compiler32 returns a compiler for 32-bit programs that works in dir. They run on this
// machine, or else in qemu-i386. The error names the missing package: gcc's 32-bit libraries (Debian:
// gcc-multilib), or the emulator (Debian: qemu-user).
func Compiler32(ctx context.Context, dir string) (*Compiler, error) {
	// The probe tells whether gcc makes 32-bit programs, and whether they run.
	source, exe := filepath.Join(dir, "probe.c"), filepath.Join(dir, "probe")
	if err := os.WriteFile(source, []byte("#include <stdio.h>\nint main(void) { return sizeof(long) != 4 || printf(\" \") != 1; }\n"), 0o666); err != nil {
		return nil, err
	}
	if out, err := exec.CommandContext(ctx, "gcc", "-m32", "-o", exe, source).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("gcc -m32 does not work here: %s", out)
	}
	// First without an emulator.
	for _, run := range [][]string{nil, {"qemu-i386"}} {
		argv := append(run, exe)
		if exec.CommandContext(ctx, argv[0], argv[1:]...).Run() == nil {
			return &Compiler{Dir: dir, Bits32: true, Run: run}, nil
		}
	}
	return nil, fmt.Errorf("neither this machine nor qemu-i386 runs a program of 32 bits")
}
