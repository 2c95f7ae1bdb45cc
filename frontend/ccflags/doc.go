// Package ccflags reads command lines of C compilers: it turns the flags of gcc that affect how a file is
// read into [frontend.Options].
//
//	line := ccflags.NewLine()
//	err := line.Add([]string{"-std=gnu11", "-O2", "-I", "include", "-DNAME=\"x\""}, "/home/u/linux")
//	opts := line.Options() // includes /home/u/linux/include, __OPTIMIZE__ is defined
//
// Command lines come from the user, from a compilation database (compile_commands.json), and
// from the files .foo.o.cmd that Kbuild keeps beside objects; response files (@file) in them are
// expanded. No command is executed.
//
// A flag is one of these; docs/compiler.md has the list:
//
//	followed     it changes how the file is read, here as in gcc
//	harmless     it does not change the program: warnings, optimisation, debugging
//	unfollowed   it changes the meaning of the program a little, which is left out: Options.Unfollowed
//	refused      it changes the meaning of the program too much for that: an error
//	unknown      anything else: [Line.Unknown] lists them
//
// Files:
//
//	line.go                          the flags of a command line
//	table.go                         the meaning of each flag
//	words.go, response.go            splitting text into flags
//	database.go, json.go, kbuild.go  finding the command line of a file
package ccflags
