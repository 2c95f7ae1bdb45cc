/* A request that somebody else has taken. */
#include "rule.h"

static struct request_queue *queue;

extern struct request *next_done(void);

int main(void)
{
	struct request *rq;

	while ((rq = next_done()) != 0)
		blk_put_request(rq);
	return 0;
}
