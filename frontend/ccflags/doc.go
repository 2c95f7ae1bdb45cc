// Package ccflags reads command lines of C compilers: what gcc's flags say about how a file is
// to be read becomes [frontend.Options].
//
//	line := ccflags.NewLine()
//	err := line.Add([]string{"-std=gnu11", "-O2", "-I", "include", "-DNAME=\"x\""}, "/home/u/linux")
//	opts := line.Options() // includes /home/u/linux/include, __OPTIMIZE__ is defined
//
// Command lines come from the user, from a compilation database (compile_commands.json), and
// from the files .foo.o.cmd that Kbuild keeps beside objects; response files (@file) are read
// in them. Nothing that they say is executed.
//
// A flag is one of these; docs/compiler.md has the list:
//
//	followed     it changes how the file is read, here as in gcc
//	harmless     it changes nothing that counts here: warnings, optimisation, debugging
//	unfollowed   it changes what the program means in a way that is left out: Options.Unfollowed
//	refused      likewise, and too much for that: an error
//	unknown      anything else: [Line.Unknown] lists them
//
// Files: line.go goes through the flags, table.go has what each means, words.go and response.go
// split text into them, database.go, json.go and kbuild.go find those of a file.
package ccflags
