#ifndef __C2BP_STRINGS_H
#define __C2BP_STRINGS_H
#include <stddef.h>
extern int strcasecmp(const char *, const char *);
extern int strncasecmp(const char *, const char *, size_t);
extern void bzero(void *, size_t);
extern int ffs(int);
#endif
