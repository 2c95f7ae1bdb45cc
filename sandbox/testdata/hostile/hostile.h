/* What the hostile programs need of a C library. The tests define
 *
 *	OUTSIDE  a directory with a file "secret", and a socket that listens, "socket"
 *	PORT     of 127.0.0.1 that somebody listens on
 *	VICTIM   a process
 *
 * A program says on standard output what it has read, and "harm: …" where nothing else
 * would show it, by write: failing assertions do not print what printf has kept.
 */
extern int open(const char *, int, ...);
extern long read(int, void *, unsigned long);
extern long write(int, const void *, unsigned long);
extern int close(int);
extern long syscall(long, ...);
extern void _exit(int);
extern int getpid(void);
extern void *memset(void *, int, unsigned long);

#define O_WRONLY 1
#define O_CREAT 0100
#define O_TRUNC 01000

/* Creates a file. */
static void create(const char *name)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0666);
	if (fd >= 0) {
		write(fd, "x", 1);
		close(fd);
	}
}

/* Prints a string. */
static void say(const char *text)
{
	long size = 0;
	while (text[size])
		size++;
	write(1, text, size);
	write(1, "\n", 1);
}

/* Prints the beginning of a file. */
static void show(int fd)
{
	static char text[201];
	if (fd >= 0) {
		read(fd, text, 200);
		say(text);
	}
}
