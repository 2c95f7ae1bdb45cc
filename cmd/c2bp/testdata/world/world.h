/* In front of every program that gcc compiles for the end-to-end tests. */
void c2bp_failed(void);
