/*
 * Models of library functions.
 *
 * If a program declares one of these functions and does not define it, then each call
 * does what the body here says. A body covers everything that the function's manual
 * allows, and may cover more: what the manual leaves open, or what would take a loop to
 * say, is arbitrary. A program's own definition comes first, and so do the models of
 *
 *	c2bp --models mine.c ...
 *
 * which are written like this file. --models=none does without this file.
 *
 * A declaration in the program must have as many parameters, and pointers, integers and
 * floating-point numbers in the same places; the sizes of integers may differ, but the
 * result must not be wider than here, and an integer of several bytes to which a pointer leads
 * must be as large as here. Otherwise the function is external, with a note.
 *
 * The body is copied to every call, so every call of an allocator makes objects of its
 * own. Hence a model may call static functions of its file and other models, but not
 * itself, has no variables of static storage duration and no string literals. It can be
 * called through a pointer that it is given.
 *
 * A model with a parameter named format stands for calls that store nothing because of
 * %n: the format is a literal without %n, or nothing behind it is a pointer. Other calls
 * are external.
 *
 * Models can use, besides what C has:
 *
 *	__c2bp_alloc(n)         a new object of n bytes with arbitrary contents; never null
 *	__c2bp_move(n)          likewise, and its address may be that of an object that is freed then
 *	__c2bp_free(p)          ends the life of an object; null is allowed
 *	__c2bp_havoc(p, n)      makes n bytes from p on arbitrary
 *	__c2bp_input(p, n)      as __c2bp_havoc(p, n), and any bytes can really come
 *	__c2bp_input_T()        as __c2bp_nondet_T(), and any value can really come
 *	__c2bp_known(p, n)      makes n bytes from p on known outside of the program: they are
 *	                        written to a file, or the result depends on them
 *	__c2bp_nondet_T()       an arbitrary value of the type in its declaration
 *	__c2bp_nondet_choice()  as __c2bp_nondet_bool(), in a condition: and both can happen,
 *	                        whatever the program does
 *	__builtin_memcpy, __builtin_memmove, __builtin_memset
 *	__VERIFIER_assume(e)    the execution goes on only if e holds
 *	__VERIFIER_assert(e)    a property: for --models
 *	abort()                 does not return
 *
 * What is reached through pointers lies in objects, as everywhere: a function that writes
 * at most n bytes may be said to write n, although there may be fewer. That changes
 * nothing outside of the object.
 */

typedef __SIZE_TYPE__ size_t;

void *__c2bp_alloc(size_t n);
void *__c2bp_move(size_t n);
void __c2bp_free(void *p);
void __c2bp_havoc(void *p, size_t n);
void __c2bp_input(void *p, size_t n);
void __c2bp_known(const void *p, size_t n);
_Bool __c2bp_nondet_bool(void);
_Bool __c2bp_nondet_choice(void);
int __c2bp_nondet_int(void);
unsigned __c2bp_nondet_unsigned(void);
long __c2bp_nondet_long(void);
long long __c2bp_nondet_long_long(void);
size_t __c2bp_nondet_size(void);
double __c2bp_nondet_double(void);
size_t __c2bp_input_size(void);
int __c2bp_input_int(void);
unsigned __c2bp_input_unsigned(void);
long __c2bp_input_long(void);
long long __c2bp_input_long_long(void);
void __VERIFIER_assume(int);
_Noreturn void abort(void);

static int negative(void)
{
	int e = __c2bp_nondet_int();
	__VERIFIER_assume(e < 0);
	return e;
}

/* Memory of the C library (C23 7.24.3, POSIX). A request may always fail. */

static void *perhaps(size_t n)
{
	if (__c2bp_nondet_choice())
		return __c2bp_alloc(n);
	return 0;
}

static void *perhaps_zeroed(size_t n)
{
	if (__c2bp_nondet_choice()) {
		void *p = __c2bp_alloc(n);
		__builtin_memset(p, 0, n);
		return p;
	}
	return 0;
}

/* If q is null, p is as it was. That it may be freed where n is 0 makes no difference. */
static void *perhaps_moved(void *p, size_t n)
{
	if (__c2bp_nondet_choice()) {
		void *q = __c2bp_move(n);
		if (p) {
			__builtin_memcpy(q, p, __c2bp_nondet_size()); /* the smaller size */
			__c2bp_free(p);
		}
		return q;
	}
	return 0;
}

/* A copy of a string, of unknown length. */
static void *perhaps_string(void) { return perhaps(__c2bp_nondet_size()); }

void *malloc(size_t n) { return perhaps(n); }
void *calloc(size_t n, size_t size) { return perhaps_zeroed(n * size); }
void *realloc(void *p, size_t n) { return perhaps_moved(p, n); }
void *reallocarray(void *p, size_t n, size_t size) { return perhaps_moved(p, n * size); }
void free(void *p) { __c2bp_free(p); }
void *aligned_alloc(size_t align, size_t n) { return perhaps(n); }
void *memalign(size_t align, size_t n) { return perhaps(n); }
void *valloc(size_t n) { return perhaps(n); }
char *strdup(const char *s) { return perhaps_string(); }
char *strndup(const char *s, size_t n) { return perhaps_string(); }

