package main

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// This file finds a configuration of the kernel in which a driver is built.
//
// Debian's kernel does not have each driver, and then may lack what the driver needs. The headers
// answer for a subsystem that is left out with functions that only fail,
//
//	static inline int register_rpmsg_driver(struct rpmsg_driver *d) { return -ENXIO; }
//
// so that nothing of the driver is ever called. No kernel is built like that: Kconfig says which symbols a
// driver depends on, and these are set for it, with those that they depend on or select, as few as
// possible. Values of Kconfig are taken as on or off; ranges and choices are not looked at, nor defaults but those
// that are always y, and a symbol that only others select counts as one that can be set.
//
// A driver for a platform of another architecture can be compiled for this one, but nothing there has such a device:
//
//	depends on ARCH_LAMP || COMPILE_TEST
//
// It gets the drivers that ARCH_LAMP selects, and device trees if that architecture has them.

// A symbol is a configuration symbol.
type symbol struct {
	module  bool     // tristate, built as a module
	always  bool     // set where these hold
	depends []expr   // all of them hold where the symbol is set
	only    []expr   // likewise, unless another symbol selects it: def_bool A && B
	selects []string // set with it
	driver  bool     // defined in a directory of drivers
}

// kconfig are the symbols of an architecture, and those that a kernel has set.
type kconfig struct {
	arch      string
	symbols   map[string]*symbol
	set       map[string]bool
	platforms map[string][]string // symbols that drivers of a platform of another architecture have
}

// An expr is a condition of Kconfig: a symbol, or an operator with its operands.
type expr struct {
	op   string // "" of a symbol, "!", "&&", "||"
	name string
	args []expr
}

// readKconfig reads the Kconfig files of a kernel for x86, and the configuration of its headers.
func readKconfig(source, headers string) (*kconfig, error) {
	k := &kconfig{arch: "x86", symbols: map[string]*symbol{}, set: map[string]bool{}, platforms: map[string][]string{}}
	if err := k.read(source, "Kconfig", nil); err != nil {
		return nil, err
	}
	if err := k.readPlatforms(source); err != nil {
		return nil, err
	}
	text, err := os.ReadFile(filepath.Join(headers, "include/generated/autoconf.h"))
	if err != nil {
		return nil, err
	}
	for _, m := range defined.FindAllStringSubmatch(string(text), -1) {
		k.set[strings.TrimSuffix(m[1], "_MODULE")] = true
	}
	return k, nil
}

var (
	// Symbols of which drivers define some, too.
	architecture = regexp.MustCompile(`(^|_)ARCH(_|$)|^HAVE_`)

	defined = regexp.MustCompile(`(?m)^#define CONFIG_(\w+) `)
	entry   = regexp.MustCompile(`^\s*(config|menuconfig|choice|endchoice|menu|endmenu|comment|if|endif|source|rsource|osource|orsource|mainmenu)\b\s*(.*)`)
	setting = regexp.MustCompile(`^\s*(bool|tristate|def_bool|def_tristate|depends on|select|help)\b\s*(.*)`)
)

