/* The error path leaves it running. */
struct clk { int rate; };

extern struct clk *clk_get(void *dev, const char *id);
extern int clk_prepare(struct clk *clk);
extern void clk_unprepare(struct clk *clk);
extern int clk_enable(struct clk *clk);
extern void clk_disable(struct clk *clk);
extern int device(int n);

static struct clk bus;
extern int clk_prepare_enable(struct clk *clk);
extern void clk_disable_unprepare(struct clk *clk);

int main(void)
{
	int err = clk_prepare_enable(&bus);

	if (err)
		return err;
	if (device(0) < 0)
		return -5;
	clk_disable_unprepare(&bus);
	return 0;
} /* fails: enabled-at-end */
