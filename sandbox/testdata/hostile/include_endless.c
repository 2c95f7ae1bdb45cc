/* Includes itself.
 * Verdict: error: include_endless.c:4:
 */
#include "include_endless.c"
int main(void) { return 0; }