int posix_memalign(void **p, size_t align, size_t n)
{
	if (__c2bp_nondet_choice()) {
		*p = __c2bp_alloc(n);
		return 0;
	}
	if (__c2bp_nondet_bool())
		*p = 0;
	int e = __c2bp_nondet_int();
	__VERIFIER_assume(e > 0);
	return e;
}

/*
 * Memory of the Linux kernel. What has no bytes is at the address 16, ZERO_SIZE_PTR. In the
 * headers zeroed memory is memory with a flag, whose bit the program's own ___GFP_ZERO tells.
 */
#ifndef ___GFP_ZERO
#define ___GFP_ZERO 0u
#endif

static void *kernel(size_t n)
{
	if (n == 0 && __c2bp_nondet_bool())
		return (void *)16;
	return perhaps(n);
}

static void *kernel_zeroed(size_t n)
{
	if (n == 0 && __c2bp_nondet_bool())
		return (void *)16;
	return perhaps_zeroed(n);
}

static void *kernel_flagged(size_t n, unsigned flags)
{
	if (flags & ___GFP_ZERO)
		return kernel_zeroed(n);
	return kernel(n);
}

static void *kernel_copy(const void *from, size_t n)
{
	if (__c2bp_nondet_choice()) {
		void *p = __c2bp_alloc(n);
		__builtin_memcpy(p, from, n);
		return p;
	}
	if (n == 0 && __c2bp_nondet_bool())
		return (void *)16;
	return 0;
}

static void *kernel_moved(void *p, size_t n)
{
	if (n == 0 && __c2bp_nondet_bool())
		return (void *)16;
	return perhaps_moved(p, n);
}

void *kmalloc(size_t n, unsigned flags) { return kernel_flagged(n, flags); }
void *__kmalloc(size_t n, unsigned flags) { return kernel_flagged(n, flags); }
void *kmalloc_node(size_t n, unsigned flags, int node) { return kernel_flagged(n, flags); }
void *__kmalloc_node(size_t n, unsigned flags, int node) { return kernel_flagged(n, flags); }
void *__kmalloc_node_track_caller(size_t n, unsigned flags, int node, unsigned long caller) { return kernel_flagged(n, flags); }
void *kmalloc_trace(void *cache, unsigned flags, size_t n) { return kernel_flagged(n, flags); }
void *kmalloc_node_trace(void *cache, unsigned flags, int node, size_t n) { return kernel_flagged(n, flags); }
void *kmalloc_large(size_t n, unsigned flags) { return kernel_flagged(n, flags); }
void *kmalloc_large_node(size_t n, unsigned flags, int node) { return kernel_flagged(n, flags); }
void *kzalloc(size_t n, unsigned flags) { return kernel_zeroed(n); }
void *kzalloc_node(size_t n, unsigned flags, int node) { return kernel_zeroed(n); }
void *kcalloc(size_t n, size_t size, unsigned flags) { return kernel_zeroed(n * size); }
void *kmalloc_array(size_t n, size_t size, unsigned flags) { return kernel_flagged(n * size, flags); }
void *krealloc(const void *p, size_t n, unsigned flags) { return kernel_moved((void *)p, n); }
void *kmemdup(const void *from, size_t n, unsigned flags) { return kernel_copy(from, n); }
char *kstrdup(const char *s, unsigned flags) { return perhaps_string(); }
const char *kstrdup_const(const char *s, unsigned flags) { return __c2bp_nondet_choice() ? s : perhaps_string(); }
char *kmemdup_nul(const char *s, size_t n, unsigned flags) { return perhaps_string(); }
char *kstrndup(const char *s, size_t n, unsigned flags) { return perhaps_string(); }
char *kasprintf(unsigned flags, const char *format, ...) { return perhaps_string(); }
void kfree(const void *p) { __c2bp_free((void *)p); }
void kzfree(const void *p) { __c2bp_free((void *)p); }
void kfree_sensitive(const void *p) { __c2bp_free((void *)p); }
void kfree_const(const void *p) { __c2bp_free((void *)p); }

void *vmalloc(size_t n) { return perhaps(n); }
void *vzalloc(size_t n) { return perhaps_zeroed(n); }
void *__vmalloc(size_t n, unsigned flags) { return flags & ___GFP_ZERO ? perhaps_zeroed(n) : perhaps(n); }
void *vmalloc_node(size_t n, int node) { return perhaps(n); }
void *vzalloc_node(size_t n, int node) { return perhaps_zeroed(n); }
void *vmalloc_user(size_t n) { return perhaps_zeroed(n); }
void *vmalloc_32(size_t n) { return perhaps(n); }
void *vmalloc_32_user(size_t n) { return perhaps_zeroed(n); }
void *kvmalloc(size_t n, unsigned flags) { return kernel_flagged(n, flags); }
void *kvmalloc_node(size_t n, unsigned flags, int node) { return kernel_flagged(n, flags); }
void *kvzalloc(size_t n, unsigned flags) { return kernel_zeroed(n); }
void *kvmalloc_array(size_t n, size_t size, unsigned flags) { return kernel_flagged(n * size, flags); }
void *kvcalloc(size_t n, size_t size, unsigned flags) { return kernel_zeroed(n * size); }
void vfree(const void *p) { __c2bp_free((void *)p); }
void kvfree(const void *p) { __c2bp_free((void *)p); }

