/*
 * serport - dispatch routines of a serial port driver for an NT-like kernel.
 *
 * A request (IRP) that reaches a dispatch routine must meet exactly one fate:
 *
 *	completed	serport_complete() with its final status, which the
 *			dispatch routine also returns;
 *	pending		marked pending and queued; the routine returns
 *			STATUS_PENDING, and the request is completed later,
 *			once, by whoever takes it off the queue;
 *	forwarded	handed to the driver below, whose status is returned;
 *			it must not be touched afterwards.
 *
 * Only reads are queued, one at a time: the read completes when data come in
 * (interrupt), when its timer fires, when it is aborted by an IOCTL, or when
 * the file is closed or the device removed.
 *
 * Properties: these three rules; the queued read is completed exactly once;
 * device registers are touched only in power state D0.
 */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern unsigned char inb(unsigned short port);
extern void outb(unsigned char value, unsigned short port);

typedef int NTSTATUS;
typedef unsigned int ULONG;
typedef unsigned char UCHAR;
typedef int BOOLEAN;

#define TRUE	1
#define FALSE	0

#define STATUS_SUCCESS			0
#define STATUS_TIMEOUT			258
#define STATUS_PENDING			259
#define STATUS_INVALID_PARAMETER	(-13)
#define STATUS_NOT_SUPPORTED		(-187)
#define STATUS_DEVICE_BUSY		(-128)
#define STATUS_DEVICE_REMOVED		(-694)
#define STATUS_DEVICE_POWERED_OFF	(-671)
#define STATUS_CANCELLED		(-288)
#define STATUS_SHARING_VIOLATION	(-67)

enum irp_major {
	IRP_MJ_CREATE,
	IRP_MJ_CLOSE,
	IRP_MJ_READ,
	IRP_MJ_WRITE,
	IRP_MJ_DEVICE_CONTROL,
	IRP_MJ_POWER,
	IRP_MJ_PNP_REMOVE,
	IRP_MJ_SYSTEM_CONTROL
};

enum serial_ioctl {
	IOCTL_SERIAL_SET_BAUD_RATE = 1,
	IOCTL_SERIAL_GET_COMMSTATUS = 2,
	IOCTL_SERIAL_PURGE = 3,
	IOCTL_SERIAL_SET_TIMEOUTS = 4
};

#define SERIAL_PURGE_RXABORT	2u
#define SERIAL_PURGE_RXCLEAR	8u

enum power_state {
	PowerDeviceD0,
	PowerDeviceD1,
	PowerDeviceD2,
	PowerDeviceD3
};

/* 16550 registers */
#define UART_BASE	0x3f8
#define UART_DATA	(UART_BASE + 0)
#define UART_IER	(UART_BASE + 1)
#define UART_LCR	(UART_BASE + 3)
#define UART_LSR	(UART_BASE + 5)

#define IER_RX		0x01
#define LCR_DLAB	0x80
#define LSR_DATA_READY	0x01
#define LSR_THR_EMPTY	0x20

#define TX_POLLS	1000
#define RX_FIFO_SIZE	16
#define BAUD_CLOCK	115200u

/* Device extension */
static enum power_state dev_power = PowerDeviceD0;
static BOOLEAN dev_removed;
static BOOLEAN dev_open;
static BOOLEAN read_queued;	/* a read waits in the driver's queue */
static int rx_count;		/* characters buffered for the next read */
static ULONG read_timeout;

/* The request being dispatched, and the fate it has met. */
static BOOLEAN irp_completed;
static BOOLEAN irp_pending;
static BOOLEAN irp_forwarded;
static NTSTATUS irp_io_status;	/* IoStatus.Status at completion */
static NTSTATUS lower_status;	/* what the driver below returned */

/* The read marked pending earlier and not yet completed. */
static BOOLEAN pending_read_live;

/* ---- kernel services --------------------------------------------------- */

static NTSTATUS serport_complete(NTSTATUS status)
{
	assert(!irp_completed);
	assert(!irp_pending);
	assert(!irp_forwarded);
	irp_completed = TRUE;
	irp_io_status = status;
	return status;
}

static void serport_mark_read_pending(void)
{
	assert(!irp_completed);
	assert(!irp_forwarded);
	assert(!pending_read_live);
	irp_pending = TRUE;
	pending_read_live = TRUE;
}

static void serport_complete_pending_read(NTSTATUS status)
{
	assert(pending_read_live);
	assert(status != STATUS_PENDING);
	pending_read_live = FALSE;
}

