package frontend_test

import (
	"context"
	"fmt"

	"c2bp/frontend"
	"c2bp/frontend/core"
	"c2bp/source"
)

func ExampleLoad() {
	file := source.NewFile("sum.c", []byte(`
#include <assert.h>
int g;
int main(void)
{
    int i = 0;
    while (i++ < 3)
        g += i;
    assert(g == 6);
    return 0;
}
`))
	u, err := frontend.Load(context.Background(), []*source.File{file}, frontend.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(u.Program)
	preds, err := u.Resolve([]core.PredicateText{{Scope: "main", Text: "g==(i*(i-1))/2"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(preds[0].Proc.Name+":", preds[0].Name)
	// Output:
	// // assume integers: signed overflow is absent
	// global g int32
	//
	// proc main() int32
	//   local i int32
	//   local \result int32
	//   0: g := 0            -> 1
	//   1: i := 0            -> 2
	//   2: i := i + 1        -> 3
	//   3: branch            -> 4 5
	//   4: assume i - 1 < 3  -> 6
	//   5: assume i - 1 >= 3 -> 7
	//   6: g := g + i        -> 2
	//   7: assert g == 6     -> 8
	//   8: \result := 0      -> 9
	//   9: return
	// main: g == (i * (i - 1)) / 2
}
