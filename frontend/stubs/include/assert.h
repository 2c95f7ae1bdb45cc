#ifdef assert
#undef assert
#endif
#ifdef NDEBUG
#define assert(e) ((void)0)
#else
#define assert(e) ((e) ? (void)0 : __assert_fail(#e, __FILE__, __LINE__, __func__))
#endif
#ifndef __C2BP_ASSERT_H
#define __C2BP_ASSERT_H
extern void __assert_fail(const char *, const char *, unsigned int, const char *);
#define static_assert _Static_assert
#endif
