package ccfix

import (
	"strings"
	"testing"
)

// TestPreludePart: a small program gets a part of the prelude only.
func TestPreludePart(t *testing.T) {
	p := New()
	small, all := p.builtins(nil, "long x; int main(void) { return __builtin_popcountll(x); }"), p.builtins(nil, "#include OTHER")
	if 3*len(small) > len(all) || !strings.Contains(small, "__builtin_popcountll(") || strings.Contains(small, "__builtin_popcountl(") {
		t.Errorf("a small program has %d bytes of a prelude of %d", len(small), len(all))
	}
	if commented := p.builtins(nil, "int main(void) { return 0; }\n/* include */"); commented != all {
		t.Errorf("a text that may include something has %d bytes of a prelude of %d", len(commented), len(all))
	}
}
