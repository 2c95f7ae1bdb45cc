package ccfix

import (
	"bytes"
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"modernc.org/cc/v4"

	"c2bp/internal/testkit"
)

// This file compares macro expansion with gcc's: random macros, then random uses.

// TestMacros: the same tokens come out.
func TestMacros(t *testing.T) {
	count := testkit.Count(400, 6_000)
	for seed := int64(1); count > 0; seed, count = seed+1, count-200 {
		if diffs := compareMacros(t, seed, min(count, 200)); len(diffs) > 0 {
			t.Errorf("%d programs differ; the first\n%.3000s", len(diffs), diffs[0])
		}
	}
}

// TestVariadics shows what is rewritten.
func TestVariadics(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		{"#define F(f, arg...) p(f, ## arg)", "#define F(f, ...) p(f, ## __VA_ARGS__)"},
		{"#define F(arg...) g(\"arg\", 'a', #arg /* arg */) arg", "#define F(...) g(\"arg\", 'a', #__VA_ARGS__ /* arg */) __VA_ARGS__"},
		{"#define F(f,...) p(f,##__VA_ARGS__)", "#define F(f,...) p(f, ##__VA_ARGS__)"},
		{"#define F(f, a ...) p(f,\\\n  ##a)\narg;", "#define F(f,  ...) p(f,\\\n  ##__VA_ARGS__)\narg;"},
		{"/* c\n */ # define F(a...) a\n", "/* c\n */ # define F(...) __VA_ARGS__\n"},
		{"/*\n#define F(a...) a\n*/", "/*\n#define F(a...) a\n*/"},
		{"#define F (a...) a", "#define F (a...) a"},
		{"#define F(a, b) a ## b ...", "#define F(a, b) a ## b ..."},
		{"#define F(a...", "#define F(a..."},
		{"#define F(...) x ## __VA_ARGS__", "#define F(...) x ## __VA_ARGS__"},
		{"int f(int a, ...);", "int f(int a, ...);"},
	} {
		if got := string(variadics([]byte(test.in))); got != test.want {
			t.Errorf("variadics(%q)\n got %q\nwant %q", test.in, got, test.want)
		}
	}
}

// compareMacros compares n programs and returns what differs.
func compareMacros(t *testing.T, seed int64, n int) (diffs []string) {
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("there is no gcc to compare with")
	}
	r := rand.New(rand.NewSource(seed))
	programs := make([]string, n)
	lines := 0
	var text strings.Builder
	first := make([]int, n) // lines
	for i := range programs {
		programs[i] = (&macroMaker{Rand: r, prefix: fmt.Sprintf("M%d_", i)}).program()
		first[i] = lines + 1
		s := fmt.Sprintf("%sendof %d ;\n", programs[i], i)
		lines += strings.Count(s, "\n")
		text.WriteString(s)
	}
	name := filepath.Join(t.TempDir(), "macros.c")
	if err := os.WriteFile(name, []byte(text.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	var want, complaints bytes.Buffer
	c := exec.Command("gcc", "-E", "-P", "-undef", "-std=gnu11", "-w", name)
	c.Stdout, c.Stderr = &want, &complaints
	_ = c.Run() // it fails if one of the programs is wrong
	wrong := wrongPrograms(complaints.String(), first)
	theirs := byProgram(want.String())
	compared := 0
	for i, program := range programs {
		if wrong[i] {
			continue
		}
		compared++
		ours, err := preprocessed(program)
		if got := strings.Join(ours, " "); err != nil || got != theirs[i] {
			diffs = append(diffs, fmt.Sprintf("%s\ngot  %s (%v)\nwant %s", program, got, err, theirs[i]))
		}
	}
	if compared < n/3 {
		t.Errorf("only %d of %d programs could be compared:\n%.500s", compared, n, complaints.String())
	}
	return diffs
}

// preprocessed is what our preprocessor makes of text, as tokens.
func preprocessed(text string) (out []string, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v", r)
		}
	}()
	p := New()
	cfg, err := p.config()
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	prepared, _ := p.prepare("m.c", []byte(text))
	err = cc.Preprocess(cfg, []cc.Source{{Name: "macros.c", Value: prepared}}, &b)
	return words(b.String()), err
}

// words are the tokens of text, without blanks inside of them: cc and gcc put different
// ones into what # makes.
func words(text string) (list []string) {
	toks, _ := lex([]byte(text))
	for _, t := range toks {
		list = append(list, strings.ReplaceAll(text[t.start:t.end], " ", ""))
	}
	return list
}