/* The size of a cache's objects is not known here. */
void *kmem_cache_alloc(void *cache, unsigned flags)
{
	if (flags & ___GFP_ZERO)
		return perhaps_zeroed(__c2bp_nondet_size());
	return perhaps(__c2bp_nondet_size());
}
void *kmem_cache_zalloc(void *cache, unsigned flags) { return perhaps_zeroed(__c2bp_nondet_size()); }
void kmem_cache_free(void *cache, void *p) { __c2bp_free(p); }

void *devm_kmalloc(void *dev, size_t n, unsigned flags) { return kernel_flagged(n, flags); }
void *devm_kzalloc(void *dev, size_t n, unsigned flags) { return kernel_zeroed(n); }
void *devm_kcalloc(void *dev, size_t n, size_t size, unsigned flags) { return kernel_zeroed(n * size); }
void *devm_kmalloc_array(void *dev, size_t n, size_t size, unsigned flags) { return kernel_flagged(n * size, flags); }
void *devm_kmemdup(void *dev, const void *from, size_t n, unsigned flags) { return kernel_copy(from, n); }
char *devm_kstrdup(void *dev, const char *s, unsigned flags) { return perhaps_string(); }
void devm_kfree(void *dev, const void *p) { __c2bp_free((void *)p); }

/*
 * Memory that a device reads and writes as well. The device is told its address as a number,
 * which the program may turn into a pointer again, and what the device writes there is arbitrary,
 * also addresses that it was told before. It is memory for bytes, in which nobody else keeps objects.
 */
static void *for_device(size_t n, unsigned long *handle)
{
	*handle = __c2bp_input_long();
	if (__c2bp_nondet_choice()) {
		char *p = __c2bp_alloc(n);
		__c2bp_input(p, n);
		__c2bp_known(&p, sizeof p);
		return p;
	}
	return 0;
}

void *dma_alloc_attrs(void *dev, size_t n, unsigned long *handle, unsigned flags, unsigned long attrs) { return for_device(n, handle); }
void *dma_alloc_coherent(void *dev, size_t n, unsigned long *handle, unsigned flags) { return for_device(n, handle); }
void *dma_alloc_wc(void *dev, size_t n, unsigned long *handle, unsigned flags) { return for_device(n, handle); }
void *dmam_alloc_attrs(void *dev, size_t n, unsigned long *handle, unsigned flags, unsigned long attrs) { return for_device(n, handle); }
void *dmam_alloc_coherent(void *dev, size_t n, unsigned long *handle, unsigned flags) { return for_device(n, handle); }
void dma_free_attrs(void *dev, size_t n, void *p, unsigned long handle, unsigned long attrs) { __c2bp_free(p); }
void dma_free_coherent(void *dev, size_t n, void *p, unsigned long handle) { __c2bp_free(p); }
void dma_free_wc(void *dev, size_t n, void *p, unsigned long handle) { __c2bp_free(p); }
void dmam_free_coherent(void *dev, size_t n, void *p, unsigned long handle) { __c2bp_free(p); }

/*
 * Memory of the user's process, which the kernel copies from and to. Of what the user gives
 * as an address nothing is known: at one that is none of the process nothing is written.
 */

static void to_user(void *to, unsigned long n)
{
	if (__c2bp_nondet_choice())
		__c2bp_havoc(to, n);
}

/* The number of bytes, of n, that could not be copied. */
static unsigned long not_copied(unsigned long n)
{
	unsigned long rest = __c2bp_input_size();

	__VERIFIER_assume(rest <= n);
	return rest;
}

unsigned long copy_from_user(void *to, const void *from, unsigned long n)
{
	__c2bp_input(to, n);
	return not_copied(n);
}

unsigned long copy_to_user(void *to, const void *from, unsigned long n)
{
	__c2bp_known(from, n);
	to_user(to, n);
	return not_copied(n);
}

unsigned long __copy_from_user(void *to, const void *from, unsigned long n) { return copy_from_user(to, from, n); }
unsigned long _copy_from_user(void *to, const void *from, unsigned long n) { return copy_from_user(to, from, n); }
unsigned long __copy_to_user(void *to, const void *from, unsigned long n) { return copy_to_user(to, from, n); }
unsigned long _copy_to_user(void *to, const void *from, unsigned long n) { return copy_to_user(to, from, n); }

unsigned long clear_user(void *to, unsigned long n)
{
	to_user(to, n);
	return not_copied(n);
}

long strncpy_from_user(char *to, const char *from, long n)
{
	__c2bp_havoc(to, n);
	return __c2bp_nondet_long();
}

