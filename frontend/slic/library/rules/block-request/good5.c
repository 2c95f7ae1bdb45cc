/* Another name of the request; the callee puts it back. */
#include "rule.h"

static struct request_queue *queue;

struct command { struct request *rq; };

static void finish(struct command *c)
{
	if (c->rq)
		blk_put_request(c->rq);
	c->rq = 0;
}

int main(void)
{
	struct request *rq = blk_get_request(queue, 0, 0);
	struct command c = { IS_ERR(rq) ? 0 : rq };

	if (c.rq)
		execute(rq);
	finish(&c);
	finish(&c);
	return 0;
}
