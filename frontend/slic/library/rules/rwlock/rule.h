/* Declarations of the kernel for the examples of rwlock. */
typedef struct { int raw; } rwlock_t;

extern void read_lock(rwlock_t *lock);
extern void read_unlock(rwlock_t *lock);
extern void write_lock(rwlock_t *lock);
extern void write_unlock(rwlock_t *lock);
extern int read_trylock(rwlock_t *lock);
extern int write_trylock(rwlock_t *lock);
extern unsigned long _raw_write_lock_irqsave(rwlock_t *lock);
extern void _raw_write_unlock_irqrestore(rwlock_t *lock, unsigned long flags);
extern int lookup(int key);
#define write_lock_irqsave(lock, flags) ((flags) = _raw_write_lock_irqsave(lock))