/* An error is a pointer, too: ERR_PTR. */
static void *error_pointer(void)
{
	int e = negative();
	__VERIFIER_assume(e >= -4095);
	return (void *)(long)e;
}

void *memdup_user(const void *from, size_t n)
{
	if (__c2bp_nondet_bool())
		return __c2bp_alloc(n);
	if (n == 0 && __c2bp_nondet_bool())
		return (void *)16;
	return error_pointer();
}

void *vmemdup_user(const void *from, size_t n) { return memdup_user(from, n); }

/* With a zero behind it. */
void *memdup_user_nul(const void *from, size_t n)
{
	if (__c2bp_nondet_bool()) {
		char *p = __c2bp_alloc(n + 1);
		p[n] = 0;
		return p;
	}
	return error_pointer();
}

char *strndup_user(const char *from, long n)
{
	if (__c2bp_nondet_bool())
		return __c2bp_alloc(__c2bp_nondet_size());
	return error_pointer();
}

/* Memory of Windows drivers. */

void *ExAllocatePool(int type, size_t n) { return perhaps(n); }
void *ExAllocatePoolWithTag(int type, size_t n, unsigned tag) { return perhaps(n); }
void *ExAllocatePoolWithQuota(int type, size_t n) { return perhaps(n); }
void *ExAllocatePoolWithQuotaTag(int type, size_t n, unsigned tag) { return perhaps(n); }
void *ExAllocatePoolZero(int type, size_t n, unsigned tag) { return perhaps_zeroed(n); }
void *ExAllocatePool2(unsigned long long flags, size_t n, unsigned tag) { return perhaps(n); }
void ExFreePool(void *p) { __c2bp_free(p); }
void ExFreePoolWithTag(void *p, unsigned tag) { __c2bp_free(p); }

void RtlZeroMemory(void *p, size_t n) { __builtin_memset(p, 0, n); }
void RtlFillMemory(void *p, size_t n, int byte) { __builtin_memset(p, byte, n); }
void RtlCopyMemory(void *to, const void *from, size_t n) { __builtin_memcpy(to, from, n); }
void RtlMoveMemory(void *to, const void *from, size_t n) { __builtin_memmove(to, from, n); }
size_t RtlCompareMemory(const void *p, const void *q, size_t n)
{
	__c2bp_known(p, n);
	__c2bp_known(q, n);
	return __c2bp_nondet_size();
}

/* Bytes (C23 7.26). */

void *memcpy(void *to, const void *from, size_t n) { return __builtin_memcpy(to, from, n); }
void *memmove(void *to, const void *from, size_t n) { return __builtin_memmove(to, from, n); }
void *memset(void *p, int byte, size_t n) { return __builtin_memset(p, byte, n); }
/* Comparisons of a few bytes are written out instead: memcmp(p, "ab", 2), strcmp(s, "ab"). */
int memcmp(const void *p, const void *q, size_t n)
{
	__c2bp_known(p, n);
	__c2bp_known(q, n);
	return __c2bp_nondet_int();
}

int bcmp(const void *p, const void *q, size_t n)
{
	__c2bp_known(p, n);
	__c2bp_known(q, n);
	return __c2bp_nondet_int();
}

void bzero(void *p, size_t n) { __builtin_memset(p, 0, n); }
void explicit_bzero(void *p, size_t n) { __builtin_memset(p, 0, n); }
void memzero_explicit(void *p, size_t n) { __builtin_memset(p, 0, n); }
void bcopy(const void *from, void *to, size_t n) { __builtin_memmove(to, from, n); }

void *mempcpy(void *to, const void *from, size_t n)
{
	__builtin_memcpy(to, from, n);
	return (char *)to + n;
}

static char *found(const char *s)
{
	if (__c2bp_nondet_bool())
		return (char *)s + __c2bp_nondet_size();
	return 0;
}

void *memchr(const void *p, int byte, size_t n)
{
	__c2bp_known(p, n);
	return found(p);
}

void *memrchr(const void *p, int byte, size_t n)
{
	__c2bp_known(p, n);
	return found(p);
}

/* Strings (C23 7.26). How long they are is not known. */

static void write_string(char *to) { __c2bp_havoc(to, __c2bp_nondet_size()); }

char *strcpy(char *to, const char *from) { write_string(to); return to; }
char *strcat(char *to, const char *from) { write_string(to); return to; }
char *strncat(char *to, const char *from, size_t n) { write_string(to); return to; }
char *strncpy(char *to, const char *from, size_t n) { __c2bp_havoc(to, n); return to; }
size_t strlcpy(char *to, const char *from, size_t n) { __c2bp_havoc(to, n); return __c2bp_nondet_size(); }
size_t strlcat(char *to, const char *from, size_t n) { __c2bp_havoc(to, n); return __c2bp_nondet_size(); }
long strscpy(char *to, const char *from, size_t n) { __c2bp_havoc(to, n); return __c2bp_nondet_long(); }

char *stpcpy(char *to, const char *from)
{
	write_string(to);
	return to + __c2bp_nondet_size();
}

