/* Includes a device that has no end.
 * Verdict: error: include_device.c:4:
 */
#include "/dev/zero"
int main(void) { return 0; }
