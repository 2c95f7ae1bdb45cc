/* In front of every program: what its properties are turned into. */
void env_passed(void);
void env_failed(int line) __attribute__((noreturn));
void env_assert(int line, int condition);
