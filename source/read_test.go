package source

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestRead(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		p := filepath.Join(dir, name)
		if err := os.WriteFile(p, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return p
	}
	good, binary := write("good.c", "int x;\n"), write("a.out", "ab\nc\x00d\n")
	for _, c := range []struct{ name, want string }{
		{good, ""},
		{"-", ""},
		{binary, binary + ":2:2: error: NUL byte: this is a binary file; expected text\n    c.d\n     ^"},
		{dir, dir + ": error: cannot read it: this is a directory; expected a file"},
		{filepath.Join(dir, "none.c"), filepath.Join(dir, "none.c") + ": error: cannot read it: no such file"},
		{filepath.Join(good, "x"), filepath.Join(good, "x") + ": error: cannot read it: not a directory"},
	} {
		f, err := Read(context.Background(), c.name, strings.NewReader("in"))
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.want != "" && (err == nil || err.Error() != c.want || !IsInput(err)):
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		case c.name == "-" && (f.Name != "<stdin>" || string(f.Text) != "in"):
			t.Errorf("stdin is %+v", f)
		}
	}
}

// waiting is a terminal at which nobody types.
type waiting struct{}

func (waiting) Read([]byte) (int, error) { select {} }

func TestReadStops(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	why := errors.New("interrupted")
	cancel(why)
	for _, stdin := range []io.Reader{strings.NewReader("in"), waiting{}} {
		if _, err := Read(ctx, "-", stdin); err != why {
			t.Errorf("got %v", err)
		}
	}
}
