/* Unprepared by another name while it is enabled. */
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
	if (clk_enable(mine) == 0) {
		clk_unprepare(other); /* fails: still-enabled */
		return 0;
	}
	clk_unprepare(mine);
	return 0;
}
