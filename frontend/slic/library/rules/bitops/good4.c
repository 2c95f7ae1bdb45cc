/* From the middle, and if there is none from the start. */
extern unsigned long find_first_bit(const unsigned long *addr, unsigned long size);
extern unsigned long find_next_bit(const unsigned long *addr, unsigned long size, unsigned long offset);
extern unsigned long find_next_zero_bit(const unsigned long *addr, unsigned long size, unsigned long offset);
extern unsigned long input(void);
static unsigned long map[2];

int main(void)
{
	unsigned long mid = input() % 128;
	unsigned long bit = find_next_zero_bit(map, 128, mid);

	if (bit >= 128)
		bit = find_next_zero_bit(map, mid, 0);
	return bit == mid;
}