// read adds the symbols of a file, which is included where all of the conditions hold.
func (k *kconfig) read(source, file string, conditions []expr) error {
	text, err := os.ReadFile(filepath.Join(source, file))
	if errors.Is(err, fs.ErrNotExist) {
		return nil // of another architecture
	}
	if err != nil {
		return err
	}
	var (
		current *symbol // that of the entry that is read
		menu    bool    // the entry is that of a menu
		outer   [][]expr
		help    = -1 // indentation of a help text, 0 before it is known, -1 outside
	)
	for _, line := range makeLines(text) {
		// 1. Help texts end at a line that is indented less.
		if strings.TrimSpace(line) == "" {
			continue
		}
		if help >= 0 {
			indent := indentation(line)
			if help == 0 && indent > 0 {
				help = indent
			}
			if indent >= help && help > 0 {
				continue
			}
			help = -1
		}
		// 2. Settings of an entry.
		if m := setting.FindStringSubmatch(line); m != nil {
			switch m[1] {
			case "help":
				help = 0
			case "depends on":
				cond := parseCondition(m[2])
				if current != nil {
					current.depends = append(current.depends, cond)
				} else if menu {
					conditions = append(slices.Clip(conditions), cond)
				}
			case "select":
				name, condition, _ := strings.Cut(m[2], " if ")
				if current != nil && condition == "" {
					current.selects = append(current.selects, strings.TrimSpace(strings.Split(name, "#")[0]))
				}
			case "tristate", "def_tristate", "def_bool":
				if current != nil {
					current.module = current.module || m[1] != "def_bool"
					switch value := parseCondition(m[2]); {
					case m[1] == "tristate" || strings.Contains(m[2], " if "):
					case value.name == "y":
						current.always = true
					default:
						current.only = append(current.only, value)
					}
				}
			}
			continue
		}
		// 3. Entries, and conditions about several of them.
		m := entry.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		current, menu = nil, false
		switch m[1] {
		case "config", "menuconfig":
			// Definitions in several places add up, which is stricter than Kconfig.
			name := strings.TrimSpace(m[2])
			if k.symbols[name] == nil {
				k.symbols[name] = &symbol{driver: strings.HasPrefix(file, "drivers/")}
			}
			current = k.symbols[name]
			current.depends = append(current.depends, conditions...)
		case "menu", "choice", "if":
			outer = append(outer, conditions)
			menu = m[1] != "if"
			if !menu {
				conditions = append(slices.Clip(conditions), parseCondition(m[2]))
			}
		case "endmenu", "endchoice", "endif":
			if len(outer) == 0 {
				return fmt.Errorf("%s: %s ends nothing", file, m[1])
			}
			conditions, outer = outer[len(outer)-1], outer[:len(outer)-1]
		case "source", "osource":
			name := strings.ReplaceAll(strings.Trim(strings.TrimSpace(m[2]), `"`), "$(SRCARCH)", k.arch)
			if err := k.read(source, name, conditions); err != nil {
				return err
			}
		}
	}
	return nil
}

// readPlatforms finds the symbols that drivers of the platforms of other architectures have.
func (k *kconfig) readPlatforms(source string) error {
	files, err := filepath.Glob(filepath.Join(source, "arch/*/Kconfig"))
	if err != nil {
		return err
	}
	for _, file := range files {
		other := &kconfig{arch: filepath.Base(filepath.Dir(file)), symbols: map[string]*symbol{}}
		if other.arch == k.arch {
			continue
		}
		if err := other.read(source, filepath.Join("arch", other.arch, "Kconfig"), nil); err != nil {
			return err
		}
		trees := slices.ContainsFunc(slices.Collect(maps.Values(other.symbols)), func(s *symbol) bool { return slices.Contains(s.selects, "OF") })
		for name, s := range other.symbols {
			if k.symbols[name] != nil {
				continue
			}
			for _, x := range s.selects {
				// No symbols about headers of the architecture.
				if k.symbols[x] != nil && k.symbols[x].driver && !architecture.MatchString(x) {
					k.platforms[name] = append(k.platforms[name], x)
				}
			}
			if trees {
				k.platforms[name] = append(k.platforms[name], "OF")
			}
		}
	}
	return nil
}

// indentation returns the column at which a line begins.
func indentation(line string) (n int) {
	for _, c := range line {
		switch c {
		case ' ':
			n++
		case '\t':
			n += 8 - n%8
		default:
			return n
		}
	}
	return n
}

// tokens are those of conditions. A call of the shell is a symbol that nobody has.
var tokens = regexp.MustCompile(`\$\(.*\)|"[^"]*"|\w+|&&|\|\||!=|[=!()]`)

// parseCondition reads a condition, up to a comment.
func parseCondition(text string) expr {
	text, _, _ = strings.Cut(text, "#")
	p := &conditionParser{tokens.FindAllString(text, -1)}
	return p.binary("||", func() expr { return p.binary("&&", p.factor) })
}

// A conditionParser reads the tokens of a condition.
type conditionParser struct{ tokens []string }

// take removes the next token if it is one of these.
func (p *conditionParser) take(any ...string) string {
	if len(p.tokens) == 0 || !slices.Contains(any, p.tokens[0]) {
		return ""
	}
	t := p.tokens[0]
	p.tokens = p.tokens[1:]
	return t
}

// binary reads operands of an operator.
func (p *conditionParser) binary(op string, operand func() expr) expr {
	e := operand()
	for p.take(op) != "" {
		e = expr{op: op, args: []expr{e, operand()}}
	}
	return e
}

// factor reads a symbol, a comparison of one, or a condition after ! or in parentheses.
func (p *conditionParser) factor() expr {
	if p.take("!") != "" {
		return expr{op: "!", args: []expr{p.factor()}}
	}
	if p.take("(") != "" {
		e := p.binary("||", func() expr { return p.binary("&&", p.factor) })
		p.take(")")
		return e
	}
	if len(p.tokens) == 0 {
		return expr{}
	}
	e := expr{name: p.tokens[0]}
	p.tokens = p.tokens[1:]
	if op := p.take("=", "!="); op != "" && len(p.tokens) > 0 {
		// A comparison with n is one whether the symbol is set.
		if (op == "=") == (p.tokens[0] == "n") {
			e = expr{op: "!", args: []expr{e}}
		}
		p.tokens = p.tokens[1:]
	}
	return e
}

