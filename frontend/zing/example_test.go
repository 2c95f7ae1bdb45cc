package zing_test

import (
	"fmt"

	"c2bp/frontend/zing"
	"c2bp/source"
)

// A model is loaded; each name in it then leads to its declaration.
func Example() {
	text := `
chan Pipe int;
class Main {
    static Pipe pipe = new Pipe;
    static activate void producer() { send(pipe, 5); }
    static activate void consumer() {
        byte got; int x;
        select { receive(pipe, x) -> got = x + 1; }
    }
};`
	p, _, err := zing.Load([]*source.File{source.NewFile("pipe.zing", []byte(text))})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, m := range p.Activate {
		fmt.Println("process", m.Owner, m.Name.Name)
		zing.Inspect(m, func(n zing.Node) bool {
			switch n := n.(type) {
			case *zing.Convert:
				fmt.Printf("  %s from %s to %s\n", zing.ExprString(n), n.X.TypeOf(), n.Type)
			case *zing.Name:
				switch s := n.Symbol.(type) {
				case *zing.Field:
					fmt.Printf("  %s is global %d, a %s\n", n.Name, s.Index, s.Type)
				case *zing.Local:
					fmt.Printf("  %s is local %d, a %s\n", n.Name, s.Index, s.Type)
				}
			}
			return true
		})
	}
	// Output:
	// process Main producer
	//   pipe is global 0, a Pipe
	// process Main consumer
	//   pipe is global 0, a Pipe
	//   x is local 1, a int
	//   got is local 0, a byte
	//   x + 1 from int to byte
	//   x is local 1, a int
}

// Errors have a place, the line and a caret.
func ExampleParse() {
	_, err := zing.Parse([]*source.File{source.NewFile("m.zing", []byte("class M {\n    int x;\n}\nclass N { };"))})
	fmt.Println(err)
	// Output:
	// m.zing:3:2: error: expected ";" after the declaration of the class "M", found the keyword "class": every declaration ends with one, also after "}"
	//     }
	//      ^
}
