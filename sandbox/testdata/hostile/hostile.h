/* What the hostile programs need of a C library. The tests define
 *
 *	OUTSIDE  a directory with a file "secret", and a socket that listens, "socket"
 *	PORT     of 127.0.0.1 that somebody listens on
 *	VICTIM   a process
 *
 * The functions are the library's own: under names of their own they are not taken for
 * functions whose results are inputs of a run, and defined anew.
 *
 * A program says on standard output what it has read, and "harm: …" where nothing else
 * would show it, by write: failing assertions do not print what printf has kept.
 */
extern int real_open(const char *, int, ...) asm("open");
extern long real_read(int, void *, unsigned long) asm("read");
extern long real_write(int, const void *, unsigned long) asm("write");
extern int real_close(int) asm("close");
extern long real_syscall(long, ...) asm("syscall");
extern void real__exit(int) asm("_exit");
extern int real_getpid(void) asm("getpid");
extern void *real_memset(void *, int, unsigned long) asm("memset");

#define O_WRONLY 1
#define O_CREAT 0100
#define O_TRUNC 01000

/* Creates a file. */
static void create(const char *name)
{
	int fd = real_open(name, O_WRONLY | O_CREAT | O_TRUNC, 0666);
	if (fd >= 0) {
		real_write(fd, "x", 1);
		real_close(fd);
	}
}

/* Prints a string. */
static void say(const char *text)
{
	long size = 0;
	while (text[size])
		size++;
	real_write(1, text, size);
	real_write(1, "\n", 1);
}

/* Prints the beginning of a file. */
static void show(int fd)
{
	static char text[201];
	if (fd >= 0) {
		real_read(fd, text, 200);
		say(text);
	}
}
