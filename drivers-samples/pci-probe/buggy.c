/*
 * pcidaq - probe and remove of a PCI data acquisition card.
 *
 * Probing acquires, in this order: the enabled device, its I/O regions, the
 * register mapping, a DMA buffer, MSI (optional: the card also works with a
 * legacy interrupt), the interrupt line, and the character device.  Failure
 * at any step undoes the earlier ones in reverse order.
 *
 * Properties: nothing is released that is not held, and nothing acquired
 * twice; after a failed probe and after remove nothing is held; after a
 * successful probe the card is ready for use.
 */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned int inl(unsigned int port);
extern void outl(unsigned int value, unsigned int port);

#define EIO		5
#define ENOMEM		12
#define EBUSY		16
#define ENODEV		19

#define DAQ_ID		0x00u
#define DAQ_CTRL	0x04u
#define DAQ_ID_MAGIC	0xda90u
#define DAQ_CTRL_IRQ	0x10u

/* What the bus and the kernel hold for us. */
static int pci_enabled;
static int regions_held;
static int regs_mapped;
static int dma_buffer;
static int msi_enabled;
static int irq_held;
static int chrdev_registered;

static int pci_enable_device(void)
{
	assert(!pci_enabled);
	if (__VERIFIER_nondet_int())
		return -EIO;
	pci_enabled = 1;
	return 0;
}

static void pci_disable_device(void)
{
	assert(pci_enabled);
	pci_enabled = 0;
}

static int pci_request_regions(void)
{
	assert(pci_enabled);
	assert(!regions_held);
	if (__VERIFIER_nondet_int())
		return -EBUSY;
	regions_held = 1;
	return 0;
}

static void pci_release_regions(void)
{
	assert(regions_held);
	regions_held = 0;
}

static int pci_iomap(void)
{
	assert(regions_held);
	assert(!regs_mapped);
	if (__VERIFIER_nondet_int())
		return -ENOMEM;
	regs_mapped = 1;
	return 0;
}

static void pci_iounmap(void)
{
	assert(regs_mapped);
	regs_mapped = 0;
}

static unsigned int daq_read(unsigned int reg)
{
	assert(regs_mapped);
	return inl(reg);
}

static void daq_write(unsigned int reg, unsigned int value)
{
	assert(regs_mapped);
	outl(value, reg);
}

static int dma_alloc(void)
{
	assert(!dma_buffer);
	if (__VERIFIER_nondet_int())
		return -ENOMEM;
	dma_buffer = 1;
	return 0;
}

static void dma_free(void)
{
	assert(dma_buffer);
	dma_buffer = 0;
}

static int pci_enable_msi(void)
{
	assert(pci_enabled);
	assert(!msi_enabled);
	if (__VERIFIER_nondet_int())
		return -ENODEV;		/* old chip set */
	msi_enabled = 1;
	return 0;
}

static void pci_disable_msi(void)
{
	assert(msi_enabled);
	assert(!irq_held);		/* the handler must be gone first */
	msi_enabled = 0;
}

static int request_irq(void)
{
	assert(!irq_held);
	if (__VERIFIER_nondet_int())
		return -EBUSY;
	irq_held = 1;
	return 0;
}

static void free_irq(void)
{
	assert(irq_held);
	irq_held = 0;
}

static int register_chrdev(void)
{
	/* User space may call us at once: everything must be in place. */
	assert(regs_mapped && dma_buffer && irq_held);
	assert(!chrdev_registered);
	if (__VERIFIER_nondet_int())
		return -EBUSY;
	chrdev_registered = 1;
	return 0;
}

static void unregister_chrdev(void)
{
	assert(chrdev_registered);
	chrdev_registered = 0;
}

/* Is this the card, and does it answer? */
static int daq_identify(void)
{
	unsigned int id = daq_read(DAQ_ID);

	if (id == 0xffffffffu)
		return -EIO;
	if ((id >> 8) != DAQ_ID_MAGIC)
		return -ENODEV;
	return 0;
}

static int daq_probe(void)
{
	int err;

	err = pci_enable_device();
	if (err)
		goto out;

	err = pci_request_regions();
	if (err)
		goto out_disable;

	err = pci_iomap();
	if (err)
		goto out_regions;

	err = daq_identify();
	if (err)
		goto out_unmap;

	err = dma_alloc();
	if (err)
		goto out_regions;

	/* Failure here is not an error. */
	pci_enable_msi();

	err = request_irq();
	if (err)
		goto out_msi;

	daq_write(DAQ_CTRL, DAQ_CTRL_IRQ);

	err = register_chrdev();
	if (err)
		goto out_irq;

	return 0;

out_irq:
	daq_write(DAQ_CTRL, 0);
	free_irq();
out_msi:
	if (msi_enabled)
		pci_disable_msi();
	dma_free();
out_unmap:
	pci_iounmap();
out_regions:
	pci_release_regions();
out_disable:
	pci_disable_device();
out:
	return err;
}

static void daq_remove(void)
{
	unregister_chrdev();
	daq_write(DAQ_CTRL, 0);
	free_irq();
	if (msi_enabled)
		pci_disable_msi();
	dma_free();
	pci_iounmap();
	pci_release_regions();
	pci_disable_device();
}

static int daq_suspend(void)
{
	daq_write(DAQ_CTRL, 0);
	free_irq();
	return 0;
}

static int daq_resume(void)
{
	int err;

	err = request_irq();
	if (err)
		return err;
	daq_write(DAQ_CTRL, DAQ_CTRL_IRQ);
	return 0;
}

static void check_nothing_held(void)
{
	assert(!pci_enabled && !regions_held && !regs_mapped && !dma_buffer &&
	       !msi_enabled && !irq_held && !chrdev_registered);
}

int main(void)
{
	int bound = 0;
	int err;

	while (__VERIFIER_nondet_int()) {
		if (!bound) {
			err = daq_probe();
			if (err)
				check_nothing_held();
			else
				bound = 1;
			continue;
		}

		if (__VERIFIER_nondet_int()) {
			daq_suspend();
			/* The core insists until the card is back. */
			do {
				err = daq_resume();
			} while (err);
		} else {
			daq_remove();
			check_nothing_held();
			bound = 0;
		}
	}
	return 0;
}
