/* Built-in functions of gcc that the C parser does not know (GCC manual, 6.59 ff.).
   One declaration or macro on each line: a program may declare its own. */
#define __builtin_LINE() __LINE__
#define __builtin_FILE() __FILE__
#define __builtin_FUNCTION() __func__
#define __builtin_alloca_with_align(s, a) __builtin_alloca(s)
#define __builtin_alloca_with_align_and_max(s, a, m) __builtin_alloca(s)
#define __builtin_assume_aligned(p, ...) (((void)(__VA_ARGS__)), (void *)(p))
#define __builtin_expect_with_probability(e, c, p) __builtin_expect(e, c)
#define __builtin_extract_return_addr(p) (p)
#define __builtin_frob_return_addr(p) (p)
#define __builtin_speculation_safe_value(v, ...) (v)
int __builtin_clzll(unsigned long long x);
int __builtin_ctzll(unsigned long long x);
int __builtin_clrsb(int x);
int __builtin_clrsbl(long x);
int __builtin_clrsbll(long long x);
int __builtin_ffs(int x);
int __builtin_ffsl(long x);
int __builtin_ffsll(long long x);
int __builtin_parity(unsigned x);
int __builtin_parityl(unsigned long x);
int __builtin_parityll(unsigned long long x);
int __builtin_popcount(unsigned x);
int __builtin_popcountl(unsigned long x);
int __builtin_popcountll(unsigned long long x);
void *__builtin_return_address(unsigned level);
void *__builtin_frame_address(unsigned level);
void *__builtin_thread_pointer(void);
void __builtin_trap(void) __attribute__((noreturn));
void __builtin___clear_cache(void *begin, void *end);
void __builtin_ia32_pause(void);
void __builtin_cpu_init(void);
int __builtin_cpu_supports(const char *name);
int __builtin_cpu_is(const char *name);
int __builtin_classify_type();
__SIZE_TYPE__ __builtin_dynamic_object_size(void *p, int i);
_Bool __builtin_add_overflow();
_Bool __builtin_sub_overflow();
_Bool __builtin_mul_overflow();
_Bool __builtin_add_overflow_p();
_Bool __builtin_sub_overflow_p();
_Bool __builtin_mul_overflow_p();
_Bool __builtin_sadd_overflow(int a, int b, int *r);
_Bool __builtin_saddl_overflow(long a, long b, long *r);
_Bool __builtin_saddll_overflow(long long a, long long b, long long *r);
_Bool __builtin_uadd_overflow(unsigned a, unsigned b, unsigned *r);
_Bool __builtin_uaddl_overflow(unsigned long a, unsigned long b, unsigned long *r);
_Bool __builtin_uaddll_overflow(unsigned long long a, unsigned long long b, unsigned long long *r);
_Bool __builtin_ssub_overflow(int a, int b, int *r);
_Bool __builtin_ssubl_overflow(long a, long b, long *r);
_Bool __builtin_ssubll_overflow(long long a, long long b, long long *r);
_Bool __builtin_usub_overflow(unsigned a, unsigned b, unsigned *r);
_Bool __builtin_usubl_overflow(unsigned long a, unsigned long b, unsigned long *r);
_Bool __builtin_usubll_overflow(unsigned long long a, unsigned long long b, unsigned long long *r);
_Bool __builtin_smul_overflow(int a, int b, int *r);
_Bool __builtin_smull_overflow(long a, long b, long *r);
_Bool __builtin_smulll_overflow(long long a, long long b, long long *r);
_Bool __builtin_umul_overflow(unsigned a, unsigned b, unsigned *r);
_Bool __builtin_umull_overflow(unsigned long a, unsigned long b, unsigned long *r);
_Bool __builtin_umulll_overflow(unsigned long long a, unsigned long long b, unsigned long long *r);
int __builtin_isgreater();
int __builtin_isgreaterequal();
int __builtin_isless();
int __builtin_islessequal();
int __builtin_islessgreater();
int __builtin_signbit();
int __builtin_signbitf(float x);
int __builtin_signbitl(long double x);
int __builtin_isnan();
int __builtin_isinf();
int __builtin_isinf_sign();
int __builtin_isfinite();
int __builtin_isnormal();
int __builtin_finite(double x);
int __builtin_fpclassify();
double __builtin_nans(const char *s);
float __builtin_nansf(const char *s);
long double __builtin_nansl(const char *s);
double __builtin_round(double x);
float __builtin_roundf(float x);
double __builtin_trunc(double x);
float __builtin_truncf(float x);
double __builtin_rint(double x);
float __builtin_rintf(float x);
double __builtin_nearbyint(double x);
double __builtin_fmin(double x, double y);
double __builtin_fmax(double x, double y);
float __builtin_fminf(float x, float y);
float __builtin_fmaxf(float x, float y);
double __builtin_fma(double x, double y, double z);
long __builtin_lround(double x);
long long __builtin_llround(double x);
long __builtin_lrint(double x);
double __builtin_creal(double _Complex z);
double __builtin_cimag(double _Complex z);
float __builtin_crealf(float _Complex z);
float __builtin_cimagf(float _Complex z);
double __builtin_cabs(double _Complex z);
double _Complex __builtin_conj(double _Complex z);
double _Complex __builtin_complex();
__INTMAX_TYPE__ __builtin_imaxabs(__INTMAX_TYPE__ x);
void *__builtin_memmove(void *dest, const void *src, __SIZE_TYPE__ n);
void *__builtin_mempcpy(void *dest, const void *src, __SIZE_TYPE__ n);
void *__builtin_memccpy(void *dest, const void *src, int c, __SIZE_TYPE__ n);
char *__builtin_stpcpy(char *dest, const char *src);
char *__builtin_stpncpy(char *dest, const char *src, __SIZE_TYPE__ n);
char *__builtin_strdup(const char *s);
char *__builtin_strndup(const char *s, __SIZE_TYPE__ n);
int __builtin_strcasecmp(const char *a, const char *b);
int __builtin_strncasecmp(const char *a, const char *b, __SIZE_TYPE__ n);
int __builtin_bcmp(const void *a, const void *b, __SIZE_TYPE__ n);
void __builtin_bcopy(const void *src, void *dest, __SIZE_TYPE__ n);
void __builtin_bzero(void *s, __SIZE_TYPE__ n);
char *__builtin_index(const char *s, int c);
char *__builtin_rindex(const char *s, int c);
__SIZE_TYPE__ __builtin_fwrite(const void *p, __SIZE_TYPE__ size, __SIZE_TYPE__ n, void *stream);
/* Operations on atomic objects: plain ones, for nothing else happens meanwhile. Their
   arithmetic wraps around, and counts bytes where it applies to pointers: __c2bp_add. Structures
   cannot be compared in C: __c2bp_same. */
