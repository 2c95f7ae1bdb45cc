#ifndef __C2BP_TIME_H
#define __C2BP_TIME_H
#include <stddef.h>
typedef long time_t;
typedef long clock_t;
struct timespec { time_t tv_sec; long tv_nsec; };
struct tm { int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst; };
#define CLOCKS_PER_SEC 1000000L
extern time_t time(time_t *);
extern clock_t clock(void);
extern struct tm *localtime(const time_t *);
extern int nanosleep(const struct timespec *, struct timespec *);
#endif