char *stpncpy(char *to, const char *from, size_t n)
{
	__c2bp_havoc(to, n);
	return to + __c2bp_nondet_size();
}

size_t strlen(const char *s) { return __c2bp_nondet_size(); }
size_t strnlen(const char *s, size_t n) { return __c2bp_nondet_size(); }
size_t strspn(const char *s, const char *set) { return __c2bp_nondet_size(); }
size_t strcspn(const char *s, const char *set) { return __c2bp_nondet_size(); }
int strcmp(const char *s, const char *t) { return __c2bp_nondet_int(); }
int strncmp(const char *s, const char *t, size_t n) { return __c2bp_nondet_int(); }
int strcasecmp(const char *s, const char *t) { return __c2bp_nondet_int(); }
int strncasecmp(const char *s, const char *t, size_t n) { return __c2bp_nondet_int(); }
int strcoll(const char *s, const char *t) { return __c2bp_nondet_int(); }
char *strchr(const char *s, int c) { return found(s); }
char *strrchr(const char *s, int c) { return found(s); }
char *strstr(const char *s, const char *t) { return found(s); }
char *strpbrk(const char *s, const char *set) { return found(s); }

/* Numbers in strings. */

static void set_end(char **end, const char *s)
{
	if (end)
		*end = (char *)s + __c2bp_nondet_size();
}

int atoi(const char *s) { return __c2bp_nondet_int(); }
long atol(const char *s) { return __c2bp_nondet_long(); }
long long atoll(const char *s) { return __c2bp_nondet_long_long(); }
long strtol(const char *s, char **end, int base) { set_end(end, s); return __c2bp_nondet_long(); }
long long strtoll(const char *s, char **end, int base) { set_end(end, s); return __c2bp_nondet_long_long(); }
unsigned long strtoul(const char *s, char **end, int base) { set_end(end, s); return __c2bp_nondet_long(); }
unsigned long long strtoull(const char *s, char **end, int base) { set_end(end, s); return __c2bp_nondet_long_long(); }
long simple_strtol(const char *s, char **end, unsigned base) { set_end(end, s); return __c2bp_nondet_long(); }
unsigned long simple_strtoul(const char *s, char **end, unsigned base) { set_end(end, s); return __c2bp_nondet_long(); }

/* What is at n changes only if the result is 0. */
static int parsed(void *n, size_t size)
{
	if (__c2bp_nondet_bool()) {
		__c2bp_havoc(n, size);
		return 0;
	}
	return negative();
}

int kstrtoull(const char *s, unsigned base, unsigned long long *n) { return parsed(n, sizeof *n); }
int kstrtoll(const char *s, unsigned base, long long *n) { return parsed(n, sizeof *n); }
int _kstrtoul(const char *s, unsigned base, unsigned long *n) { return parsed(n, sizeof *n); }
int _kstrtol(const char *s, unsigned base, long *n) { return parsed(n, sizeof *n); }
int kstrtou16(const char *s, unsigned base, unsigned short *n) { return parsed(n, sizeof *n); }
int kstrtos16(const char *s, unsigned base, short *n) { return parsed(n, sizeof *n); }
int kstrtou8(const char *s, unsigned base, unsigned char *n) { return parsed(n, sizeof *n); }
int kstrtos8(const char *s, unsigned base, signed char *n) { return parsed(n, sizeof *n); }
int kstrtobool(const char *s, _Bool *n) { return parsed(n, sizeof *n); }
int kstrtoint(const char *s, unsigned base, int *n) { return parsed(n, sizeof *n); }
int kstrtouint(const char *s, unsigned base, unsigned *n) { return parsed(n, sizeof *n); }
int kstrtol(const char *s, unsigned base, long *n) { return parsed(n, sizeof *n); }
int kstrtoul(const char *s, unsigned base, unsigned long *n) { return parsed(n, sizeof *n); }

/* Numbers (C23 7.24). */

int abs(int n) { if (n < 0) return -n; return n; }
long labs(long n) { if (n < 0) return -n; return n; }
long long llabs(long long n) { if (n < 0) return -n; return n; }
int ffs(int n) { return __builtin_ffs(n); }
int ffsl(long n) { return __builtin_ffsl(n); }
int ffsll(long long n) { return __builtin_ffsll(n); }
void srand(unsigned seed) { }
void srandom(unsigned seed) { }
long random(void) { return __c2bp_nondet_long(); }
int rand(void)
{
	int n = __c2bp_nondet_int();
	__VERIFIER_assume(n >= 0);
	return n;
}

/* Characters (C23 7.4). */

int isalnum(int c) { return __c2bp_nondet_int(); }
int isalpha(int c) { return __c2bp_nondet_int(); }
int isblank(int c) { return __c2bp_nondet_int(); }
int iscntrl(int c) { return __c2bp_nondet_int(); }
int isdigit(int c) { return __c2bp_nondet_int(); }
int isgraph(int c) { return __c2bp_nondet_int(); }
int islower(int c) { return __c2bp_nondet_int(); }
int isprint(int c) { return __c2bp_nondet_int(); }
int ispunct(int c) { return __c2bp_nondet_int(); }
int isspace(int c) { return __c2bp_nondet_int(); }
int isupper(int c) { return __c2bp_nondet_int(); }
int isxdigit(int c) { return __c2bp_nondet_int(); }
int tolower(int c) { return __c2bp_nondet_int(); }
int toupper(int c) { return __c2bp_nondet_int(); }

