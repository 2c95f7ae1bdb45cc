package boolprog_test

import (
	"fmt"

	"c2bp/boolprog"
	"c2bp/source"
)

func Example() {
	text := `decl g;
bool f(x) begin
  while (x) do g, x := x, *; od
  return g;
end
main() begin decl h; h := f(1); assert(h); end`
	p, warnings, err := boolprog.Parse(source.NewFile("f.bp", []byte(text)), boolprog.ParseOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	more, err := boolprog.Check(p)
	fmt.Println(len(warnings), len(more), err)
	for i, n := range boolprog.BuildGraph(p).Procs[0].Nodes {
		head := "end"
		if n.Stmt != nil {
			head = boolprog.StmtString(n.Stmt.Op)
		}
		fmt.Println(i, head, n.Succ)
	}
	fmt.Print(p)
	// Output:
	// 0 0 <nil>
	// 0 while (x) [1 2]
	// 1 g, x := x, * [0]
	// 2 return g [3]
	// 3 end []
	// decl g;
	//
	// bool f(x)
	// begin
	//     while (x) do
	//         g, x := x, *;
	//     od;
	//     return g;
	// end
	//
	// void main()
	// begin
	//     decl h;
	//     h := f(1);
	//     assert(h);
	// end
}

func Example_error() {
	text := `decl g;
bool f(x) begin
  while (x) do g, y := x, *; od
  return g;
end
main() begin decl h; h := f(1); assert(h); end`
	p, _, _ := boolprog.Parse(source.NewFile("f.bp", []byte(text)), boolprog.ParseOptions{})
	_, err := boolprog.Check(p)
	fmt.Println(err)
	// Output:
	// f.bp:3:19: error: variable "y" is not declared
	//       while (x) do g, y := x, *; od
	//                       ^
}
