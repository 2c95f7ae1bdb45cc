#ifndef __C2BP_SIGNAL_H
#define __C2BP_SIGNAL_H
typedef int sig_atomic_t;
typedef struct { unsigned long __bits[16]; } sigset_t;
#define SIG_DFL ((void (*)(int))0)
#define SIG_IGN ((void (*)(int))1)
#define SIG_ERR ((void (*)(int))-1)
#define SIGHUP 1
#define SIGINT 2
#define SIGQUIT 3
#define SIGILL 4
#define SIGFPE 8
#define SIGKILL 9
#define SIGUSR1 10
#define SIGUSR2 12
#define SIGPIPE 13
#define SIGALRM 14
#define SIGABRT 6
#define SIGSEGV 11
#define SIGTERM 15
extern void (*signal(int, void (*)(int)))(int);
extern int raise(int);
#endif