// Costs of conditions that cannot be met: a symbol that only other architectures have, which is left out, and
// one that must not be set, and is.
const (
	foreign  = 1000
	conflict = 1000 * foreign
)

// needs adds to set the symbols that must be set, beside those of set, for a condition, as few as
// possible, and returns how many these are; a condition that cannot be met costs more than that.
func (k *kconfig) needs(e expr, set map[string]bool) (cost int) {
	switch e.op {
	case "&&":
		return k.needs(e.args[0], set) + k.needs(e.args[1], set)
	case "||":
		// The cheaper side; both begin with the same symbols.
		left, right := maps.Clone(set), maps.Clone(set)
		a, b := k.needs(e.args[0], left), k.needs(e.args[1], right)
		if a <= b {
			maps.Copy(set, left)
			return a
		}
		maps.Copy(set, right)
		if a >= foreign && a < conflict {
			k.asPlatform(e.args[0], set) // which is no reason to choose the other side
		}
		return b
	case "!":
		if e.args[0].op == "" && k.symbols[e.args[0].name] != nil && set[e.args[0].name] {
			return conflict
		}
		return 0
	}
	if e.name == "y" || e.name == "m" || set[e.name] {
		return 0
	}
	s := k.symbols[e.name]
	if s == nil {
		k.asPlatform(e, set)
		return foreign
	}
	// The symbol first, since dependencies may be circular. It is not set where something excludes it.
	before := maps.Clone(set)
	set[e.name] = true
	cost = 1
	for _, d := range s.depends {
		cost += k.needs(d, set)
	}
	for _, d := range s.only {
		cost += k.needs(d, set)
	}
	for _, name := range s.selects {
		if k.symbols[name] != nil {
			cost += k.needs(expr{name: name}, set)
		}
	}
	if cost >= conflict {
		clear(set)
		maps.Copy(set, before)
	}
	return cost
}

// asPlatform adds to set the symbols that drivers of the first platform in e have that is not for this architecture, and
// reports whether there is one.
func (k *kconfig) asPlatform(e expr, set map[string]bool) bool {
	switch {
	case e.op == "||" || e.op == "&&":
		return k.asPlatform(e.args[0], set) || k.asPlatform(e.args[1], set)
	case e.op != "" || k.symbols[e.name] != nil:
		return false
	}
	for _, name := range k.platforms[e.name] {
		with := maps.Clone(set)
		if k.needs(expr{name: name}, with) < foreign {
			maps.Copy(set, with)
		}
	}
	return len(k.platforms[e.name]) > 0
}

// holds reports whether a condition holds where the symbols in set are set.
func (k *kconfig) holds(e expr, set map[string]bool) bool {
	switch e.op {
	case "&&":
		return k.holds(e.args[0], set) && k.holds(e.args[1], set)
	case "||":
		return k.holds(e.args[0], set) || k.holds(e.args[1], set)
	case "!":
		return !k.holds(e.args[0], set)
	}
	return e.name == "y" || e.name == "m" || set[e.name]
}

// addDefaults adds the symbols that are always set where their conditions hold, which the kernel does not have since one
// of these did not hold.
func (k *kconfig) addDefaults(set map[string]bool) {
	for changed := true; changed; {
		changed = false
		for name, s := range k.symbols {
			all := func(in map[string]bool) bool {
				return !slices.ContainsFunc(s.depends, func(d expr) bool { return !k.holds(d, in) })
			}
			if s.always && !set[name] && all(set) && !all(k.set) {
				set[name], changed = true, true
			}
		}
	}
}

// flags returns macros for the symbols that a driver needs beside those that the kernel has, sorted.
//
//	-DCONFIG_QCOM_APR_MODULE=1 -DCONFIG_RPMSG_MODULE=1
func (k *kconfig) flags(name string) (list []string) {
	set := maps.Clone(k.set)
	k.needs(expr{name: name}, set)
	k.addDefaults(set)
	for n := range set {
		if k.set[n] {
			continue
		}
		if k.symbols[n].module {
			n += "_MODULE"
		}
		list = append(list, "-DCONFIG_"+n+"=1")
	}
	slices.Sort(list)
	return list
}
