package ccflags

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"c2bp/source"
)

// tree makes a directory with files, and goes there.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(root)
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(strings.ReplaceAll(text, "ROOT", root)), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// TestDatabase finds commands in both forms, and says what is wrong with others.
func TestDatabase(t *testing.T) {
	tree(t, map[string]string{
		"src/a.c": "", "src/b.c": "", "src/twice.c": "", "src/bad.c": "", "src/none.c": "", "src/gone.c": "", "src/arm.c": "", "src/cache.c": "", "src/i686.c": "", "src/script.c": "", "src/unknown.c": "",
		"build/compile_commands.json": `[
  {"directory": "ROOT/src", "command": "/usr/bin/gcc -I../inc -DNAME=\\\"x\\\" -c a.c", "file": "a.c"},
  {"directory": "ROOT", "arguments": ["cc", "-DX=a b", "-c", "src/b.c"], "file": "src/b.c", "output": "b.o"},
  {"directory": "ROOT/src", "command": "gcc -DA twice.c", "file": "ROOT/src/twice.c"},
  {"directory": "ROOT/src", "command": "gcc -DB twice.c", "file": "twice.c"},
  {"directory": "ROOT/src", "command": "gcc $(touch hacked) bad.c", "file": "bad.c"},
  {"directory": "ROOT/src", "file": "none.c"},
  {"directory": "ROOT/gone", "command": "gcc ../src/gone.c", "file": "../src/gone.c"},
  {"directory": "ROOT/src", "command": "arm-linux-gnueabi-gcc arm.c", "file": "arm.c"},
  {"directory": "ROOT/src", "command": "ccache i686-linux-gnu-gcc -DC cache.c", "file": "cache.c"},
  {"directory": "ROOT/src", "command": "gcc a.c; gcc b.c", "file": "script.c"}
]`})
	db, err := Open("build")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, want string }{
		{"src/a.c", `gcc ["-I../inc" "-DNAME=\"x\"" "-c" "a.c"] in src at 2:3`},
		{"./src/../src/a.c", `gcc ["-I../inc" "-DNAME=\"x\"" "-c" "a.c"] in src at 2:3`},
		{"src/b.c", `cc ["-DX=a b" "-c" "src/b.c"] in . at 3:3`},
		{"src/twice.c", `gcc ["-DA" "twice.c"] in src at 4:3, 1 others`},
		{"src/bad.c", "only a shell knows"},
		{"src/none.c", `neither "command" nor "arguments"`},
		{"src/gone.c", "there is no directory"},
		{"src/cache.c", `i686-linux-gnu-gcc ["-DC" "cache.c"] in src at 10:3`},
		{"src/script.c", "more than one command"},
		{"src/unknown.c", "build/compile_commands.json: error: no command compiles src/unknown.c; the nearest file is src/"},
		{"src/c/a.c", "no command compiles src/c/a.c; the nearest file is src/a.c"},
	} {
		cmd, err := db.Lookup(c.name)
		got := fmt.Sprint(err)
		if err == nil {
			got = fmt.Sprintf("%s %q in %s at %d:%d", cmd.Compiler, cmd.Args, cmd.Dir, cmd.From.Line, cmd.From.Col)
			if cmd.Others > 0 {
				got += fmt.Sprintf(", %d others", cmd.Others)
			}
		}
		if !strings.Contains(got, c.want) || err != nil && !source.IsInput(err) {
			t.Errorf("%s: %s\nwant %s", c.name, got, c.want)
		}
	}
	cmd, _ := db.Lookup("src/arm.c")
	if err := cmd.Platform(NewLine()); err == nil {
		t.Error("a compiler for ARM is taken for one for x86")
	}
	if err := (&Command{Compiler: "x86_64-linux-gnu-g++-12"}).Platform(NewLine()); err == nil {
		t.Error("a compiler for C++ is taken for one for C")
	}
	cmd, _ = db.Lookup("src/cache.c")
	l := NewLine()
	if err := cmd.Platform(l); err != nil || !l.Options().Bits32 {
		t.Errorf("a compiler for i686: %v, %v", err, l.Options().Bits32)
	}
	if exists("src/hacked") || exists("hacked") {
		t.Error("a command was executed")
	}
}

// TestBrokenDatabases: the error is at the place.
func TestBrokenDatabases(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{"", "db:1:1: error: expected a compilation database"},
		{"{}", "db:1:1: error: expected a compilation database"},
		{"\n  null", "db:2:3: error: expected a compilation database"},
		{"[", "this is no JSON"},
		{"[{}]", `db:1:2: error: a command without "file"`},
		{"[\n  {\"file\": \"a.c\"}]", `db:2:3: error: a command without "directory"`},
		{"[1]", "expected a command, a JSON object, not a number"},
		{`[{"file": 1}]`, `"file" is a JSON number`},
		{`[{"arguments": "gcc"}]`, `"arguments" is a JSON string`},
		{"[{\"file\": \"/a.c\",\n \"command\": \"gcc\",}]", "db:2:19: error: this is no JSON"},
		{"[{\"file\": \"/a.c\"} {}]", "db:1:19: error: this is no JSON"},
		{"[{\"file\": \"/a.c\"},\n {\"file\": }]", "db:2:11: error: this is no JSON"},
		{`[{"file": "/a.c"}`, "this is no JSON"},
		{strings.Repeat("[", 100_000), "error"},
		{"[" + strings.Repeat(`{"a":`, 100_000), "this is no JSON"},
		{strings.Repeat("nonsense ", 1<<20), "db:1:1: error: expected a compilation database"},
		{"[\"" + strings.Repeat("nonsense ", 1<<20), "this is no JSON"},
		{"\x00\xff", "expected a compilation database"},
	} {
		list, err := parseDatabase("db", []byte(c.text))
		if err == nil || !strings.Contains(err.Error(), c.want) || len(err.Error()) > 2000 {
			t.Errorf("%.40q: %v, %.300v; want %s", c.text, len(list), err, c.want)
		}
	}
	if list, err := parseDatabase("db", []byte("[]")); err != nil || len(list) > 0 {
		t.Errorf("an empty database: %v, %v", list, err)
	}
}

