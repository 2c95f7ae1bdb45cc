#ifndef __C2BP_SIGNAL_H
#define __C2BP_SIGNAL_H
typedef int sig_atomic_t;
#define SIGINT 2
#define SIGABRT 6
#define SIGSEGV 11
#define SIGTERM 15
extern void (*signal(int, void (*)(int)))(int);
extern int raise(int);
#endif
