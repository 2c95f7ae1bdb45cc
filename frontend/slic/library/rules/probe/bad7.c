/* A mapping for a device on PCI is left where the second one fails. */
#include "rule.h"

struct pci_dev;
extern void *pci_iomap(struct pci_dev *pdev, int bar, unsigned long max);
extern void pci_iounmap(struct pci_dev *pdev, void *addr);
extern struct pci_dev *found(void);

int main(void)
{
	struct pci_dev *pdev = found();
	void *regs = pci_iomap(pdev, 0, 0), *more;

	if (!regs)
		return -12;
	more = ioremap(4096, 64);
	if (!more)
		return -12;
	pci_iounmap(pdev, more);
	pci_iounmap(pdev, regs);
	return 0;
} /* fails: left-at-end */
