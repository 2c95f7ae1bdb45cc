/*
 * What happens when a program ends (C23 7.24.5, POSIX, GNU C).
 *
 * A program that registers functions for its end, or has destructors, is linked with this
 * file; see frontend/ending.go, which defines a macro for each function that the program
 * uses. Calls of NAME become calls of __c2bp_NAME, and __c2bp_finish is called at the
 * return of main.
 *
 * The last few functions registered are in variables, newest first, so that predicates
 * can tell them apart easily; those before that are in a list. A function that is
 * registered while others run is the next to run, as in glibc; so, if one of them calls
 * exit, the others still run.
 *
 * There is room for 32 functions; behind that, registering one may fail.
 *
 * With threads, any thread may end the program at any time, and all that a function reads
 * is arbitrary; see frontend/threads.go. There a function may run as soon as it is
 * registered, which ends the execution.
 */

void *__c2bp_alloc(__SIZE_TYPE__ n);
_Bool __c2bp_nondet_bool(void);
int __c2bp_nondet_int(void);

typedef void (*plain)(void);
typedef void (*informed)(int status, void *data);
typedef void (*object)(void *data);
typedef void *pointer;

enum { VARIABLES = 8, ROOM = 32 };

#define EACH(v)  v##0, v##1, v##2, v##3, v##4, v##5, v##6, v##7
#define LAST(v)  v##7
#define UP(v)    v##7 = v##6, v##6 = v##5, v##5 = v##4, v##4 = v##3, v##3 = v##2, v##2 = v##1, v##1 = v##0
#define DOWN(v)  v##0 = v##1, v##1 = v##2, v##2 = v##3, v##3 = v##4, v##4 = v##5, v##5 = v##6, v##6 = v##7, v##7 = 0

#ifdef THREADS
#define MAY_RUN(call)  if (__c2bp_nondet_bool()) { call; __builtin_unreachable(); }
#else
#define MAY_RUN(call)
#endif

#if defined USES_on_exit || defined USES___cxa_atexit
#define WITH_DATA(...)  __VA_ARGS__
#else
#define WITH_DATA(...)
#endif

#if defined USES_atexit || defined USES_on_exit || defined USES___cxa_atexit

static plain EACH(__c2bp_plain);
WITH_DATA(static informed EACH(__c2bp_informed);)
WITH_DATA(static object EACH(__c2bp_object);)
WITH_DATA(static pointer EACH(__c2bp_data);)

static struct handler {
	plain plain;
	WITH_DATA(informed informed;)
	WITH_DATA(object object;)
	WITH_DATA(pointer data;)
	struct handler *next;
} *__c2bp_older;
static int __c2bp_listed;

/* Makes room in the first variables, and reports whether there is none. */
static _Bool __c2bp_no_room(void)
{
	if (LAST(__c2bp_plain) WITH_DATA(|| LAST(__c2bp_informed) || LAST(__c2bp_object))) {
		if (__c2bp_listed == ROOM - VARIABLES) {
			if (__c2bp_nondet_bool())
				return 1;
		} else {
			__c2bp_listed++;
		}
		struct handler *h = __c2bp_alloc(sizeof *h);
		h->plain = LAST(__c2bp_plain);
		WITH_DATA(h->informed = LAST(__c2bp_informed);)
		WITH_DATA(h->object = LAST(__c2bp_object);)
		WITH_DATA(h->data = LAST(__c2bp_data);)
		h->next = __c2bp_older;
		__c2bp_older = h;
	}
	UP(__c2bp_plain);
	WITH_DATA(UP(__c2bp_informed);)
	WITH_DATA(UP(__c2bp_object);)
	WITH_DATA(UP(__c2bp_data);)
	return 0;
}

#ifdef USES_atexit
int __c2bp_atexit(plain f)
{
	MAY_RUN(f())
	if (__c2bp_no_room())
		return 1;
	__c2bp_plain0 = f;
	WITH_DATA(__c2bp_informed0 = 0, __c2bp_object0 = 0;)
	return 0;
}
#endif

#ifdef USES_on_exit
int __c2bp_on_exit(informed f, void *data)
{
	MAY_RUN(f(__c2bp_nondet_int(), data))
	if (__c2bp_no_room())
		return -1;
	__c2bp_plain0 = 0, __c2bp_object0 = 0;
	__c2bp_informed0 = f, __c2bp_data0 = data;
	return 0;
}
#endif

#ifdef USES___cxa_atexit
int __c2bp___cxa_atexit(object f, void *data, void *library)
{
	MAY_RUN(f(data))
	if (__c2bp_no_room())
		return -1;
	__c2bp_plain0 = 0, __c2bp_informed0 = 0;
	__c2bp_object0 = f, __c2bp_data0 = data;
	return 0;
}
#endif

static void __c2bp_run(int status)
{
	while (__c2bp_plain0 WITH_DATA(|| __c2bp_informed0 || __c2bp_object0)) {
		plain f = __c2bp_plain0;
		WITH_DATA(informed g = __c2bp_informed0;)
		WITH_DATA(object h = __c2bp_object0;)
		WITH_DATA(void *data = __c2bp_data0;)
		DOWN(__c2bp_plain);
		WITH_DATA(DOWN(__c2bp_informed);)
		WITH_DATA(DOWN(__c2bp_object);)
		WITH_DATA(DOWN(__c2bp_data);)
		if (__c2bp_older) {
			LAST(__c2bp_plain) = __c2bp_older->plain;
			WITH_DATA(LAST(__c2bp_informed) = __c2bp_older->informed;)
			WITH_DATA(LAST(__c2bp_object) = __c2bp_older->object;)
			WITH_DATA(LAST(__c2bp_data) = __c2bp_older->data;)
			__c2bp_older = __c2bp_older->next;
		}
		WITH_DATA(if (g) g(status, data); else if (h) h(data); else)
		f();
	}
}

#else
static void __c2bp_run(int status) { }
#endif

#ifdef USES_destructors
void __c2bp_destructors(void); /* calls them all */

void __c2bp_finish(int status)
{
	__c2bp_run(status);
	__c2bp_destructors();
	__c2bp_run(status); /* what they have registered */
}
#else
void __c2bp_finish(int status) { __c2bp_run(status); }
#endif

void __c2bp_exit(int status)
{
	__c2bp_finish(status);
	__builtin_unreachable();
}

/* The functions of at_quick_exit are apart from the others. */
#ifdef USES_at_quick_exit

static plain EACH(__c2bp_quick);
static struct quick { plain plain; struct quick *next; } *__c2bp_older_quick;
static int __c2bp_listed_quick;

int __c2bp_at_quick_exit(plain f)
{
	MAY_RUN(f())
	if (LAST(__c2bp_quick)) {
		if (__c2bp_listed_quick == ROOM - VARIABLES) {
			if (__c2bp_nondet_bool())
				return 1;
		} else {
			__c2bp_listed_quick++;
		}
		struct quick *q = __c2bp_alloc(sizeof *q);
		q->plain = LAST(__c2bp_quick);
		q->next = __c2bp_older_quick;
		__c2bp_older_quick = q;
	}
	UP(__c2bp_quick);
	__c2bp_quick0 = f;
	return 0;
}

void __c2bp_quick_exit(int status)
{
	while (__c2bp_quick0) {
		plain f = __c2bp_quick0;
		DOWN(__c2bp_quick);
		if (__c2bp_older_quick) {
			LAST(__c2bp_quick) = __c2bp_older_quick->plain;
			__c2bp_older_quick = __c2bp_older_quick->next;
		}
		f();
	}
	__builtin_unreachable();
}
#endif
