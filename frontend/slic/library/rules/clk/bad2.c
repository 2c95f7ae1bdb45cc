/* Enabled only. */
struct clk { int rate; };

extern struct clk *clk_get(void *dev, const char *id);
extern int clk_prepare(struct clk *clk);
extern void clk_unprepare(struct clk *clk);
extern int clk_enable(struct clk *clk);
extern void clk_disable(struct clk *clk);
extern int device(int n);

static struct clk bus;

static int start(struct clk *c)
{
	return clk_enable(c); /* fails: not-prepared */
}

int main(void)
{
	if (start(&bus) == 0)
		clk_disable(&bus);
	return 0;
}
