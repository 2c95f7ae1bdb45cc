#ifndef __C2BP_UNISTD_H
#define __C2BP_UNISTD_H
#include <sys/types.h>
#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
extern void _exit(int) __attribute__((noreturn));
extern ssize_t read(int, void *, size_t);
extern ssize_t write(int, const void *, size_t);
extern int open(const char *, int, ...);
extern int close(int);
extern unsigned sleep(unsigned);
extern int usleep(unsigned);
extern pid_t getpid(void);
#endif
