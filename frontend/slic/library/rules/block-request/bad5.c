/* Another name of the request is kept. */
#include "rule.h"

static struct request_queue *queue;

struct command { struct request *rq; };

static void finish(struct command *c)
{
	blk_put_request(c->rq); /* fails: double-destroy */
}

int main(void)
{
	struct request *rq = blk_get_request(queue, 0, 0);
	struct command c = { rq };

	if (IS_ERR(rq))
		return -12;
	blk_put_request(rq);
	finish(&c);
	return 0;
}
