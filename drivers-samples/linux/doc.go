// Command linux measures c2bp on unmodified drivers of the Linux kernel. Nothing of the kernel is
// kept here: its sources are those of Debian's package linux-source, its headers and tools those of
// linux-headers and linux-kbuild.
//
//	go run ./drivers-samples/linux list   -source DIR -headers DIR -n 300 > list.txt
//	go run ./drivers-samples/linux accept -source DIR -headers DIR < list.txt
//	go run ./drivers-samples/linux rules  -source DIR -headers DIR -n 20 -traces runs < list.txt > rows.txt
//	go run ./drivers-samples/linux plant  -source DIR -headers DIR -n 30 < rows.txt
//
// list draws drivers of a single file by a seed, the same number from each directory as far as
// possible, and prints those that gcc accepts. accept reads each with c2bp, all of its functions
// (--whole), and counts the arbitrary values that are reachable from its entries. rules decides rules
// for each driver, with a line for each rule that applies; failing runs are written to files, to be compared
// with the driver by hand. plant puts bugs where a rule holds, one at a time, and decides that rule again.
//
// What is given up: the rules see the driver's own text, so a driver is read with the compiler's flags, and
// not after the preprocessor, where the macros that rules name are gone. The limit for a rule is one of
// elapsed time: on a machine that does other work, fewer rules are decided.
//
//	main.go    flags, and calls of gcc and c2bp
//	list.go    drivers that are drawn
//	kconfig.go symbols that a driver needs beside those of the kernel's configuration
//	accept.go  whether and how they are read
//	rules.go   rules that are decided for them
//	plant.go   bugs that are planted
//
// The flags are those of the kernel's own build: a module of one empty file is built against the
// headers, and its .o.cmd file has the command line of the compiler. list takes drivers that gcc accepts with these;
// accept, rules and plant read a driver with the symbols of Kconfig that it needs besides, if gcc accepts it so.
//
// The harness is that of c2bp (package frontend/harness).
package main
