#ifndef __C2BP_INTTYPES_H
#define __C2BP_INTTYPES_H
#include <stdint.h>
#define PRId8 "d"
#define PRId16 "d"
#define PRId32 "d"
#define PRIu8 "u"
#define PRIu16 "u"
#define PRIu32 "u"
#define PRIx8 "x"
#define PRIx16 "x"
#define PRIx32 "x"
#ifdef __LP64__
#define __PRI64 "l"
#else
#define __PRI64 "ll"
#endif
#define PRId64 __PRI64 "d"
#define PRIu64 __PRI64 "u"
#define PRIx64 __PRI64 "x"
#define PRIi8 PRId8
#define PRIi16 PRId16
#define PRIi32 PRId32
#define PRIi64 PRId64
#endif
