package ccfix

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"syscall"
	"time"

	"c2bp/frontend/stubs"
	"c2bp/source"
)

// This file serves the texts of #include: files of the user, or the embedded
// headers. See pragma.go for how often a file may be included.

// includes is the file system that cc opens #include files through.
type includes struct{ *Parser }

// Open opens the file that cc calls name, with its text as cc gets it. cc tries one directory after
// another until there is no error.
func (inc includes) Open(name string) (fs.File, error) {
	if rest, ok := strings.CutPrefix(name, stubDir+"/"); ok && realName(name) == name {
		return stubs.Include.Open("include/" + rest)
	}
	text, err := inc.read(realName(name))
	var why *unreadable
	if errors.As(err, &why) { // cc would open the file itself, and wait for its end
		return &memFile{Reader: bytes.NewReader(nil), name: path.Base(name), failure: why}, nil
	}
	if err != nil {
		return nil, err
	}
	if inc.macrosOnly {
		text = onlyDirectives(text)
		inc.stripped[realName(name)] = true
	}
	return &memFile{Reader: bytes.NewReader(inc.entered(name, text)), name: path.Base(name)}, nil
}

// rootDir stands in front of absolute paths in directives: cc joins each directory in which it
// looks and the path that is given.
const rootDir = "$c2bp-root$"

// realName returns the name of a file for a name that cc has for it: without rootDir and all before it.
func realName(name string) string {
	if i := strings.Index(name, rootDir+"/"); i >= 0 {
		return name[i+len(rootDir):]
	}
	return name
}

// read returns an include file's text and keeps it for quoting. A file is read once, for all
// translation units. The error is an *unreadable for a file that exists and is not to be read.
func (p *Parser) read(name string) ([]byte, error) {
	if f := p.Files[name]; f != nil {
		return f.Text, nil
	}
	open := readRegular
	if p.unit.ReadFile != nil {
		open = p.unit.ReadFile
	}
	text, err := open(name)
	var why *unreadable
	switch {
	case err == nil:
		p.Files[name] = source.NewFile(name, text)
	case errors.As(err, &why):
		if p.unreadable == nil {
			p.unreadable = map[string]*unreadable{}
		}
		p.unreadable[name] = why
	}
	return text, err
}

// maxInclude bounds the size of an included file.
const maxInclude = 64 << 20

// unreadable says why a file that exists is not read: it may have no end, or never give
// anything.
type unreadable struct{ why string }

// Error returns the reason.
func (u *unreadable) Error() string { return u.why }

// readRegular reads a file, unless it is a device, a pipe, or something else that is not
// read like a file. Opening and reading do not wait: that is for files of the kernel's,
// which look regular.
func readRegular(name string) ([]byte, error) {
	// 1. Open it without waiting, and look at its kind.
	fd, err := syscall.Open(name, syscall.O_RDONLY|syscall.O_NONBLOCK|syscall.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	defer syscall.Close(fd)
	var info syscall.Stat_t
	if err := syscall.Fstat(fd, &info); err != nil {
		return nil, err
	}
	switch info.Mode & syscall.S_IFMT {
	case syscall.S_IFREG:
	case syscall.S_IFDIR:
		return nil, syscall.EISDIR
	default:
		return nil, &unreadable{"it is a device or a pipe, and not a file"}
	}
	// 2. Read it up to its end or the limit, whatever size it claims.
	text := make([]byte, 0, min(max(info.Size, 0), maxInclude)+512)
	for {
		if len(text) == cap(text) {
			text = slices.Grow(text, len(text))
		}
		n, err := syscall.Read(fd, text[len(text):cap(text)])
		switch {
		case err == syscall.EINTR:
			continue
		case err != nil:
			return nil, &unreadable{err.Error()}
		case n == 0:
			return text, nil
		}
		if text = text[:len(text)+n]; len(text) > maxInclude {
			return nil, &unreadable{fmt.Sprintf("it is larger than %d MiB", maxInclude>>20)}
		}
	}
}

// memFile is a file in memory, or one that cannot be read: it can be opened, and reading it fails,
// so that cc does not look for it elsewhere.
type memFile struct {
	*bytes.Reader
	name    string
	failure *unreadable
}

// Read reads the text, or fails if the file cannot be read.
func (f *memFile) Read(p []byte) (int, error) {
	if f.failure != nil {
		return 0, f.failure
	}
	return f.Reader.Read(p)
}

// Close does nothing.
func (f *memFile) Close() error { return nil }

// Stat returns the file itself, which describes itself.
func (f *memFile) Stat() (fs.FileInfo, error) { return f, nil }

// The methods of fs.FileInfo.
func (f *memFile) Name() string       { return f.name }
func (f *memFile) Mode() fs.FileMode  { return 0o444 }
func (f *memFile) ModTime() time.Time { return time.Time{} }
func (f *memFile) IsDir() bool        { return false }
func (f *memFile) Sys() any           { return nil }
