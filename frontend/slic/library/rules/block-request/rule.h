/* Declarations of the kernel for the examples of block-request. */
typedef struct { int slock; } spinlock_t;
struct request_queue { int depth; };
struct request { struct request_queue *q; int errors; };
typedef void (request_fn_proc)(struct request_queue *q);

extern struct request *blk_get_request(struct request_queue *q, unsigned int op, unsigned int flags);
extern void blk_put_request(struct request *rq);
extern struct request_queue *blk_init_queue(request_fn_proc *rfn, spinlock_t *lock);
extern void blk_cleanup_queue(struct request_queue *q);
extern int execute(struct request *rq);
static inline _Bool IS_ERR(const void *p) { return (unsigned long)p >= (unsigned long)-4095; }
static inline long PTR_ERR(const void *p) { return (long)p; }
