package harness

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// This file interprets the end of a program that was run.

// judge determines the result from the exit code and the output of the program.
//
//	96, runtime error: …      undefined behaviour: the property, if that is a check, or another
//	97, c2bp: diverged: …     the program asked for other inputs
//	98, c2bp: failed: …       a failure, at the place of the property or elsewhere
//	0                         no failure
func (b *build) judge(ctx context.Context, state *os.ProcessState, o *Outcome) error {
	o.Result = NotReproduced
	// An exit code counts only with the message that belongs to it: the program has codes of its
	// own.
	switch code := state.ExitCode(); code {
	case exitUndefined:
		if text := firstLine(o.Output, "runtime error:"); text != "" {
			if b.harness.Property.reports(text, b.harness.textOf(b.harness.Property.Pos.File)) {
				o.Result = Reproduced
				return nil
			}
			o.Result, o.Reason = Undefined, "the program has undefined behaviour: "+text
			return nil
		}
	case exitDiverged:
		if why, ok := lastLine(o.Output, "c2bp: diverged: "); ok {
			o.Result, o.Reason = Diverged, "the program leaves the path of the run: "+why
			return nil
		}
	case exitFailed:
		if where, ok := lastLine(o.Output, "c2bp: failed: "); ok {
			b.failed(where, o)
			return nil
		}
		if address, ok := lastLine(o.Output, "c2bp: failed at: "); ok {
			where, err := b.lineOf(ctx, address)
			if err != nil {
				return err
			}
			b.failed(where, o)
			return nil
		}
	case 0:
		o.Reason = "the program ends without a failure"
		return nil
	}
	o.Reason = "the program ends without the failure: " + state.String()
	return nil
}

// failed checks whether a failure at where, file:line, is that of the property.
func (b *build) failed(where string, o *Outcome) {
	// The place is that of the statement, or of one of its lines.
	p := b.harness.Property
	i := strings.LastIndexByte(where, ':')
	if i < 0 {
		o.Reason = "the program fails at an unknown place"
		return
	}
	n, _ := strconv.Atoi(where[i+1:])
	// The arguments of __assert_fail may name any place.
	if p.at(where[:i], n, b.harness.textOf(p.Pos.File)) || n == 0 && strings.Contains(p.Text, "__assert_fail") {
		o.Result = Reproduced
		return
	}
	o.Reason = "the program fails elsewhere, at " + where
}

// lineOf returns the place file:line of the call that returns to address, or "" if it is unknown.
func (b *build) lineOf(ctx context.Context, address string) (string, error) {
	// The address is printed by %p.
	a, err := strconv.ParseUint(strings.TrimPrefix(address, "0x"), 16, 64)
	if err != nil {
		return "", nil
	}
	path, err := lookPath("addr2line")
	if err != nil {
		return "", nil
	}
	// The call ends one byte before the return address.
	out, err := b.tool(ctx, path, nil, "-e", b.path("program"), fmt.Sprintf("%#x", a-1))
	var refused errNotConfined
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case errors.As(err, &refused):
		return "", err
	case err != nil:
		return "", nil
	}
	// The text that was compiled is a copy of a file of the program.
	place, _, _ := strings.Cut(strings.TrimSpace(out), " ") // without the discriminator
	for i, f := range b.files {
		if line, ok := strings.CutPrefix(place, b.path(copyName(i))); ok {
			return f.Name + line, nil
		}
	}
	return place, nil
}