// TestKbuild finds the commands beside objects.
func TestKbuild(t *testing.T) {
	root := tree(t, map[string]string{
		"linux/drivers/x/foo.c":            "",
		"linux/drivers/x/old.c":            "",
		"linux/drivers/x/two.c":            "",
		"linux/drivers/x/shell.c":          "",
		"linux/drivers/x/empty.c":          "",
		"linux/drivers/x/lone.c":           "",
		"linux/drivers/x/.foo.o.cmd":       "savedcmd_drivers/x/foo.o := gcc -Wp,-MMD,drivers/x/.foo.o.d -I./include -DS='\"a$$b$(pound)c\"' -c -o drivers/x/foo.o drivers/x/foo.c ; ./tools/objtool `touch hacked`\n\nsource_drivers/x/foo.o := drivers/x/foo.c\n",
		"linux/drivers/x/.old.o.cmd":       "cmd_drivers/x/old.o := gcc -DOLD -c -o drivers/x/.tmp_old.o drivers/x/old.c\n",
		"linux/drivers/x/.two.o.cmd":       "savedcmd_drivers/x/two.o := gcc -c -o drivers/x/two.o drivers/x/one.c\nsource_drivers/x/two.o := drivers/x/one.c\n",
		"linux/drivers/x/.shell.o.cmd":     "savedcmd_drivers/x/shell.o := gcc -DX=`touch hacked` -c drivers/x/shell.c\n",
		"linux/drivers/x/.empty.o.cmd":     "deps := x\n",
		"out/drivers/x/.foo.o.cmd":         "savedcmd_drivers/x/foo.o := gcc -DOUT -c -o drivers/x/foo.o ROOT/linux/drivers/x/foo.c\nsource_drivers/x/foo.o := ROOT/linux/drivers/x/foo.c\n",
		"module/mod.c":                     "",
		"module/.mod.o.cmd":                "savedcmd_ROOT/module/mod.o := gcc -I./include -DMODULE -c -o ROOT/module/mod.o ROOT/module/mod.c\n",
		"linux/include/generated/x.h":      "",
		"linux/drivers/x/compile_commands": "",
	})
	for _, c := range []struct{ database, name, want string }{
		{"linux", "linux/drivers/x/foo.c", `["-Wp,-MMD,drivers/x/.foo.o.d" "-I./include" "-DS=\"a$b#c\"" "-c" "-o" "drivers/x/foo.o" "drivers/x/foo.c"] in linux at 1`},
		{"linux/drivers/x", "linux/drivers/x/old.c", `["-DOLD" "-c" "-o" "drivers/x/.tmp_old.o" "drivers/x/old.c"] in linux at 1`},
		{"linux/drivers/x/.old.o.cmd", "linux/drivers/x/old.c", `"-DOLD"`},
		{"linux/drivers/x/.old.o.cmd", "linux/drivers/x/foo.c", "none of its commands compiles the file"},
		{"out", "linux/drivers/x/foo.c", `"-DOUT"`},
		{"linux", "module/mod.c", `"-DMODULE" "-c" "-o" "` + root + `/module/mod.o" "` + root + `/module/mod.c"] in linux at 1`},
		{"module", "module/mod.c", "module/.mod.o.cmd:1: error: the command for " + root + "/module/mod.o: the directories of its -I are not in module: a module is built in a directory of the kernel"},
		{"module/.mod.o.cmd", "module/mod.c", "the directories of its -I are not in module"},
		{"linux", "linux/drivers/x/two.c", "it compiles drivers/x/one.c and not linux/drivers/x/two.c"},
		{"linux", "linux/drivers/x/shell.c", "only a shell knows"},
		{"linux", "linux/drivers/x/empty.c", "expected the command of an object"},
		{"linux", "linux/drivers/x/lone.c", "linux: error: there is neither compile_commands.json in it nor .lone.o.cmd of linux/drivers/x/lone.c"},
	} {
		db, err := Open(c.database)
		var cmd *Command
		if err == nil {
			cmd, err = db.Lookup(c.name)
		}
		got := fmt.Sprint(err)
		if err == nil {
			got = fmt.Sprintf("%q in %s at %d", cmd.Args, cmd.Dir, cmd.From.Line)
		}
		if !strings.Contains(got, c.want) || err != nil && !source.IsInput(err) {
			t.Errorf("%s in %s: %s\nwant %s", c.name, c.database, got, c.want)
		}
	}
	for _, name := range []string{"hacked", "linux/hacked", "linux/drivers/x/hacked"} {
		if exists(name) {
			t.Error("a command was executed")
		}
	}
	if _, err := Open("none"); err == nil || !strings.Contains(err.Error(), "no such file") {
		t.Errorf("a database that does not exist: %v", err)
	}
}
