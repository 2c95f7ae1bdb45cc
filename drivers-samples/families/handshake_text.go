package families

import "fmt"

// This file writes handshakes as C.

// text returns h as C.
func (h *handshake) text(name string) string {
	var t text
	t.line("/* %s: %d states in one loop */", name, len(h.states))
	t.line("extern int __VERIFIER_nondet_int(void);")
	t.line("")
	for s := range h.states {
		t.line("#define ST_%-14s 0x%x", stateNames[s], code(s))
	}
	t.line("")
	for _, f := range flagNames {
		t.line("int %s = 0;", f)
	}
	t.line("int retries = 0;")
	t.line("")
	t.line("int main(void)")
	t.line("{")
	t.line("int state = ST_CLOSED;")
	t.line("int reply;")
	t.line("")
	t.line("while (1) {")
	t.line("reply = __VERIFIER_nondet_int();")
	t.line("if (reply == 0)")
	t.line("    goto out;")
	// One case for each state.
	t.line("switch (state) {")
	for s, st := range h.states {
		t.line("case ST_%s:", stateNames[s])
		t.indent++
		h.state(&t, st)
		t.line("break;")
		t.indent--
	}
	t.line("default:")
	t.line("    goto ERROR;")
	t.line("}")
	t.line("}")
	t.line("out:")
	t.line("return 0;")
	t.line("ERROR:")
	t.line("return 1;")
	t.line("}")
	return t.String()
}

// code returns the number of state s: neither in order nor dense.
func code(s int) int { return 0x1000 + 0x10*(s*17%64) + s%3 }

// state writes the checks and branches of a state.
//
//	case ST_LISTEN:
//	    if (resumed != 0)
//	        goto ERROR;
//	    if (reply == 5) {
//	        authentic = 0;
//	        state = ST_HELLO_SEND;
//	    } else if (reply == 18 && retries < 3) {
//	        retries = retries + 1;
//	        state = ST_LISTEN;
//	    } else if (reply < 0) {
//	        retries = 0;
//	        state = ST_CLOSED;
//	    }
//	    break;
func (h *handshake) state(t *text, st hsState) {
	for _, f := range st.checked {
		t.line("if (%s != %d)", flagNames[f], st.known[f])
		t.line("    goto ERROR;")
	}
	start := ""
	for _, b := range st.branches {
		t.line("%sif (%s) {", start, b.condition())
		start = "} else "
		if b.retry {
			t.line("retries = retries + 1;")
		}
		for _, s := range b.set {
			t.line("%s = %d;", flagNames[s.flag], s.value)
		}
		if b.to == 0 {
			t.line("retries = 0;")
		}
		t.line("state = ST_%s;", stateNames[b.to])
	}
	t.line("}")
}

// condition returns the condition of a branch.
//
//	reply == 18 && resumed == 1 && retries < 3
func (b hsBranch) condition() string {
	c := fmt.Sprintf("reply == %d", b.high)
	if b.low != b.high {
		c = "reply < 0"
	}
	if b.guard >= 0 {
		c += fmt.Sprintf(" && %s == %d", flagNames[b.guard], b.is)
	}
	if b.retry {
		c += fmt.Sprintf(" && retries < %d", maxRetries)
	}
	return c
}
