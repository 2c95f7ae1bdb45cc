package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestKconfig: a driver gets the symbols that it depends on, with those that they depend on or select, and nothing if
// one that is set excludes it. One for another platform gets what drivers have there.
func TestKconfig(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"Kconfig": "mainmenu \"a kernel\"\nsource \"arch/$(SRCARCH)/Kconfig\"\nsource \"arch/other/Kconfig\"\n" +
			"menu \"Buses\"\n\tdepends on HAS_IO\n\nconfig BUS\n\ttristate\n\thelp\n\t  select WRONG\n\n\t  config ALSO_WRONG\n\nendmenu\n" +
			"config LAMP\n\ttristate \"Lamps\"\n\tdepends on ARCH_LAMP || COMPILE_TEST # of any kind\n\tdepends on BUS && !TINY\n\tselect LIGHT\n\tselect DARK if TINY\n" +
			"config COMPILE_TEST\n\tbool \"all\"\nconfig LIGHT\n\tbool\nconfig DARK\n\tbool\nconfig TINY\n\tbool \"small\"\n" +
			"config NARROW\n\tdef_bool y\n\tdepends on !WIDE\nif NARROW\nconfig OLD\n\ttristate \"old\"\nendif\n" +
			"source \"drivers/Kconfig\"\n" +
			"config FAR\n\ttristate \"far\"\n\tdepends on ARCH_LAMP && BUS != n && \\\n\t\tSET=y\n",
		"arch/x86/Kconfig":   "config HAS_IO\n\tbool \"ports\"\nconfig WIDE\n\tbool \"64 bits\"\nconfig SET\n\ttristate \"is set\"\n",
		"arch/other/Kconfig": "config OTHER\n\tdef_bool y\n\tselect OF\nsource \"arch/$(SRCARCH)/lamps\"\n",
		"arch/other/lamps":   "config ARCH_LAMP\n\tbool \"lamps\"\n\tselect SYSCON\n\tselect ARCH_HAVE_PINS\n\tselect TINY\n\tselect GONE\n",
		"arch/bare/Kconfig":  "config ARCH_BARE\n\tbool\n\tselect SYSCON\n",
		"drivers/Kconfig": "config SYSCON\n\tbool\nconfig ARCH_HAVE_PINS\n\tbool\nconfig GONE\n\tbool\n\tdepends on NOBODYS\nconfig OF\n\tbool \"trees\"\nconfig OF_IRQ\n\tdef_bool y\n\tdepends on OF && !TINY\n" +
			"config OF_TINY\n\tdef_bool y\n\tdepends on OF && TINY\nconfig OF_LAMP\n\tdef_tristate y\n\tdepends on OF_IRQ\n" +
			"config CHIP\n\tdef_bool SET && ARCH_BARE\nconfig BARE\n\ttristate \"bare\"\n\tdepends on (ARCH_NONE || ARCH_BARE) || COMPILE_TEST\n",
		"headers/include/generated/autoconf.h": "#define CONFIG_WIDE 1\n#define CONFIG_SET_MODULE 1\n#define CONFIG_WORDS \"BUS\"\n",
	} {
		// A small tree of sources.
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	k, err := readKconfig(dir, filepath.Join(dir, "headers"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, want string }{
		{"LAMP", "-DCONFIG_BUS_MODULE=1 -DCONFIG_COMPILE_TEST=1 -DCONFIG_HAS_IO=1 -DCONFIG_LAMP_MODULE=1 -DCONFIG_LIGHT=1 " +
			"-DCONFIG_OF=1 -DCONFIG_OF_IRQ=1 -DCONFIG_OF_LAMP_MODULE=1 -DCONFIG_SYSCON=1"}, // as where lamps are
		{"BARE", "-DCONFIG_BARE_MODULE=1 -DCONFIG_COMPILE_TEST=1 -DCONFIG_SYSCON=1"},
		{"SET", ""},
		{"OLD", ""},     // 64 bits exclude it
		{"NOBODYS", ""}, // not for this architecture
		{"FAR", "-DCONFIG_BUS_MODULE=1 -DCONFIG_FAR_MODULE=1 -DCONFIG_HAS_IO=1 -DCONFIG_OF=1 -DCONFIG_OF_IRQ=1 -DCONFIG_OF_LAMP_MODULE=1 -DCONFIG_SYSCON=1"}, // as far as there are symbols
		{"CHIP", "-DCONFIG_CHIP=1 -DCONFIG_SYSCON=1"},
	} {
		if got := strings.Join(k.flags(c.name), " "); got != c.want {
			t.Errorf("%s needs %q, not %q", c.name, got, c.want)
		}
	}
	// The symbol of an object.
	if got := symbolOf([]byte("obj-$(CONFIG_BUS) += bus.o\nobj-$(CONFIG_LAMP)\t+= \\\n\tdesk.o lamp.o\n"), "lamp"); got != "LAMP" {
		t.Errorf("lamp.o is built by %q", got)
	}
}
