package harness_test

import (
	"context"
	"fmt"

	"c2bp/frontend"
	"c2bp/frontend/core/interp"
	"c2bp/refine/harness"
	"c2bp/source"
)

// A run that fails is recorded and becomes a C file.
func ExampleWrite() {
	file := source.NewFile("in.c", []byte(`
unsigned char inb(unsigned short port);
void reach_error(void);
int main(void)
{
    if (inb(0x60) > 254)
        reach_error();
    return 0;
}
`))
	u, err := frontend.Load(context.Background(), []*source.File{file}, frontend.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for seed := uint64(0); ; seed++ {
		rec := harness.NewRecorder(u.Program, interp.NewRandom(u.Program, seed), interp.Options{})
		event, err := rec.Run(context.Background(), 1000)
		if err != nil || event.Kind != interp.Failed {
			continue
		}
		p := harness.PropertyAt(event.Proc, event.Node, "")
		h := harness.Write(rec.Recording(), p, harness.LeftToRight)
		fmt.Println(p)
		fmt.Println(len(rec.Recording().Inputs), "input:", rec.Recording().Inputs[0].Value, "from", rec.Recording().Inputs[0].Func.CName)
		fmt.Println(len(h.Gaps), "gaps")
		return
	}
	// Output:
	// the assertion at in.c:7 fails
	// 1 input: 255 from inb
	// 0 gaps
}