/* Input and output (C23 7.23). Streams are memory that the program does not know. */

int printf(const char *format, ...) { return __c2bp_nondet_int(); }
int fprintf(void *f, const char *format, ...) { return __c2bp_nondet_int(); }
int sprintf(char *to, const char *format, ...) { write_string(to); return __c2bp_nondet_int(); }
int snprintf(char *to, size_t n, const char *format, ...) { __c2bp_havoc(to, n); return __c2bp_nondet_int(); }
int scnprintf(char *to, size_t n, const char *format, ...) { __c2bp_havoc(to, n); return __c2bp_nondet_int(); }
int sysfs_emit(char *to, const char *format, ...) { write_string(to); return __c2bp_nondet_int(); }
int sysfs_emit_at(char *to, int at, const char *format, ...) { write_string(to); return __c2bp_nondet_int(); }
int vprintf(const char *format, __builtin_va_list args) { return __c2bp_nondet_int(); }
int vfprintf(void *f, const char *format, __builtin_va_list args) { return __c2bp_nondet_int(); }
int vsprintf(char *to, const char *format, __builtin_va_list args) { write_string(to); return __c2bp_nondet_int(); }
int vsnprintf(char *to, size_t n, const char *format, __builtin_va_list args)
{
	__c2bp_havoc(to, n);
	return __c2bp_nondet_int();
}

int printk(const char *format, ...) { return __c2bp_nondet_int(); }
int _printk(const char *format, ...) { return __c2bp_nondet_int(); }
int dev_emerg(const void *dev, const char *format, ...) { return __c2bp_nondet_int(); }
int dev_alert(const void *dev, const char *format, ...) { return __c2bp_nondet_int(); }
int dev_crit(const void *dev, const char *format, ...) { return __c2bp_nondet_int(); }
int dev_err(const void *dev, const char *format, ...) { return __c2bp_nondet_int(); }
int dev_warn(const void *dev, const char *format, ...) { return __c2bp_nondet_int(); }
int dev_notice(const void *dev, const char *format, ...) { return __c2bp_nondet_int(); }
int _dev_info(const void *dev, const char *format, ...) { return __c2bp_nondet_int(); }
void _dev_emerg(const void *dev, const char *format, ...) { }
void _dev_alert(const void *dev, const char *format, ...) { }
void _dev_crit(const void *dev, const char *format, ...) { }
void _dev_err(const void *dev, const char *format, ...) { }
void _dev_warn(const void *dev, const char *format, ...) { }
void __dynamic_pr_debug(void *descriptor, const char *format, ...) { }
void __dynamic_dev_dbg(void *descriptor, const void *dev, const char *format, ...) { }
void __dynamic_netdev_dbg(void *descriptor, const void *dev, const char *format, ...) { }
void netdev_err(const void *dev, const char *format, ...) { }
void netdev_warn(const void *dev, const char *format, ...) { }
void netdev_info(const void *dev, const char *format, ...) { }
void netdev_notice(const void *dev, const char *format, ...) { }
void _dev_notice(const void *dev, const char *format, ...) { }
unsigned DbgPrint(const char *format, ...) { return __c2bp_nondet_unsigned(); }
unsigned DbgPrintEx(unsigned id, unsigned level, const char *format, ...) { return __c2bp_nondet_unsigned(); }

int puts(const char *s) { return __c2bp_nondet_int(); }
int putchar(int c) { return __c2bp_nondet_int(); }
int putc(int c, void *f) { return __c2bp_nondet_int(); }
int fputc(int c, void *f) { return __c2bp_nondet_int(); }
int fputs(const char *s, void *f) { return __c2bp_nondet_int(); }
int getchar(void) { return __c2bp_nondet_int(); }
int getc(void *f) { return __c2bp_nondet_int(); }
int fgetc(void *f) { return __c2bp_nondet_int(); }
int fclose(void *f) { return __c2bp_nondet_int(); }
int fflush(void *f) { return __c2bp_nondet_int(); }
int feof(void *f) { return __c2bp_nondet_int(); }
int ferror(void *f) { return __c2bp_nondet_int(); }
void perror(const char *s) { }

char *fgets(char *to, int n, void *f)
{
	__c2bp_havoc(to, n);
	if (__c2bp_nondet_bool())
		return to;
	return 0;
}

size_t fread(void *to, size_t size, size_t n, void *f)
{
	__c2bp_havoc(to, size * n);
	return __c2bp_nondet_size();
}

size_t fwrite(const void *from, size_t size, size_t n, void *f)
{
	__c2bp_known(from, size * n);
	return __c2bp_nondet_size();
}

/* Mathematics (C23 7.12): of infinity the whole is infinity, and the fraction zero. */

