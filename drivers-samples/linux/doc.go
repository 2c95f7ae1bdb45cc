// Command linux measures c2bp on unmodified drivers of the Linux kernel. Nothing of the kernel is
// kept here: its sources are those of Debian's package linux-source, its headers and tools those of
// linux-headers and linux-kbuild.
//
//	go run ./drivers-samples/linux list   -source DIR -headers DIR -n 300 > list.txt
//	go run ./drivers-samples/linux accept -source DIR -headers DIR < list.txt
//	go run ./drivers-samples/linux locks  -source DIR -headers DIR -n 40 < list.txt
//	go run ./drivers-samples/linux plant  -source DIR -headers DIR -n 15 < list.txt
//
// list draws drivers of a single file by a seed, the same number from each directory as far as
// possible, and prints those that gcc accepts. accept reads each with c2bp, all of its functions
// (--whole), and counts the arbitrary values that are reachable from its entries. locks audits those
// that take a spin lock or a mutex: a lock is not taken twice, not released unless taken, and not held
// when an entry returns. plant does the same with one release removed.
//
// The flags are those of the kernel's own build: a module of one empty file is built against the
// headers, and its .o.cmd file has the command line of the compiler.
//
// The harness (harness.go) is derived from the text of a driver: a function whose address is taken is
// an entry; its arguments are objects that functions without a body return, one for each type, and
// numbers are inputs. Since the harness calls what the driver registers, functions of the kernel are
// assumed not to call back into the driver (--assume callbacks=later).
package main
