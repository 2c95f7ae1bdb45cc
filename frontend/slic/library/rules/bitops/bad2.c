/* The loop goes one too far. */
extern unsigned long find_first_bit(const unsigned long *addr, unsigned long size);
extern unsigned long find_next_bit(const unsigned long *addr, unsigned long size, unsigned long offset);
extern unsigned long find_next_zero_bit(const unsigned long *addr, unsigned long size, unsigned long offset);
extern unsigned long input(void);
static unsigned long map[2];

int main(void)
{
	unsigned long i;

	for (i = 0; i <= 3; i++)
		find_next_zero_bit(map, 2, i); /* fails: offset-beyond-size */
	return 0;
}