// byProgram cuts the output of gcc at the ends of programs.
func byProgram(text string) map[int]string {
	out := map[int]string{}
	list := words(text)
	from := 0
	for i := range list {
		if list[i] == "endof" && i+1 < len(list) {
			if n, err := strconv.Atoi(list[i+1]); err == nil {
				out[n] = strings.Join(list[from:i], " ")
			}
			from = i + 3
		}
	}
	return out
}

var complaint = regexp.MustCompile(`(?m)^[^:\n]*\.c:(\d+):\d+: error`)

// wrongPrograms are those that gcc complains of, by its messages and the programs' first
// lines.
func wrongPrograms(messages string, first []int) map[int]bool {
	wrong := map[int]bool{}
	for _, m := range complaint.FindAllStringSubmatch(messages, -1) {
		line, _ := strconv.Atoi(m[1])
		for i, f := range first {
			if f <= line && (i+1 == len(first) || line < first[i+1]) {
				wrong[i] = true
			}
		}
	}
	return wrong
}

// macroMaker makes a few macros and uses of them.
type macroMaker struct {
	*rand.Rand
	prefix string
	arity  []int // of the macros so far; -1: no parameters, 10+n: n and variable arguments
}

func (m *macroMaker) program() string {
	var b strings.Builder
	for range 2 + m.Intn(3) {
		b.WriteString(m.define())
	}
	for range 1 + m.Intn(3) {
		b.WriteString(m.tokens(4, nil, "", len(m.arity)) + ";\n")
	}
	return b.String()
}

func (m *macroMaker) define() string {
	k := len(m.arity)
	var params []string
	va := ""
	head := fmt.Sprintf("#define %s%d", m.prefix, k)
	switch arity := m.Intn(6); {
	case arity == 0:
		m.arity = append(m.arity, -1)
		return fmt.Sprintf("%s %s\n", head, m.tokens(4, nil, "", k+1))
	case arity < 4:
		params = []string{"a", "b", "c"}[:m.Intn(4)]
		m.arity = append(m.arity, len(params))
	default:
		params = []string{"a", "b"}[:m.Intn(3)]
		m.arity = append(m.arity, 10+len(params))
		va = []string{vaArgs, "rest"}[m.Intn(2)]
	}
	list := append([]string(nil), params...)
	switch va {
	case vaArgs:
		list = append(list, "...")
	case "rest":
		list = append(list, "rest...")
	}
	body := m.tokens(5, params, va, k+1)
	if va != "" && m.Intn(2) == 0 {
		body += []string{", ## ", ",##"}[m.Intn(2)] + va
	}
	return fmt.Sprintf("%s(%s) %s\n", head, strings.Join(list, ", "), body)
}

// tokens is a sequence of up to n things; macros below k may be used in it.
func (m *macroMaker) tokens(n int, params []string, va string, k int) string {
	var out []string
	for range 1 + m.Intn(n) {
		out = append(out, m.token(n, params, va, k))
	}
	return strings.Join(out, " ")
}

func (m *macroMaker) token(n int, params []string, va string, k int) string {
	if len(params) > 0 {
		p := params[m.Intn(len(params))]
		switch m.Intn(7) {
		case 0:
			return "#" + p
		case 1:
			return "x ## " + p
		case 2:
			return p + " ## 1"
		case 3:
			return p + "##" + params[m.Intn(len(params))]
		case 4, 5:
			return p
		}
	}
	if va != "" && m.Intn(3) == 0 {
		return []string{va, "#" + va, va}[m.Intn(3)]
	}
	if k > 0 && n > 1 && m.Intn(2) == 0 {
		return m.use(m.Intn(k), n, params, va, k)
	}
	return []string{"x", "y", "1", "2", "+", "-", "(x)", "\"s\"", "'c'"}[m.Intn(9)]
}

// use is a use of macro i.
func (m *macroMaker) use(i, n int, params []string, va string, k int) string {
	name, variadic := m.prefix+strconv.Itoa(i), false
	if i >= len(m.arity) { // itself, which is being defined
		return name + "(x)"
	}
	count := m.arity[i]
	switch {
	case count < 0:
		return name
	case m.Intn(10) == 0:
		return name // without arguments: no use
	case count >= 10:
		variadic = true
		count = max(1, count-10+m.Intn(3))
	}
	args := make([]string, count)
	for j := range args {
		if m.Intn(6) > 0 {
			args[j] = m.tokens(n-1, params, va, k)
		}
		if variadic {
			args[j] += " x" // gcc distinguishes empty variable arguments from none
		}
	}
	return name + "(" + strings.Join(args, ", ") + ")"
}