static NTSTATUS io_call_lower_driver(void)
{
	assert(!irp_completed);
	assert(!irp_pending);
	assert(!irp_forwarded);
	irp_forwarded = TRUE;
	lower_status = __VERIFIER_nondet_int();
	return lower_status;
}

/* ---- registers --------------------------------------------------------- */

static UCHAR uart_in(unsigned short reg)
{
	assert(dev_power == PowerDeviceD0);
	return inb(reg);
}

static void uart_out(unsigned short reg, UCHAR value)
{
	assert(dev_power == PowerDeviceD0);
	outb(value, reg);
}

static NTSTATUS uart_set_baud(ULONG baud)
{
	ULONG divisor;
	UCHAR lcr;

	if (baud == 0 || baud > BAUD_CLOCK)
		return STATUS_INVALID_PARAMETER;

	divisor = BAUD_CLOCK / baud;
	lcr = uart_in(UART_LCR);
	uart_out(UART_LCR, LCR_DLAB);
	uart_out(UART_DATA, (UCHAR)(divisor % 256));
	uart_out(UART_IER, (UCHAR)(divisor / 256));
	uart_out(UART_LCR, lcr);
	return STATUS_SUCCESS;
}

static NTSTATUS uart_send(UCHAR c)
{
	int polls;

	for (polls = 0; polls < TX_POLLS; polls++) {
		if (uart_in(UART_LSR) & LSR_THR_EMPTY) {
			uart_out(UART_DATA, c);
			return STATUS_SUCCESS;
		}
	}
	return STATUS_TIMEOUT;
}

/* ---- the read queue ---------------------------------------------------- */

/* Take the waiting read off the queue, if there is one, and complete it. */
static BOOLEAN serport_finish_read(NTSTATUS status)
{
	if (!read_queued)
		return FALSE;
	read_queued = FALSE;
	serport_complete_pending_read(status);
	return TRUE;
}

/* ---- dispatch routines ------------------------------------------------- */

static NTSTATUS serport_create(void)
{
	NTSTATUS status;

	if (dev_removed) {
		status = serport_complete(STATUS_DEVICE_REMOVED);
		return status;
	}
	if (dev_open) {
		status = serport_complete(STATUS_SHARING_VIOLATION);
		return status;
	}
	dev_open = TRUE;
	rx_count = 0;
	if (dev_power == PowerDeviceD0)
		uart_out(UART_IER, IER_RX);
	status = serport_complete(STATUS_SUCCESS);
	return status;
}

static NTSTATUS serport_close(void)
{
	NTSTATUS status;

	serport_finish_read(STATUS_CANCELLED);
	dev_open = FALSE;
	if (dev_power == PowerDeviceD0)
		uart_out(UART_IER, 0);
	status = serport_complete(STATUS_SUCCESS);
	return status;
}

static NTSTATUS serport_read(ULONG length)
{
	NTSTATUS status;

	if (dev_removed) {
		status = serport_complete(STATUS_DEVICE_REMOVED);
		return status;
	}
	if (length == 0 || rx_count > 0) {
		/* Enough is here already. */
		if (length > 0)
			rx_count--;
		status = serport_complete(STATUS_SUCCESS);
		return status;
	}
	if (read_queued) {
		status = serport_complete(STATUS_DEVICE_BUSY);
		return status;
	}

	serport_mark_read_pending();
	read_queued = TRUE;
	status = STATUS_PENDING;
	return status;
}

static NTSTATUS serport_write_bytes(ULONG length)
{
	NTSTATUS status = STATUS_SUCCESS;
	ULONG sent;

	for (sent = 0; sent < length; sent++) {
		status = uart_send((UCHAR)__VERIFIER_nondet_uint());
		if (status != STATUS_SUCCESS)
			break;
	}
	return status;
}

static NTSTATUS serport_write(ULONG length)
{
	NTSTATUS status;

	if (dev_removed)
		status = STATUS_DEVICE_REMOVED;
	else if (dev_power != PowerDeviceD0)
		status = STATUS_DEVICE_POWERED_OFF;
	else
		status = serport_write_bytes(length);

	status = serport_complete(status);
	return status;
}

static NTSTATUS serport_purge(ULONG mask)
{
	if (mask == 0)
		return STATUS_INVALID_PARAMETER;

	if (mask & SERIAL_PURGE_RXABORT) {
		if (read_queued) {
			read_queued = FALSE;
			serport_complete_pending_read(STATUS_CANCELLED);
		}
	}
	if (mask & SERIAL_PURGE_RXCLEAR)
		rx_count = 0;
	return STATUS_SUCCESS;
}

