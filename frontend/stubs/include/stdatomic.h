#ifndef __C2BP_STDATOMIC_H
#define __C2BP_STDATOMIC_H
typedef _Atomic int atomic_int;
typedef _Atomic unsigned atomic_uint;
typedef _Atomic long atomic_long;
typedef _Atomic _Bool atomic_bool;
#endif
