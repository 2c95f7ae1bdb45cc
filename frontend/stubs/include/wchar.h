#ifndef __C2BP_WCHAR_H
#define __C2BP_WCHAR_H
#include <stddef.h>
typedef unsigned int wint_t;
#define WEOF 0xffffffffu
extern size_t wcslen(const wchar_t *);
extern wchar_t *wcscpy(wchar_t *, const wchar_t *);
extern int wcscmp(const wchar_t *, const wchar_t *);
extern int wprintf(const wchar_t *, ...);
#endif
