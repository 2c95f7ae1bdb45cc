package wide

import (
	"context"
	"os/exec"
	"testing"
)

// Nearly all programs are defined and of use, all forms are compiled, and what is chosen
// reaches its goal.
func TestPrograms(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("gcc is not installed; it compiles the programs")
	}
	var list []*Program
	for _, c := range classes {
		for _, f := range c.forms {
			list = append(list, Generate(uint64(len(list)), Options{Classes: []string{c.name}, Form: f.name, Parts: 1}))
		}
	}
	runs, err := (&Compiler{Dir: t.TempDir()}).All(context.Background(), list)
	if err != nil {
		t.Fatal(err)
	}
	unsafe := 0
	for i, p := range list {
		if runs[i].Discarded != "" {
			t.Errorf("seed %d, %v: %s\n%s", p.Seed, p.Forms, runs[i].Discarded, p.Files(make([]string, len(p.Checks)))[0].Text)
			continue
		}
		for goal := Safe; goal <= Grey; goal++ {
			list, reached := p.Choose(runs[i], goal)
			fails := runs[i].Fails(list)
			if (len(fails) > 0) != (reached == Unsafe) {
				t.Errorf("seed %d, %v: the goal %d is reached, failing: %v", p.Seed, p.Forms, reached, fails)
			}
			if reached == Unsafe {
				unsafe++
			}
		}
	}
	if unsafe < len(list)*9/10 {
		t.Errorf("of %d programs only %d can fail", len(list), unsafe)
	}
}

// A seed stands for one program.
func TestSame(t *testing.T) {
	t.Parallel()
	for seed := range uint64(20) {
		a, b := Generate(seed, Options{}), Generate(seed, Options{})
		if x, y := a.Files(make([]string, len(a.Checks))), b.Files(make([]string, len(b.Checks))); x[0].Text != y[0].Text {
			t.Errorf("seed %d: %s\n%s", seed, x[0].Text, y[0].Text)
		}
	}
}
