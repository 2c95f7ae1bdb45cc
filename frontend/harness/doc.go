// Package harness makes a program of a driver: a function main that calls, in any order, the functions
// by which the kernel enters it. It is C, for people to read and to change, and becomes the end of the
// driver's own file, so that it may call static functions and name all types.
//
//	h, err := harness.Build(units, harness.Options{})
//	fmt.Print(h)
//
// For a driver with the table
//
//	static struct platform_driver lamp_driver = { .probe = lamp_probe, .remove = lamp_remove };
//
// and an init function that registers it, the harness is
//
//	int main(void)
//	{
//		if (lamp_init() != 0)
//			return 0;
//		while (__VERIFIER_nondet_int()) {
//			if (__VERIFIER_nondet_int())
//				c2bp_swap_devices();
//			switch (__VERIFIER_nondet_int()) {
//			case 0: /* .probe of lamp_driver, lamp.c:31 */
//				if (c2bp_platform_device)
//					break;
//				c2bp_platform_device = c2bp_get_platform_device();
//				__VERIFIER_assume(c2bp_platform_device != 0 && c2bp_platform_device != c2bp_other_platform_device);
//				if (lamp_probe(c2bp_platform_device) != 0)
//					c2bp_platform_device = 0;
//				break;
//			case 1: /* .remove of lamp_driver, lamp.c:40 */
//				if (!c2bp_platform_device)
//					break;
//				lamp_remove(c2bp_platform_device);
//				c2bp_platform_device = 0;
//				break;
//			}
//		}
//		__VERIFIER_assume(!c2bp_platform_device && !c2bp_other_platform_device);
//		lamp_exit();
//		return 0;
//	}
//
// What is given up, and for what:
//
//   - More entries than the kernel calls cost false alarms, fewer cost soundness. A function whose
//     address leaves the driver is an entry, whether the code that registers it is reached or not; what
//     is no entry and is not called is in the ledger of the audit.
//   - Objects are pointers from outside: results of functions without a body. Nothing is assumed of
//     their contents, so a device that probe has not seen may be anything. An object that a pair of
//     members begins and ends (probe, remove) is the same for all calls in between; any other is chosen
//     anew for each call, and may be one that was met before or that the driver has registered.
//   - There are two devices. Each call is for the current one; the two are exchanged between calls. So
//     every entry is listed once, and the states of devices are a few variables without an index.
//   - A function that is passed to an external function becomes an entry when that has succeeded, with
//     the pointer that was passed along. To see that, the harness defines the external function: its
//     body calls a second one without a body, which may do all that the first may.
//   - Entries do not interrupt each other. That is an assumption, and is in the ledger.
//
// Files:
//
//	harness.go      Build, options and results
//	find.go         functions whose addresses leave the driver, and how
//	mentions.go     the values of expressions, and variables whose address is taken
//	flow.go         functions that are arguments, followed to external functions
//	lifetimes.go    lifetimes.txt: members that begin and end objects; init and exit functions
//	plan.go         the plan of a harness
//	entries.go      which functions are called
//	objects.go      which objects exist, and which of them a function is given
//	register.go     external functions that are given functions
//	slots.go        functions that are owed several calls for one device
//	steps.go        the calls in the loop
//	print.go        C text
//	pairs.go        pairs of functions for other files: one begins objects that the other ends
//	sequence.go     members of tables that the kernel calls in one go
//	made.go         members of tables that make objects, and those that get them back
//	fresh.go        external functions that return new objects
//	lookups.go      external functions that return what the driver has given away, or what they have returned before
//	handed.go       objects that the driver hands over with a table
//	locks.go        functions for other files that take a lock, and those that release it
//	before.go       what the kernel does before it makes a call
//	getters.go      functions without a body that give numbers and pointers
//	spell.go        types in C
//	given.go        harnesses that are given back, as files beside the driver
package harness
