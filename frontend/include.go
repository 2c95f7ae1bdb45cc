package frontend

import (
	"bytes"
	"io/fs"
	"os"
	"path"
	"strings"
	"time"

	"c2bp/frontend/stubs"
	"c2bp/source"
)

// This file serves the texts of #include: files of the user, or the embedded
// headers. See pragma.go for how often a file may be included.

// includes is the file system that cc opens #include files through.
type includes struct{ *parser }

func (inc includes) Open(name string) (fs.File, error) {
	if rest, ok := strings.CutPrefix(name, stubDir+"/"); ok {
		return stubs.Include.Open("include/" + rest)
	}
	text, err := inc.read(name)
	if err != nil {
		return nil, err
	}
	return &memFile{Reader: bytes.NewReader(inc.entered(text)), name: path.Base(name)}, nil
}

// read returns an include file's text and keeps it for quoting.
func (p *parser) read(name string) ([]byte, error) {
	if f := p.files[name]; f != nil {
		return f.Text, nil
	}
	open := os.ReadFile
	if p.opts.ReadFile != nil {
		open = p.opts.ReadFile
	}
	text, err := open(name)
	if err == nil {
		p.files[name] = source.NewFile(name, text)
	}
	return text, err
}

// memFile is a file in memory.
type memFile struct {
	*bytes.Reader
	name string
}

func (f *memFile) Close() error               { return nil }
func (f *memFile) Stat() (fs.FileInfo, error) { return f, nil }

// The methods of fs.FileInfo.
func (f *memFile) Name() string       { return f.name }
func (f *memFile) Mode() fs.FileMode  { return 0o444 }
func (f *memFile) ModTime() time.Time { return time.Time{} }
func (f *memFile) IsDir() bool        { return false }
func (f *memFile) Sys() any           { return nil }
