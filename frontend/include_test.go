package frontend

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"c2bp/source"
)

// What has no end is not read: each is an error where it is included, or no error where a
// file is only asked for.
func TestUnreadable(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mkfifo("pipe.h", 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/dev/zero", "zero.h"); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("pipe.h", "link.h"); err != nil {
		t.Fatal(err)
	}
	write("huge.h", "")
	if err := os.Truncate("huge.h", 64<<20+1); err != nil {
		t.Fatal(err)
	}
	write("self.h", "#include \"self.h\"\n")
	write("a.h", "#include \"b.h\"\n#include \"b.h\"\n")
	write("b.h", "#include \"a.h\"\n#include \"a.h\"\n")
	write("large.h", strings.Repeat("/* some text */", 1<<16)+"\n")
	for _, c := range []struct{ name, text, want string }{
		{"device", `#include "zero.h"`, `in.c:1:10: error: include file not found: "zero.h": it is a device or a pipe, and not a file`},
		{"pipe", "\n#include \"pipe.h\"", "in.c:2:10: error: include file not found"},
		{"link to a pipe", `#include "link.h"`, "it is a device or a pipe"},
		{"by a macro", "#define N \"pipe.h\"\n#include N", "it is a device or a pipe"},
		{"next", `#include_next "zero.h"`, "in.c:1:15: error: include file not found"},
		{"huge", `#include "huge.h"`, "it is larger than 64 MiB"},
		{"itself", `#include "self.h"`, "self.h:1:2: error: self.h is included more than 1000 times: it includes itself"},
		{"each other", `#include "a.h"`, "times: it includes itself"},
		{"often", strings.Repeat("#include \"large.h\"\n", 80), "all included files together have more than 64 MiB"},
		{"embed", "char x[] = {\n#embed \"in.c\"\n};", "in.c:2:9: error: the directive #embed is not supported"},
		{"import", "# import \"in.c\"", "the directive #import is not supported"},
		{"unknown directives that are skipped", "#if 0\n#embed \"in.c\"\n#import \"x\"\n#endif", ""},
		{"a line that is none", "#define S(x) \\\n#x\nchar *s = S(embed);", ""},
		{"is it there?", "#if !__has_include(\"pipe.h\") || !__has_include(\"zero.h\") || __has_include(\"none.h\")\n#error\n#endif", ""},
		{"elifdef", "#if 0\n#elifdef __linux__\n#else\n#error\n#endif", ""},
		{"elifndef", "#if 0\n#elifndef NONE\n#else\n#error\n#endif", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := source.NewFile("in.c", []byte(c.text+"\nint main(void) { return 0; }\n"))
			_, err := Load(context.Background(), []*source.File{file}, Options{IncludePaths: []string{dir}})
			got := ""
			if err != nil {
				got = err.Error()
			}
			if (c.want == "") != (got == "") || !strings.Contains(got, c.want) {
				t.Errorf("got %.300s\nwant %s", got, c.want)
			}
		})
	}
}
