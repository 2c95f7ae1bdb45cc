/* Instead of the system's: says where an assertion fails, and counts those that hold. */
#undef assert
#define assert(e) ((e) ? env_passed() : env_failed(__LINE__))