long long __c2bp_add();
long long __c2bp_sub();
_Bool __c2bp_same();
_Bool __c2bp_spurious(void);
#define __c2bp_type __typeof__(0 ? *__c2bp_p : *__c2bp_p)
#define __c2bp_to(e) ((__typeof__(*__c2bp_p))(e))
#define __c2bp_old(p, v, e) ({ __typeof__(p) __c2bp_p = (p); __c2bp_type __c2bp_v = __c2bp_to(v); __c2bp_type __c2bp_o = *__c2bp_p; *__c2bp_p = (e); __c2bp_o; })
#define __c2bp_new(p, v, e) ({ __typeof__(p) __c2bp_p = (p); __c2bp_type __c2bp_v = __c2bp_to(v); __c2bp_type __c2bp_o = *__c2bp_p; __c2bp_type __c2bp_n = __c2bp_to(e); *__c2bp_p = __c2bp_n; __c2bp_n; })
#define __c2bp_val_cas(p, o, n) ({ __typeof__(p) __c2bp_p = (p); __c2bp_type __c2bp_v = __c2bp_to(o); __c2bp_type __c2bp_n = __c2bp_to(n); __c2bp_type __c2bp_o = *__c2bp_p; if (__c2bp_same(__c2bp_o, __c2bp_v)) *__c2bp_p = __c2bp_n; __c2bp_o; })
#define __c2bp_bool_cas(p, o, n) ({ __typeof__(p) __c2bp_p = (p); __c2bp_type __c2bp_v = __c2bp_to(o); __c2bp_type __c2bp_n = __c2bp_to(n); _Bool __c2bp_b = __c2bp_same(*__c2bp_p, __c2bp_v); if (__c2bp_b) *__c2bp_p = __c2bp_n; __c2bp_b; })
#define __c2bp_cas(p, e, n, w) ({ __typeof__(p) __c2bp_p = (p); __typeof__(e) __c2bp_e = (e); __c2bp_type __c2bp_n = __c2bp_to(n); _Bool __c2bp_w = (w); __c2bp_type __c2bp_o = *__c2bp_p; _Bool __c2bp_b = __c2bp_same(__c2bp_o, *__c2bp_e) && !(__c2bp_w && __c2bp_spurious()); if (__c2bp_b) *__c2bp_p = __c2bp_n; else *__c2bp_e = __c2bp_o; __c2bp_b; })
#define __sync_fetch_and_add(p, v, ...) __c2bp_old(p, v, __c2bp_to(__c2bp_add(__c2bp_o, __c2bp_v)))
#define __sync_fetch_and_sub(p, v, ...) __c2bp_old(p, v, __c2bp_to(__c2bp_sub(__c2bp_o, __c2bp_v)))
#define __sync_fetch_and_or(p, v, ...) __c2bp_old(p, v, __c2bp_o | __c2bp_v)
#define __sync_fetch_and_and(p, v, ...) __c2bp_old(p, v, __c2bp_o & __c2bp_v)
#define __sync_fetch_and_xor(p, v, ...) __c2bp_old(p, v, __c2bp_o ^ __c2bp_v)
#define __sync_fetch_and_nand(p, v, ...) __c2bp_old(p, v, ~(__c2bp_o & __c2bp_v))
#define __sync_add_and_fetch(p, v, ...) __c2bp_new(p, v, __c2bp_to(__c2bp_add(__c2bp_o, __c2bp_v)))
#define __sync_sub_and_fetch(p, v, ...) __c2bp_new(p, v, __c2bp_to(__c2bp_sub(__c2bp_o, __c2bp_v)))
#define __sync_or_and_fetch(p, v, ...) __c2bp_new(p, v, __c2bp_o | __c2bp_v)
#define __sync_and_and_fetch(p, v, ...) __c2bp_new(p, v, __c2bp_o & __c2bp_v)
#define __sync_xor_and_fetch(p, v, ...) __c2bp_new(p, v, __c2bp_o ^ __c2bp_v)
#define __sync_nand_and_fetch(p, v, ...) __c2bp_new(p, v, ~(__c2bp_o & __c2bp_v))
#define __sync_bool_compare_and_swap(p, o, n, ...) __c2bp_bool_cas(p, o, n)
#define __sync_val_compare_and_swap(p, o, n, ...) __c2bp_val_cas(p, o, n)
#define __sync_lock_test_and_set(p, v, ...) __c2bp_old(p, v, __c2bp_v)
#define __sync_lock_release(p, ...) ((void)(*(p) = 0))
#define __sync_synchronize(...) ((void)0)
#define __atomic_load_n(p, m) ((void)(m), *(p))
#define __atomic_load(p, r, m) ((void)(*(r) = *(p)), (void)(m))
#define __atomic_store_n(p, v, m) ((void)(*(p) = (v)), (void)(m))
#define __atomic_store(p, v, m) ((void)(*(p) = *(v)), (void)(m))
#define __atomic_exchange_n(p, v, m) ((void)(m), __c2bp_old(p, v, __c2bp_v))
#define __atomic_exchange(p, v, r, m) ((void)(m), (void)(*(r) = __c2bp_old(p, *(v), __c2bp_v)))
#define __atomic_compare_exchange_n(p, e, d, w, s, f) ((void)(s), (void)(f), __c2bp_cas(p, e, d, w))
#define __atomic_compare_exchange(p, e, d, w, s, f) ((void)(s), (void)(f), __c2bp_cas(p, e, *(d), w))
#define __atomic_fetch_add(p, v, m) ((void)(m), __sync_fetch_and_add(p, v))
#define __atomic_fetch_sub(p, v, m) ((void)(m), __sync_fetch_and_sub(p, v))
#define __atomic_fetch_or(p, v, m) ((void)(m), __sync_fetch_and_or(p, v))
#define __atomic_fetch_and(p, v, m) ((void)(m), __sync_fetch_and_and(p, v))
#define __atomic_fetch_xor(p, v, m) ((void)(m), __sync_fetch_and_xor(p, v))
#define __atomic_fetch_nand(p, v, m) ((void)(m), __sync_fetch_and_nand(p, v))
#define __atomic_add_fetch(p, v, m) ((void)(m), __sync_add_and_fetch(p, v))
#define __atomic_sub_fetch(p, v, m) ((void)(m), __sync_sub_and_fetch(p, v))
#define __atomic_or_fetch(p, v, m) ((void)(m), __sync_or_and_fetch(p, v))
#define __atomic_and_fetch(p, v, m) ((void)(m), __sync_and_and_fetch(p, v))
#define __atomic_xor_fetch(p, v, m) ((void)(m), __sync_xor_and_fetch(p, v))
#define __atomic_nand_fetch(p, v, m) ((void)(m), __sync_nand_and_fetch(p, v))
#define __atomic_test_and_set(p, m) ((void)(m), __c2bp_old((_Bool *)(p), 1, __c2bp_v))
#define __atomic_clear(p, m) ((void)(m), (void)(*(_Bool *)(p) = 0))
#define __atomic_thread_fence(m) ((void)(m))
#define __atomic_signal_fence(m) ((void)(m))
#define __atomic_always_lock_free(n, p) ((void)(p), (n) == 1 || (n) == 2 || (n) == 4 || (n) == 8)
#define __atomic_is_lock_free(n, p) ((void)(p), (n) == 1 || (n) == 2 || (n) == 4 || (n) == 8)
/* What __has_attribute knows. */
#define __has_attribute(name) __c2bp_attribute_##name
#define __c2bp_attribute_access 1
#define __c2bp_attribute___access__ 1
#define __c2bp_attribute_alias 1
#define __c2bp_attribute___alias__ 1
#define __c2bp_attribute_aligned 1
#define __c2bp_attribute___aligned__ 1
#define __c2bp_attribute_alloc_align 1
#define __c2bp_attribute___alloc_align__ 1
#define __c2bp_attribute_alloc_size 1
#define __c2bp_attribute___alloc_size__ 1
#define __c2bp_attribute_always_inline 1
#define __c2bp_attribute___always_inline__ 1
#define __c2bp_attribute_artificial 1
#define __c2bp_attribute___artificial__ 1
#define __c2bp_attribute_assume_aligned 1
#define __c2bp_attribute___assume_aligned__ 1
#define __c2bp_attribute_cleanup 1
#define __c2bp_attribute___cleanup__ 1
#define __c2bp_attribute_cold 1
#define __c2bp_attribute___cold__ 1
#define __c2bp_attribute_common 1
#define __c2bp_attribute___common__ 1
#define __c2bp_attribute_const 1
#define __c2bp_attribute___const__ 1
#define __c2bp_attribute_constructor 1
#define __c2bp_attribute___constructor__ 1
#define __c2bp_attribute_copy 1
#define __c2bp_attribute___copy__ 1
#define __c2bp_attribute_deprecated 1
#define __c2bp_attribute___deprecated__ 1
#define __c2bp_attribute_designated_init 1
#define __c2bp_attribute___designated_init__ 1
#define __c2bp_attribute_destructor 1
#define __c2bp_attribute___destructor__ 1
#define __c2bp_attribute_error 1
#define __c2bp_attribute___error__ 1
#define __c2bp_attribute_externally_visible 1
#define __c2bp_attribute___externally_visible__ 1
#define __c2bp_attribute_fallthrough 1
#define __c2bp_attribute___fallthrough__ 1
#define __c2bp_attribute_flatten 1
#define __c2bp_attribute___flatten__ 1
#define __c2bp_attribute_format 1
#define __c2bp_attribute___format__ 1
#define __c2bp_attribute_format_arg 1
#define __c2bp_attribute___format_arg__ 1
#define __c2bp_attribute_gnu_inline 1
#define __c2bp_attribute___gnu_inline__ 1
#define __c2bp_attribute_hot 1
#define __c2bp_attribute___hot__ 1
#define __c2bp_attribute_ifunc 1
#define __c2bp_attribute___ifunc__ 1
#define __c2bp_attribute_leaf 1
#define __c2bp_attribute___leaf__ 1
#define __c2bp_attribute_malloc 1
#define __c2bp_attribute___malloc__ 1
#define __c2bp_attribute_may_alias 1
#define __c2bp_attribute___may_alias__ 1
#define __c2bp_attribute_mode 1
#define __c2bp_attribute___mode__ 1
#define __c2bp_attribute_naked 1
#define __c2bp_attribute___naked__ 1
#define __c2bp_attribute_no_icf 1
#define __c2bp_attribute___no_icf__ 1
#define __c2bp_attribute_no_instrument_function 1
#define __c2bp_attribute___no_instrument_function__ 1
#define __c2bp_attribute_no_profile_instrument_function 1
#define __c2bp_attribute___no_profile_instrument_function__ 1
#define __c2bp_attribute_no_reorder 1
#define __c2bp_attribute___no_reorder__ 1
#define __c2bp_attribute_no_sanitize 1
#define __c2bp_attribute___no_sanitize__ 1
#define __c2bp_attribute_no_sanitize_address 1
#define __c2bp_attribute___no_sanitize_address__ 1
#define __c2bp_attribute_no_sanitize_thread 1
#define __c2bp_attribute___no_sanitize_thread__ 1
#define __c2bp_attribute_no_sanitize_undefined 1
#define __c2bp_attribute___no_sanitize_undefined__ 1
#define __c2bp_attribute_no_split_stack 1
#define __c2bp_attribute___no_split_stack__ 1
#define __c2bp_attribute_no_stack_protector 1
#define __c2bp_attribute___no_stack_protector__ 1
#define __c2bp_attribute_noclone 1
#define __c2bp_attribute___noclone__ 1
#define __c2bp_attribute_nocommon 1
#define __c2bp_attribute___nocommon__ 1
#define __c2bp_attribute_noinit 1
#define __c2bp_attribute___noinit__ 1
#define __c2bp_attribute_noinline 1
#define __c2bp_attribute___noinline__ 1
#define __c2bp_attribute_noipa 1
#define __c2bp_attribute___noipa__ 1
#define __c2bp_attribute_nonnull 1
#define __c2bp_attribute___nonnull__ 1
#define __c2bp_attribute_nonstring 1
#define __c2bp_attribute___nonstring__ 1
#define __c2bp_attribute_noplt 1
#define __c2bp_attribute___noplt__ 1
#define __c2bp_attribute_noreturn 1
#define __c2bp_attribute___noreturn__ 1
#define __c2bp_attribute_nothrow 1
#define __c2bp_attribute___nothrow__ 1
#define __c2bp_attribute_optimize 1
#define __c2bp_attribute___optimize__ 1
#define __c2bp_attribute_packed 1
#define __c2bp_attribute___packed__ 1
#define __c2bp_attribute_patchable_function_entry 1
#define __c2bp_attribute___patchable_function_entry__ 1
#define __c2bp_attribute_pure 1
#define __c2bp_attribute___pure__ 1
#define __c2bp_attribute_retain 1
#define __c2bp_attribute___retain__ 1
#define __c2bp_attribute_returns_nonnull 1
#define __c2bp_attribute___returns_nonnull__ 1
#define __c2bp_attribute_returns_twice 1
#define __c2bp_attribute___returns_twice__ 1
#define __c2bp_attribute_scalar_storage_order 1
#define __c2bp_attribute___scalar_storage_order__ 1
#define __c2bp_attribute_section 1
#define __c2bp_attribute___section__ 1
#define __c2bp_attribute_sentinel 1
#define __c2bp_attribute___sentinel__ 1
#define __c2bp_attribute_simd 1
#define __c2bp_attribute___simd__ 1
#define __c2bp_attribute_stack_protect 1
#define __c2bp_attribute___stack_protect__ 1
#define __c2bp_attribute_symver 1
#define __c2bp_attribute___symver__ 1
#define __c2bp_attribute_target 1
#define __c2bp_attribute___target__ 1
#define __c2bp_attribute_target_clones 1
#define __c2bp_attribute___target_clones__ 1
#define __c2bp_attribute_tls_model 1
#define __c2bp_attribute___tls_model__ 1
#define __c2bp_attribute_transparent_union 1
#define __c2bp_attribute___transparent_union__ 1
#define __c2bp_attribute_unavailable 1
#define __c2bp_attribute___unavailable__ 1
#define __c2bp_attribute_uninitialized 1
#define __c2bp_attribute___uninitialized__ 1
#define __c2bp_attribute_unused 1
#define __c2bp_attribute___unused__ 1
#define __c2bp_attribute_used 1
#define __c2bp_attribute___used__ 1
#define __c2bp_attribute_vector_size 1
#define __c2bp_attribute___vector_size__ 1
#define __c2bp_attribute_visibility 1
#define __c2bp_attribute___visibility__ 1
#define __c2bp_attribute_warn_if_not_aligned 1
#define __c2bp_attribute___warn_if_not_aligned__ 1
#define __c2bp_attribute_warn_unused_result 1
#define __c2bp_attribute___warn_unused_result__ 1
#define __c2bp_attribute_warning 1
#define __c2bp_attribute___warning__ 1
#define __c2bp_attribute_weak 1
#define __c2bp_attribute___weak__ 1
#define __c2bp_attribute_weakref 1
#define __c2bp_attribute___weakref__ 1
#define __c2bp_attribute_zero_call_used_regs 1
#define __c2bp_attribute___zero_call_used_regs__ 1
#define __c2bp_attribute_regparm 1
#define __c2bp_attribute___regparm__ 1
#define __c2bp_attribute_ms_struct 1
#define __c2bp_attribute___ms_struct__ 1
#define __c2bp_attribute_gcc_struct 1
#define __c2bp_attribute___gcc_struct__ 1
#define __c2bp_attribute_ms_abi 1
#define __c2bp_attribute___ms_abi__ 1
#define __c2bp_attribute_sysv_abi 1
#define __c2bp_attribute___sysv_abi__ 1
#define __c2bp_attribute_cdecl 1
#define __c2bp_attribute___cdecl__ 1
#define __c2bp_attribute_stdcall 1
#define __c2bp_attribute___stdcall__ 1
#define __c2bp_attribute_fastcall 1
#define __c2bp_attribute___fastcall__ 1
