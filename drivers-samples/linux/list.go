package main

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// This file draws drivers at random.

// parts are the directories with drivers.
var parts = []string{"drivers", "sound/pci", "sound/usb", "sound/drivers", "sound/soc/codecs"}

// minLines and maxLines bound the drivers that are drawn.
const minLines, maxLines = 150, 3000

// single returns the drivers of a single file below the sources, by directory.
func single(source string) (map[string][]string, error) {
	found := map[string][]string{}
	for _, part := range parts {
		err := filepath.WalkDir(filepath.Join(source, part), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.Name() != "Makefile" {
				return err
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			dir, err := filepath.Rel(source, filepath.Dir(path))
			if err != nil {
				return err
			}
			// Each module of one file is that file.
			for _, name := range objects(text) {
				driver := filepath.Join(dir, name+".c")
				text, err := os.ReadFile(filepath.Join(source, driver))
				if n := bytes.Count(text, []byte("\n")); err == nil && n >= minLines && n <= maxLines {
					// Drivers of a medium size only.
					found[dir] = append(found[dir], driver)
				}
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return found, nil
}

var (
	object    = regexp.MustCompile(`([\w-]+)\.o\b`)
	composite = regexp.MustCompile(`^\s*([\w-]+?)-(y|objs|m|\$\(\w+\))\s*[:+]?=`)
	module    = regexp.MustCompile(`^\s*obj-\$\(CONFIG_(\w+)\)\s*[:+]?=`)
)

// objects returns the modules in a Makefile that consist of one file.
//
//	obj-$(CONFIG_LAMP) += lamp.o        a module of one file
//	obj-$(CONFIG_DESK) += desk.o        of several, because of the next line
//	desk-objs := desk-core.o desk-io.o
func objects(makefile []byte) (names []string) {
	// 1. The modules that consist of several files.
	several := map[string]bool{}
	for _, line := range makeLines(makefile) {
		// Modules of several files are listed first.
		if m := composite.FindStringSubmatch(line); m != nil && m[1] != "obj" {
			several[m[1]] = true
		}
	}
	// 2. The others, each once.
	built(makefile, func(_, name string) {
		if !several[name] && !slices.Contains(names, name) {
			names = append(names, name)
		}
	})
	return names
}

// symbolOf returns the configuration symbol with which a Makefile builds an object, or "".
func symbolOf(makefile []byte, object string) (symbol string) {
	built(makefile, func(with, name string) {
		if name == object && symbol == "" {
			symbol = with
		}
	})
	return symbol
}

// built calls do for each object in a Makefile that depends on a configuration symbol.
//
//	obj-$(CONFIG_LAMP) += lamp.o        "LAMP", "lamp"
func built(makefile []byte, do func(symbol, name string)) {
	for _, line := range makeLines(makefile) {
		m := module.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		for _, o := range object.FindAllStringSubmatch(line, -1) {
			do(m[1], o[1])
		}
	}
}

// makeLines returns the lines of a Makefile or a Kconfig file; one that ends in a backslash goes on.
func makeLines(text []byte) []string {
	return strings.Split(strings.ReplaceAll(string(text), "\\\n", " "), "\n")
}

// list prints drivers that gcc accepts, until there are s.n.
//
//	drivers/x/lamp.c
//	drivers/x/desk.c
//	# 2 drivers; gcc rejects 0 more
func list(ctx context.Context, s *settings) error {
	found, err := single(s.source)
	if err != nil {
		return err
	}
	// 1. Shuffle directories, and drivers within each.
	rng := rand.New(rand.NewPCG(s.seed, 0))
	var dirs []string
	for dir, list := range found {
		dirs = append(dirs, dir)
		slices.Sort(list)
	}
	slices.Sort(dirs)
	rng.Shuffle(len(dirs), func(i, j int) { dirs[i], dirs[j] = dirs[j], dirs[i] })
	for _, dir := range dirs {
		list := found[dir]
		rng.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	}
	// 2. Take one of each directory in turn.
	printed, rejected := 0, 0
	for round := 0; printed < s.n; round++ {
		any := false
		for _, dir := range dirs {
			if round >= len(found[dir]) || printed == s.n {
				continue
			}
			any = true
			driver := found[dir][round]
			if s.compiler(ctx, driver, filepath.Join(s.source, driver), "-fsyntax-only", "-w").Run() != nil {
				rejected++
				continue
			}
			printed++
			fmt.Println(driver)
		}
		if !any {
			break
		}
	}
	fmt.Printf("# %d drivers; gcc rejects %d more\n", printed, rejected)
	return nil
}
