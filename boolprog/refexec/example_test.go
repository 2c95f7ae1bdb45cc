package refexec_test

import (
	"context"
	"fmt"

	"c2bp/boolprog"
	"c2bp/boolprog/refexec"
	"c2bp/source"
)

func ExampleExplore() {
	const text = `class Box { bool full; }
ref Box g;
void main() begin
  g := new Box;
  spoil();
  assert(!g.full);
end
void spoil() begin
  ref Box mine;
  mine := g;
  if (*) then mine.full := 1; else g := null; fi
end`
	p, _, err := boolprog.Parse(source.NewFile("box.bp", []byte(text)), boolprog.ParseOptions{})
	if err == nil {
		_, err = boolprog.Check(p)
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	g := boolprog.BuildGraph(p)
	r, err := refexec.Explore(context.Background(), g, refexec.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range r.Failures {
		fmt.Println("can fail:", g.Procs[s.Proc].Nodes[s.Node].Stmt.Pos)
	}
	for _, s := range r.Nulls {
		fmt.Println("can dereference null:", g.Procs[s.Proc].Nodes[s.Node].Stmt.Pos)
	}
	fmt.Println(r.States, "states, all of them:", r.Complete)
	// Output:
	// can fail: box.bp:6:3
	// can dereference null: box.bp:6:3
	// 10 states, all of them: true
}
