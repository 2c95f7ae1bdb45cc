/* Users of one clock are counted; two names of it. */
struct clk { int rate; };

extern struct clk *clk_get(void *dev, const char *id);
extern int clk_prepare(struct clk *clk);
extern void clk_unprepare(struct clk *clk);
extern int clk_enable(struct clk *clk);
extern void clk_disable(struct clk *clk);
extern int device(int n);

static struct clk shared;

int main(void)
{
	struct clk *mine = &shared, *other = mine;

	if (clk_prepare(mine))
		return -5;
	if (clk_prepare(other) == 0)
		clk_unprepare(&shared);
	clk_unprepare(&shared);
	return 0;
}
