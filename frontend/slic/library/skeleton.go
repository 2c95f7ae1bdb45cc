package library

import (
	"embed"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// This file writes the folder of a new rule: a rule that works, to be changed.

//go:embed skeleton
var skeleton embed.FS

// IsName reports whether a rule may have the name: lower-case letters, digits, and dashes between them.
func IsName(name string) bool {
	ok := name != "" && name[0] >= 'a' && name[0] <= 'z' && !strings.HasSuffix(name, "-")
	for _, c := range name {
		ok = ok && (c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '-')
	}
	return ok
}

// Skeleton writes the folder of a rule called name into the directory dir, and returns the names of its files. The
// rule is one that its examples keep to and violate as they say. Nothing that exists is overwritten: if dir
// has something of that name, or l a rule, that is an error.
func (l *Library) Skeleton(dir, name string) (written []string, err error) {
	to := path.Join(filepath.ToSlash(dir), name)
	if old, twice := l.dirs[name]; twice {
		return nil, wrong(to, "there is a rule of this name, %s; expected another name", path.Join(old, name))
	}
	// 1. The folder, which must be new.
	if err := os.MkdirAll(filepath.FromSlash(path.Dir(to)), 0o777); err != nil {
		return nil, wrong(to, "%v", reason(err))
	}
	if err := os.Mkdir(filepath.FromSlash(to), 0o777); err != nil {
		return nil, wrong(to, "%v; expected a name that nothing has", reason(err))
	}
	// 2. Its files. NAME in them is the name of the rule in the language, which has no dashes.
	entries, err := fs.ReadDir(skeleton, "skeleton")
	if err != nil {
		return nil, fmt.Errorf("the skeleton of a rule: %w", err)
	}
	for _, e := range entries {
		text, err := fs.ReadFile(skeleton, path.Join("skeleton", e.Name()))
		if err != nil {
			return written, fmt.Errorf("the skeleton of a rule: %w", err)
		}
		file := path.Join(to, e.Name())
		changed := strings.ReplaceAll(string(text), "NAME", strings.ReplaceAll(name, "-", "_"))
		if err := os.WriteFile(filepath.FromSlash(file), []byte(changed), 0o666); err != nil {
			return written, wrong(file, "%v", reason(err))
		}
		written = append(written, file)
	}
	return written, nil
}
