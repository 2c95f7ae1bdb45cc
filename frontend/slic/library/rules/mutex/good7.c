/* Whoever gives the last reference back gets the mutex. */
struct mutex { long owner; };
typedef struct { int refs; } refcount_t;

extern void mutex_lock(struct mutex *lock);
extern void mutex_unlock(struct mutex *lock);
extern _Bool refcount_dec_and_mutex_lock(refcount_t *r, struct mutex *lock);
extern int transfer(int unit);

static struct mutex table;
static refcount_t users;

static void put(void)
{
	if (refcount_dec_and_mutex_lock(&users, &table)) {
		transfer(0);
		mutex_unlock(&table);
	}
}

int main(void)
{
	mutex_lock(&table);
	transfer(1);
	mutex_unlock(&table);
	put();
	return 0;
}
