#ifndef __C2BP_SYS_TYPES_H
#define __C2BP_SYS_TYPES_H
#include <bits/types.h>
#include <stddef.h>
#include <stdint.h>
#ifdef __LP64__
typedef long ssize_t;
#else
typedef int ssize_t;
#endif
typedef int pid_t;
typedef unsigned uid_t;
typedef unsigned gid_t;
typedef unsigned mode_t;
typedef long off_t;
typedef unsigned char u_char;
typedef unsigned short u_short;
typedef unsigned int u_int;
typedef unsigned long u_long;
#endif