static NTSTATUS serport_ioctl(int code, ULONG arg)
{
	NTSTATUS status;

	if (dev_removed) {
		status = serport_complete(STATUS_DEVICE_REMOVED);
		return status;
	}

	switch (code) {
	case IOCTL_SERIAL_SET_BAUD_RATE:
		if (dev_power != PowerDeviceD0) {
			status = STATUS_DEVICE_POWERED_OFF;
			break;
		}
		status = uart_set_baud(arg);
		break;
	case IOCTL_SERIAL_GET_COMMSTATUS:
		status = STATUS_SUCCESS;
		break;
	case IOCTL_SERIAL_PURGE:
		status = serport_purge(arg);
		break;
	case IOCTL_SERIAL_SET_TIMEOUTS:
		read_timeout = arg;
		status = STATUS_SUCCESS;
		break;
	default:
		/* Not ours: perhaps the driver below knows it. */
		status = io_call_lower_driver();
		return status;
	}

	status = serport_complete(status);
	return status;
}

static NTSTATUS serport_power(int target)
{
	NTSTATUS status;

	if (target < PowerDeviceD0 || target > PowerDeviceD3) {
		status = serport_complete(STATUS_INVALID_PARAMETER);
		return status;
	}
	if (target == PowerDeviceD0) {
		dev_power = PowerDeviceD0;
		if (dev_open)
			uart_out(UART_IER, IER_RX);
	} else {
		if (dev_power == PowerDeviceD0)
			uart_out(UART_IER, 0);
		dev_power = PowerDeviceD3;
	}
	status = io_call_lower_driver();
	return status;
}

static NTSTATUS serport_remove(void)
{
	NTSTATUS status;

	serport_finish_read(STATUS_DEVICE_REMOVED);
	dev_removed = TRUE;
	status = io_call_lower_driver();
	return status;
}

static NTSTATUS serport_dispatch(int major)
{
	NTSTATUS status;

	switch (major) {
	case IRP_MJ_CREATE:
		status = serport_create();
		break;
	case IRP_MJ_CLOSE:
		status = serport_close();
		break;
	case IRP_MJ_READ:
		status = serport_read(__VERIFIER_nondet_uint());
		break;
	case IRP_MJ_WRITE:
		status = serport_write(__VERIFIER_nondet_uint());
		break;
	case IRP_MJ_DEVICE_CONTROL:
		status = serport_ioctl(__VERIFIER_nondet_int(),
				       __VERIFIER_nondet_uint());
		break;
	case IRP_MJ_POWER:
		status = serport_power(__VERIFIER_nondet_int());
		break;
	case IRP_MJ_PNP_REMOVE:
		status = serport_remove();
		break;
	case IRP_MJ_SYSTEM_CONTROL:
		status = io_call_lower_driver();
		break;
	default:
		status = serport_complete(STATUS_NOT_SUPPORTED);
		break;
	}
	return status;
}

/* ---- what happens behind our back -------------------------------------- */

static void serport_isr(void)
{
	if (dev_power != PowerDeviceD0)
		return;
	while (uart_in(UART_LSR) & LSR_DATA_READY) {
		uart_in(UART_DATA);
		if (serport_finish_read(STATUS_SUCCESS))
			continue;
		if (rx_count < RX_FIFO_SIZE)
			rx_count++;
	}
}

static void serport_read_timer(void)
{
	if (read_timeout != 0)
		serport_finish_read(STATUS_TIMEOUT);
}

/* ---- the I/O manager --------------------------------------------------- */

static void check_fate(NTSTATUS status)
{
	if (irp_forwarded) {
		assert(!irp_completed && !irp_pending);
		assert(status == lower_status);
	} else if (irp_pending) {
		assert(!irp_completed);
		assert(status == STATUS_PENDING);
	} else {
		assert(irp_completed);
		assert(status == irp_io_status);
		assert(status != STATUS_PENDING);
	}
}

int main(void)
{
	NTSTATUS status;

	while (__VERIFIER_nondet_int()) {
		switch (__VERIFIER_nondet_int()) {
		case 0:
			serport_isr();
			break;
		case 1:
			serport_read_timer();
			break;
		default:
			irp_completed = FALSE;
			irp_pending = FALSE;
			irp_forwarded = FALSE;
			status = serport_dispatch(__VERIFIER_nondet_int());
			check_fate(status);
			break;
		}
	}
	return 0;
}
