/* Two requests, and an error path. */
#include "rule.h"

static struct request_queue *queue;

int main(void)
{
	struct request *a, *b;
	int err;

	a = blk_get_request(queue, 0, 0);
	if (IS_ERR(a))
		return PTR_ERR(a);
	b = blk_get_request(queue, 1, 0);
	if (IS_ERR(b)) {
		err = PTR_ERR(b);
		goto put_a;
	}
	err = execute(b);
	blk_put_request(b);
put_a:
	blk_put_request(a);
	return err;
}