double modf(double x, double *whole)
{
	*whole = __builtin_trunc(x);
	return __builtin_copysign(__builtin_isinf(x) ? 0 : x - __builtin_trunc(x), x);
}

float modff(float x, float *whole)
{
	*whole = __builtin_truncf(x);
	return __builtin_copysignf(__builtin_isinf(x) ? 0 : x - __builtin_truncf(x), x);
}

/* The bits of a NaN with a tag depend on the library. In 32 bits numbers have no values here. */

double nan(const char *tag)
{
	double x = __c2bp_nondet_double();
#ifdef __LP64__
	__VERIFIER_assume(x != x);
#endif
	return x;
}

float nanf(const char *tag) { return nan(tag); }

/*
 * Locks, delays, clocks and lines of the Linux kernel. They change nothing that a driver reads but
 * through functions; what a lock excludes is a matter of rules. What is done by others while a
 * function waits is no matter of models (docs/harness.md).
 */

static int zero_or_negative(void)
{
	if (__c2bp_nondet_choice())
		return 0;
	int e = __c2bp_input_int();
	__VERIFIER_assume(e < 0);
	return e;
}

static int zero_or_one(void)
{
	if (__c2bp_nondet_choice())
		return 0;
	return 1;
}

void spin_lock_init(void *l) { }
void spin_lock(void *l) { }
void spin_lock_irq(void *l) { }
void spin_lock_bh(void *l) { }
void spin_unlock(void *l) { }
void spin_unlock_irq(void *l) { }
void spin_unlock_bh(void *l) { }
void raw_spin_lock(void *l) { }
void raw_spin_lock_irq(void *l) { }
void raw_spin_lock_bh(void *l) { }
void raw_spin_unlock(void *l) { }
void raw_spin_unlock_irq(void *l) { }
void raw_spin_unlock_bh(void *l) { }
void _raw_spin_lock(void *l) { }
void _raw_spin_lock_irq(void *l) { }
void _raw_spin_lock_bh(void *l) { }
void _raw_spin_unlock(void *l) { }
void _raw_spin_unlock_irq(void *l) { }
void _raw_spin_unlock_bh(void *l) { }
void __raw_spin_lock_init(void *l, const char *name, void *key, short inner) { }
void _raw_spin_lock_nested(void *l, int subclass) { }
unsigned long _raw_spin_lock_irqsave(void *l) { return __c2bp_input_size(); }
void spin_unlock_irqrestore(void *l, unsigned long flags) { }
void _raw_spin_unlock_irqrestore(void *l, unsigned long flags) { }
int spin_trylock(void *l) { return zero_or_one(); }
int spin_trylock_irq(void *l) { return zero_or_one(); }
int spin_trylock_bh(void *l) { return zero_or_one(); }
int raw_spin_trylock(void *l) { return zero_or_one(); }
int _raw_spin_trylock(void *l) { return zero_or_one(); }
int _raw_spin_trylock_bh(void *l) { return zero_or_one(); }

_Bool __list_add_valid(void *new, void *prev, void *next) { return zero_or_one(); }
_Bool __list_del_entry_valid(void *entry) { return zero_or_one(); }

void rwlock_init(void *l) { }
void read_lock(void *l) { }
void read_lock_irq(void *l) { }
void read_lock_bh(void *l) { }
void read_unlock(void *l) { }
void read_unlock_irq(void *l) { }
void read_unlock_bh(void *l) { }
void write_lock(void *l) { }
void write_lock_irq(void *l) { }
void write_lock_bh(void *l) { }
void write_unlock(void *l) { }
void write_unlock_irq(void *l) { }
void write_unlock_bh(void *l) { }
void _raw_read_lock(void *l) { }
void _raw_read_lock_irq(void *l) { }
void _raw_read_lock_bh(void *l) { }
void _raw_read_unlock(void *l) { }
void _raw_read_unlock_irq(void *l) { }
void _raw_read_unlock_bh(void *l) { }
void _raw_write_lock(void *l) { }
void _raw_write_lock_irq(void *l) { }
void _raw_write_lock_bh(void *l) { }
void _raw_write_unlock(void *l) { }
void _raw_write_unlock_irq(void *l) { }
void _raw_write_unlock_bh(void *l) { }
void __rwlock_init(void *l, const char *name, void *key) { }
unsigned long _raw_read_lock_irqsave(void *l) { return __c2bp_input_size(); }
unsigned long _raw_write_lock_irqsave(void *l) { return __c2bp_input_size(); }
void _raw_read_unlock_irqrestore(void *l, unsigned long flags) { }
void _raw_write_unlock_irqrestore(void *l, unsigned long flags) { }
int read_trylock(void *l) { return zero_or_one(); }
int write_trylock(void *l) { return zero_or_one(); }
int _raw_read_trylock(void *l) { return zero_or_one(); }
int _raw_write_trylock(void *l) { return zero_or_one(); }

