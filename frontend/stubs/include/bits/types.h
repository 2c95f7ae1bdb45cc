#ifndef __C2BP_BITS_TYPES_H
#define __C2BP_BITS_TYPES_H
typedef unsigned char __u_char;
typedef unsigned short __u_short;
typedef unsigned int __u_int;
typedef unsigned long __u_long;
typedef __INT8_TYPE__ __int8_t;
typedef __INT16_TYPE__ __int16_t;
typedef __INT32_TYPE__ __int32_t;
typedef __INT64_TYPE__ __int64_t;
typedef __UINT8_TYPE__ __uint8_t;
typedef __UINT16_TYPE__ __uint16_t;
typedef __UINT32_TYPE__ __uint32_t;
typedef __UINT64_TYPE__ __uint64_t;
#endif