void mutex_init(void *l) { }
void mutex_destroy(void *l) { }
void mutex_lock(void *l) { }
void mutex_unlock(void *l) { }
void down(void *l) { }
void up(void *l) { }
void __mutex_init(void *l, const char *name, void *key) { }
void mutex_lock_nested(void *l, unsigned subclass) { }
int mutex_lock_interruptible(void *l) { return zero_or_negative(); }
int mutex_lock_killable(void *l) { return zero_or_negative(); }
int down_interruptible(void *l) { return zero_or_negative(); }
int down_killable(void *l) { return zero_or_negative(); }
int mutex_trylock(void *l) { return zero_or_one(); }
int down_trylock(void *l) { return zero_or_one(); }
void init_rwsem(void *l) { }
void down_read(void *l) { }
void up_read(void *l) { }
void down_write(void *l) { }
void up_write(void *l) { }
void downgrade_write(void *l) { }
void __init_rwsem(void *l, const char *name, void *key) { }
int down_read_trylock(void *l) { return zero_or_one(); }
int down_write_trylock(void *l) { return zero_or_one(); }
void rcu_read_lock(void) { }
void rcu_read_unlock(void) { }
void rcu_read_lock_bh(void) { }
void rcu_read_unlock_bh(void) { }
void __rcu_read_lock(void) { }
void __rcu_read_unlock(void) { }

int clk_prepare(void *clk) { return zero_or_negative(); }
int clk_enable(void *clk) { return zero_or_negative(); }
int clk_prepare_enable(void *clk) { return zero_or_negative(); }
void clk_disable(void *clk) { }
void clk_unprepare(void *clk) { }
void clk_disable_unprepare(void *clk) { }
unsigned long clk_get_rate(void *clk) { return __c2bp_input_size(); }
long clk_round_rate(void *clk, unsigned long rate) { return __c2bp_input_long(); }
int clk_set_rate(void *clk, unsigned long rate) { return zero_or_negative(); }
int regulator_enable(void *r) { return zero_or_negative(); }
int regulator_disable(void *r) { return zero_or_negative(); }
int reset_control_assert(void *r) { return zero_or_negative(); }
int reset_control_deassert(void *r) { return zero_or_negative(); }
int reset_control_reset(void *r) { return zero_or_negative(); }
void gpiod_set_value(void *line, int value) { }
void gpiod_set_value_cansleep(void *line, int value) { }
int gpiod_get_value(const void *line) { return __c2bp_input_int(); }
int gpiod_get_value_cansleep(const void *line) { return __c2bp_input_int(); }

/* Registers of devices, which lie in no object of the program. */

unsigned char readb(const volatile void *at) { return __c2bp_input_unsigned(); }
void writeb(unsigned char value, volatile void *at) { }
unsigned short readw(const volatile void *at) { return __c2bp_input_unsigned(); }
void writew(unsigned short value, volatile void *at) { }
unsigned readl(const volatile void *at) { return __c2bp_input_unsigned(); }
void writel(unsigned value, volatile void *at) { }
unsigned long long readq(const volatile void *at) { return __c2bp_input_long_long(); }
void writeq(unsigned long long value, volatile void *at) { }
unsigned char __readb(const volatile void *at) { return __c2bp_input_unsigned(); }
void __writeb(unsigned char value, volatile void *at) { }
unsigned short __readw(const volatile void *at) { return __c2bp_input_unsigned(); }
void __writew(unsigned short value, volatile void *at) { }
unsigned __readl(const volatile void *at) { return __c2bp_input_unsigned(); }
void __writel(unsigned value, volatile void *at) { }
unsigned long long __readq(const volatile void *at) { return __c2bp_input_long_long(); }
void __writeq(unsigned long long value, volatile void *at) { }
unsigned ioread8(const void *at) { return __c2bp_input_unsigned(); }
void iowrite8(unsigned char value, void *at) { }
unsigned ioread16(const void *at) { return __c2bp_input_unsigned(); }
void iowrite16(unsigned short value, void *at) { }
unsigned ioread32(const void *at) { return __c2bp_input_unsigned(); }
void iowrite32(unsigned value, void *at) { }

/* Time. */

unsigned sleep(unsigned seconds) { return __c2bp_nondet_unsigned(); }
int usleep(unsigned microseconds) { return __c2bp_nondet_int(); }
long clock(void) { return __c2bp_nondet_long(); }

/* Inputs, of verifiers and of test generators. */

void __VERIFIER_nondet_memory(void *p, size_t n) { __c2bp_havoc(p, n); }
void klee_make_symbolic(void *p, size_t n, const char *name) { __c2bp_havoc(p, n); }
int klee_int(const char *name) { return __c2bp_nondet_int(); }
int klee_range(int from, int to, const char *name)
{
	int n = __c2bp_nondet_int();
	__VERIFIER_assume(from <= n && n < to);
	return n;
}

/* What does not return. For abort, exit and what reports failed assertions see
   frontend/intrinsics.go. */

void panic(const char *format, ...) { abort(); }
void do_exit(long code) { abort(); }
void KeBugCheck(unsigned code) { abort(); }
void KeBugCheckEx(unsigned code, size_t a, size_t b, size_t c, size_t d) { abort(); }
