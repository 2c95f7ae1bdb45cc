/*
 * scan - function driver of a flatbed scanner, in the style of WDM.
 *
 * All that the driver knows about its device is in the device extension; the
 * routines get a DEVICE_OBJECT and go from there.  The extension keeps three
 * states that depend on each other:
 *
 *	Pnp	NotStarted, Started, StopPending, Stopped, RemovePending,
 *		SurpriseRemoved, Deleted
 *	Power	D0 (working) or D3 (off)
 *	Scan	Idle, Warming, Ready, Scanning, Paused
 *
 * and the read request that is being served, ReadIrp.  A read moves the
 * carriage line by line; each line ends with an interrupt.
 *
 * Properties:
 *  - a request is completed, marked pending, or forwarded, once; a dispatch
 *    routine returns STATUS_PENDING if and only if the request is pending;
 *  - a pending read is completed exactly once;
 *  - registers are touched in D0 only;
 *  - the motor runs only when the lamp is on, and the lamp is not switched
 *    off, nor the power, while it runs;
 *  - the device is deleted only when all is off and no request is left.
 */
#include <assert.h>
#include <stddef.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern unsigned char inb(unsigned long port);
extern void outb(unsigned char value, unsigned long port);

typedef int NTSTATUS;
typedef unsigned int ULONG;
typedef unsigned char UCHAR;
typedef int BOOLEAN;
typedef void *PVOID;

#define TRUE	1
#define FALSE	0

#define STATUS_SUCCESS			0
#define STATUS_PENDING			259
#define STATUS_UNSUCCESSFUL		(-1)
#define STATUS_INVALID_PARAMETER	(-13)
#define STATUS_INVALID_DEVICE_REQUEST	(-16)
#define STATUS_DEVICE_BUSY		(-128)
#define STATUS_INSUFFICIENT_RESOURCES	(-154)
#define STATUS_CANCELLED		(-288)
#define STATUS_DEVICE_NOT_READY		(-163)
#define STATUS_DEVICE_POWERED_OFF	(-671)
#define STATUS_DELETE_PENDING		(-86)
#define STATUS_IO_TIMEOUT		(-181)

#define IRP_MJ_CREATE		0u
#define IRP_MJ_CLOSE		1u
#define IRP_MJ_READ		2u
#define IRP_MJ_DEVICE_CONTROL	3u
#define IRP_MJ_POWER		4u
#define IRP_MJ_PNP		5u
#define IRP_MJ_SYSTEM_CONTROL	6u
#define IRP_MJ_COUNT		7u

#define IRP_MN_START_DEVICE	0
#define IRP_MN_QUERY_REMOVE	1
#define IRP_MN_REMOVE_DEVICE	2
#define IRP_MN_CANCEL_REMOVE	3
#define IRP_MN_STOP_DEVICE	4
#define IRP_MN_QUERY_STOP	5
#define IRP_MN_CANCEL_STOP	6
#define IRP_MN_SURPRISE_REMOVAL	23

#define IOCTL_SCAN_WARM_UP	1u
#define IOCTL_SCAN_LAMP_OFF	2u
#define IOCTL_SCAN_RESOLUTION	3u
#define IOCTL_SCAN_PAUSE	4u
#define IOCTL_SCAN_CONTINUE	5u
#define IOCTL_SCAN_CANCEL	6u
#define IOCTL_SCAN_STATUS	7u

/* Registers */
#define SC_LAMP		0u
#define SC_MOTOR	1u
#define SC_DPI		2u
#define SC_STATUS	3u
#define SC_IRQ		4u

#define SC_STATUS_WARM	0x01
#define SC_STATUS_LINE	0x02
#define SC_STATUS_HOME	0x04
#define SC_STATUS_JAM	0x08

#define WARM_POLLS	20
#define HOME_POLLS	100
#define MAX_LINES	14000u
#define MAX_DPI		1200u

typedef enum {
	PnpNotStarted,
	PnpStarted,
	PnpStopPending,
	PnpStopped,
	PnpRemovePending,
	PnpSurpriseRemoved,
	PnpDeleted
} PNP_STATE;

typedef enum {
	PowerD0,
	PowerD3
} POWER_STATE;

typedef enum {
	ScanIdle,
	ScanWarming,
	ScanReady,
	ScanScanning,
	ScanPaused
} SCAN_STATE;

/* What a dispatch routine has done with a request. */
typedef enum {
	FateNone,
	FatePending,
	FateCompleted,
	FateForwarded
} FATE;

typedef struct _IO_STACK_LOCATION {
	UCHAR MinorFunction;
	union {
		struct {
			ULONG Lines;
		} Read;
		struct {
			ULONG Code;
			ULONG Argument;
		} DeviceIoControl;
		struct {
			POWER_STATE State;
		} Power;
	} Parameters;
} IO_STACK_LOCATION, *PIO_STACK_LOCATION;

typedef struct _IRP {
	struct {
		NTSTATUS Status;
		ULONG Information;
	} IoStatus;
	IO_STACK_LOCATION Stack;
	FATE Fate;
	BOOLEAN Pended;		/* still owed to the I/O manager */
} IRP, *PIRP;

typedef struct _DEVICE_OBJECT {
	PVOID DeviceExtension;
	struct _DEVICE_OBJECT *AttachedTo;
	ULONG Flags;
} DEVICE_OBJECT, *PDEVICE_OBJECT;

typedef NTSTATUS (*PDRIVER_DISPATCH)(PDEVICE_OBJECT DeviceObject, PIRP Irp);

typedef struct _DRIVER_OBJECT {
	PDRIVER_DISPATCH MajorFunction[IRP_MJ_COUNT];
	NTSTATUS (*AddDevice)(PDEVICE_OBJECT DeviceObject);
} DRIVER_OBJECT, *PDRIVER_OBJECT;

typedef struct _DEVICE_EXTENSION {
	PDEVICE_OBJECT Self;
	PDEVICE_OBJECT Lower;
	unsigned long Base;
	PNP_STATE Pnp;
	POWER_STATE Power;
	SCAN_STATE Scan;
	BOOLEAN LampOn;
	BOOLEAN MotorOn;
	PIRP ReadIrp;
	ULONG LinesLeft;
	ULONG LinesDone;
	ULONG Resolution;
	ULONG OpenCount;
} DEVICE_EXTENSION, *PDEVICE_EXTENSION;

/* ---- the kernel -------------------------------------------------------- */

static DEVICE_OBJECT Pdo;		/* of the bus driver */
static DEVICE_OBJECT Fdo;		/* ours */
static DEVICE_EXTENSION Extension;	/* of our device object */
static DRIVER_OBJECT Driver;

/* The extension comes with the device object. */
static NTSTATUS IoCreateDevice(PDEVICE_OBJECT DeviceObject)
{
	if (__VERIFIER_nondet_int())
		return STATUS_INSUFFICIENT_RESOURCES;
	DeviceObject->DeviceExtension = &Extension;
	return STATUS_SUCCESS;
}

static void IoDeleteDevice(PDEVICE_OBJECT DeviceObject)
{
	PDEVICE_EXTENSION ext = DeviceObject->DeviceExtension;

	assert(ext->ReadIrp == NULL);
	assert(!ext->MotorOn && !ext->LampOn);
	DeviceObject->DeviceExtension = NULL;
}

/* Complete the request that is being dispatched ... */
static void IoCompleteRequest(PIRP Irp)
{
	assert(Irp->Fate == FateNone);
	Irp->Fate = FateCompleted;
}

/* ... or one that was marked pending earlier. */
static void IoCompletePended(PIRP Irp)
{
	assert(Irp->Pended);
	Irp->Pended = FALSE;
}

static void IoMarkIrpPending(PIRP Irp)
{
	assert(Irp->Fate == FateNone);
	Irp->Fate = FatePending;
	Irp->Pended = TRUE;
}

static NTSTATUS IoCallDriver(PDEVICE_OBJECT DeviceObject, PIRP Irp)
{
	NTSTATUS status;

	assert(Irp->Fate == FateNone);
	DeviceObject->Flags = 0;
	Irp->Fate = FateForwarded;
	status = __VERIFIER_nondet_int();
	if (status == STATUS_PENDING)
		status = STATUS_SUCCESS;	/* it never pends */
	return status;
}

/* ---- registers --------------------------------------------------------- */

static UCHAR ScanIn(PDEVICE_EXTENSION ext, ULONG reg)
{
	assert(ext->Power == PowerD0);
	return inb(ext->Base + reg);
}

static void ScanOut(PDEVICE_EXTENSION ext, ULONG reg, UCHAR value)
{
	assert(ext->Power == PowerD0);
	outb(value, ext->Base + reg);
}

/* ---- lamp and motor ---------------------------------------------------- */

static void ScanLampOn(PDEVICE_EXTENSION ext)
{
	ScanOut(ext, SC_LAMP, 1);
	ext->LampOn = TRUE;
}

static void ScanLampOff(PDEVICE_EXTENSION ext)
{
	assert(!ext->MotorOn);
	ScanOut(ext, SC_LAMP, 0);
	ext->LampOn = FALSE;
}

static BOOLEAN ScanLampWarm(PDEVICE_EXTENSION ext)
{
	int polls;

	for (polls = 0; polls < WARM_POLLS; polls++) {
		if (ScanIn(ext, SC_STATUS) & SC_STATUS_WARM)
			return TRUE;
	}
	return FALSE;
}

static void ScanMotorStart(PDEVICE_EXTENSION ext)
{
	assert(ext->LampOn);
	ScanOut(ext, SC_MOTOR, 1);
	ext->MotorOn = TRUE;
}

static void ScanMotorStop(PDEVICE_EXTENSION ext)
{
	if (!ext->MotorOn)
		return;
	ScanOut(ext, SC_MOTOR, 0);
	ext->MotorOn = FALSE;
}

/* Let the carriage run home; it takes its time, or jams. */
static NTSTATUS ScanCarriageHome(PDEVICE_EXTENSION ext)
{
	int polls;
	UCHAR status;

	for (polls = 0; polls < HOME_POLLS; polls++) {
		status = ScanIn(ext, SC_STATUS);
		if (status & SC_STATUS_HOME)
			return STATUS_SUCCESS;
		if (status & SC_STATUS_JAM)
			return STATUS_UNSUCCESSFUL;
	}
	return STATUS_IO_TIMEOUT;
}

/* ---- the read that is being served ------------------------------------- */

/* Take the read off the extension and complete it, if there is one. */
static void ScanFinishRead(PDEVICE_EXTENSION ext, NTSTATUS status)
{
	PIRP irp = ext->ReadIrp;

	ScanMotorStop(ext);
	if (ext->Scan == ScanScanning || ext->Scan == ScanPaused)
		ext->Scan = ScanReady;
	if (irp == NULL)
		return;
	ext->ReadIrp = NULL;
	irp->IoStatus.Status = status;
	irp->IoStatus.Information = ext->LinesDone;
	IoCompletePended(irp);
}

/* Stop whatever goes on, as before power or device go away. */
static void ScanHalt(PDEVICE_EXTENSION ext, NTSTATUS status)
{
	ScanFinishRead(ext, status);
	if (ext->LampOn)
		ScanLampOff(ext);
	ext->Scan = ScanIdle;
}

static NTSTATUS ScanComplete(PIRP Irp, NTSTATUS status)
{
	Irp->IoStatus.Status = status;
	IoCompleteRequest(Irp);
	return status;
}

/* ---- create, close, read ----------------------------------------------- */

static NTSTATUS ScanCreate(PDEVICE_OBJECT DeviceObject, PIRP Irp)
{
	PDEVICE_EXTENSION ext = DeviceObject->DeviceExtension;

	if (ext->Pnp != PnpStarted)
		return ScanComplete(Irp, STATUS_DELETE_PENDING);
	ext->OpenCount++;
	return ScanComplete(Irp, STATUS_SUCCESS);
}

static NTSTATUS ScanClose(PDEVICE_OBJECT DeviceObject, PIRP Irp)
{
	PDEVICE_EXTENSION ext = DeviceObject->DeviceExtension;

	if (ext->OpenCount > 0)
		ext->OpenCount--;
	if (ext->OpenCount == 0 && ext->Power == PowerD0)
		ScanHalt(ext, STATUS_CANCELLED);
	return ScanComplete(Irp, STATUS_SUCCESS);
}

static NTSTATUS ScanCheckReady(PDEVICE_EXTENSION ext)
{
	if (ext->Pnp != PnpStarted)
		return STATUS_DELETE_PENDING;
	if (ext->Power != PowerD0)
		return STATUS_DEVICE_POWERED_OFF;
	if (ext->Scan != ScanReady)
		return STATUS_DEVICE_NOT_READY;
	return STATUS_SUCCESS;
}

static NTSTATUS ScanRead(PDEVICE_OBJECT DeviceObject, PIRP Irp)
{
	PDEVICE_EXTENSION ext = DeviceObject->DeviceExtension;
	ULONG lines = Irp->Stack.Parameters.Read.Lines;
	NTSTATUS status;

	status = ScanCheckReady(ext);
	if (status != STATUS_SUCCESS) {
		ScanComplete(Irp, status);
		return status;
	}
	if (lines == 0 || lines > MAX_LINES)
		return ScanComplete(Irp, STATUS_INVALID_PARAMETER);
	if (ext->ReadIrp)
		return ScanComplete(Irp, STATUS_DEVICE_BUSY);
	if (!ext->LampOn)
		return ScanComplete(Irp, STATUS_DEVICE_NOT_READY);

	status = ScanCarriageHome(ext);
	if (status != STATUS_SUCCESS) {
		ScanComplete(Irp, status);
		return status;
	}
	IoMarkIrpPending(Irp);
	ext->ReadIrp = Irp;
	ext->LinesLeft = lines;
	ext->LinesDone = 0;
	ext->Scan = ScanScanning;
	ScanMotorStart(ext);
	return STATUS_PENDING;
}

/* ---- device control ---------------------------------------------------- */

static NTSTATUS ScanWarmUp(PDEVICE_EXTENSION ext)
{
	if (ext->Scan != ScanIdle && ext->Scan != ScanWarming)
		return STATUS_SUCCESS;		/* it is warm */
	if (!ext->LampOn)
		ScanLampOn(ext);
	ext->Scan = ScanWarming;
	if (!ScanLampWarm(ext))
		return STATUS_IO_TIMEOUT;
	ext->Scan = ScanReady;
	return STATUS_SUCCESS;
}

static NTSTATUS ScanSetLampOff(PDEVICE_EXTENSION ext)
{
	if (ext->Scan == ScanScanning || ext->Scan == ScanPaused)
		return STATUS_DEVICE_BUSY;
	if (ext->LampOn && !ext->MotorOn)
		ScanLampOff(ext);
	ext->Scan = ScanIdle;
	return STATUS_SUCCESS;
}

static NTSTATUS ScanSetResolution(PDEVICE_EXTENSION ext, ULONG dpi)
{
	if (dpi < 75 || dpi > MAX_DPI || dpi % 75 != 0)
		return STATUS_INVALID_PARAMETER;
	if (ext->Scan == ScanScanning || ext->Scan == ScanPaused)
		return STATUS_DEVICE_BUSY;
	ext->Resolution = dpi;
	ScanOut(ext, SC_DPI, (UCHAR)(dpi / 75));
	return STATUS_SUCCESS;
}

static NTSTATUS ScanPause(PDEVICE_EXTENSION ext)
{
	if (ext->Scan != ScanScanning)
		return STATUS_DEVICE_NOT_READY;
	ScanMotorStop(ext);
	ext->Scan = ScanPaused;
	return STATUS_SUCCESS;
}

static NTSTATUS ScanContinue(PDEVICE_EXTENSION ext)
{
	if (ext->Scan != ScanPaused || !ext->LampOn)
		return STATUS_DEVICE_NOT_READY;
	ext->Scan = ScanScanning;
	ScanMotorStart(ext);
	return STATUS_SUCCESS;
}

static NTSTATUS ScanControl(PDEVICE_OBJECT DeviceObject, PIRP Irp)
{
	PDEVICE_EXTENSION ext = DeviceObject->DeviceExtension;
	PIO_STACK_LOCATION stack = &Irp->Stack;
	NTSTATUS status;

	if (ext->Pnp != PnpStarted)
		return ScanComplete(Irp, STATUS_DELETE_PENDING);
	if (ext->Power != PowerD0)
		return ScanComplete(Irp, STATUS_DEVICE_POWERED_OFF);

	switch (stack->Parameters.DeviceIoControl.Code) {
	case IOCTL_SCAN_WARM_UP:
		status = ScanWarmUp(ext);
		break;
	case IOCTL_SCAN_LAMP_OFF:
		status = ScanSetLampOff(ext);
		break;
	case IOCTL_SCAN_RESOLUTION:
		status = ScanSetResolution(ext,
			stack->Parameters.DeviceIoControl.Argument);
		break;
	case IOCTL_SCAN_PAUSE:
		status = ScanPause(ext);
		break;
	case IOCTL_SCAN_CONTINUE:
		status = ScanContinue(ext);
		break;
	case IOCTL_SCAN_CANCEL:
		ScanFinishRead(ext, STATUS_CANCELLED);
		status = STATUS_SUCCESS;
		break;
	case IOCTL_SCAN_STATUS:
		Irp->IoStatus.Information = ext->LinesDone;
		status = STATUS_SUCCESS;
		break;
	default:
		status = STATUS_INVALID_DEVICE_REQUEST;
		break;
	}
	ScanComplete(Irp, status);
	return status;
}

/* ---- power ------------------------------------------------------------- */

static void ScanPowerUp(PDEVICE_EXTENSION ext)
{
	ext->Power = PowerD0;
	ext->Scan = ScanIdle;
	ScanOut(ext, SC_IRQ, 1);
}

static void ScanPowerDown(PDEVICE_EXTENSION ext)
{
	if (ext->Power != PowerD0)
		return;
	ScanHalt(ext, STATUS_DEVICE_POWERED_OFF);
	ScanOut(ext, SC_IRQ, 0);
	assert(!ext->MotorOn);
	ext->Power = PowerD3;
}

static NTSTATUS ScanPower(PDEVICE_OBJECT DeviceObject, PIRP Irp)
{
	PDEVICE_EXTENSION ext = DeviceObject->DeviceExtension;

	if (Irp->Stack.Parameters.Power.State == PowerD0) {
		if (ext->Power != PowerD0)
			ScanPowerUp(ext);
	} else {
		ScanPowerDown(ext);
	}
	return IoCallDriver(ext->Lower, Irp);
}

/* ---- plug and play ----------------------------------------------------- */

static void ScanDelete(PDEVICE_EXTENSION ext)
{
	ScanPowerDown(ext);
	ext->Pnp = PnpDeleted;
}

static NTSTATUS ScanPnp(PDEVICE_OBJECT DeviceObject, PIRP Irp)
{
	PDEVICE_EXTENSION ext = DeviceObject->DeviceExtension;

	switch (Irp->Stack.MinorFunction) {
	case IRP_MN_START_DEVICE:
		if (ext->Power != PowerD0)
			ScanPowerUp(ext);
		ext->Pnp = PnpStarted;
		break;
	case IRP_MN_QUERY_STOP:
		if (ext->ReadIrp)
			return ScanComplete(Irp, STATUS_DEVICE_BUSY);
		if (ext->Pnp == PnpStarted)
			ext->Pnp = PnpStopPending;
		break;
	case IRP_MN_CANCEL_STOP:
		if (ext->Pnp == PnpStopPending)
			ext->Pnp = PnpStarted;
		break;
	case IRP_MN_STOP_DEVICE:
		ScanPowerDown(ext);
		ext->Pnp = PnpStopped;
		break;
	case IRP_MN_QUERY_REMOVE:
		if (ext->ReadIrp || ext->OpenCount > 0)
			return ScanComplete(Irp, STATUS_DEVICE_BUSY);
		if (ext->Pnp == PnpStarted)
			ext->Pnp = PnpRemovePending;
		break;
	case IRP_MN_CANCEL_REMOVE:
		if (ext->Pnp == PnpRemovePending)
			ext->Pnp = PnpStarted;
		break;
	case IRP_MN_SURPRISE_REMOVAL:
		ScanPowerDown(ext);
		ext->Pnp = PnpSurpriseRemoved;
		break;
	case IRP_MN_REMOVE_DEVICE:
		ScanDelete(ext);
		break;
	default:
		break;			/* not for us */
	}
	return IoCallDriver(ext->Lower, Irp);
}

static NTSTATUS ScanPassOn(PDEVICE_OBJECT DeviceObject, PIRP Irp)
{
	PDEVICE_EXTENSION ext = DeviceObject->DeviceExtension;

	return IoCallDriver(ext->Lower, Irp);
}

/* ---- interrupts and timers --------------------------------------------- */

static void ScanInterrupt(PDEVICE_OBJECT DeviceObject)
{
	PDEVICE_EXTENSION ext = DeviceObject->DeviceExtension;
	UCHAR status;

	if (ext->Power != PowerD0)
		return;
	status = ScanIn(ext, SC_STATUS);
	if (ext->Scan != ScanScanning)
		return;
	if (status & SC_STATUS_JAM) {
		ScanFinishRead(ext, STATUS_UNSUCCESSFUL);
		return;
	}
	if (!(status & SC_STATUS_LINE))
		return;
	ext->LinesDone++;
	ext->LinesLeft--;
	if (ext->LinesLeft == 0)
		ScanFinishRead(ext, STATUS_SUCCESS);
}

/* No line for a long time. */
static void ScanTimer(PDEVICE_OBJECT DeviceObject)
{
	PDEVICE_EXTENSION ext = DeviceObject->DeviceExtension;

	if (ext->Scan != ScanScanning)
		return;
	if (ext->Power == PowerD0)
		ScanFinishRead(ext, STATUS_IO_TIMEOUT);
}

/* ---- loading ----------------------------------------------------------- */

static NTSTATUS ScanAddDevice(PDEVICE_OBJECT DeviceObject)
{
	PDEVICE_EXTENSION ext;
	NTSTATUS status;

	status = IoCreateDevice(DeviceObject);
	if (status != STATUS_SUCCESS)
		return status;
	ext = DeviceObject->DeviceExtension;
	DeviceObject->AttachedTo = &Pdo;
	ext->Self = DeviceObject;
	ext->Lower = &Pdo;
	ext->Base = 0x280u;
	ext->Pnp = PnpNotStarted;
	ext->Power = PowerD3;
	ext->Scan = ScanIdle;
	ext->LampOn = FALSE;
	ext->MotorOn = FALSE;
	ext->ReadIrp = NULL;
	ext->LinesLeft = 0;
	ext->LinesDone = 0;
	ext->Resolution = 300;
	ext->OpenCount = 0;
	return STATUS_SUCCESS;
}

static NTSTATUS DriverEntry(PDRIVER_OBJECT DriverObject)
{
	DriverObject->MajorFunction[IRP_MJ_CREATE] = ScanCreate;
	DriverObject->MajorFunction[IRP_MJ_CLOSE] = ScanClose;
	DriverObject->MajorFunction[IRP_MJ_READ] = ScanRead;
	DriverObject->MajorFunction[IRP_MJ_DEVICE_CONTROL] = ScanControl;
	DriverObject->MajorFunction[IRP_MJ_POWER] = ScanPower;
	DriverObject->MajorFunction[IRP_MJ_PNP] = ScanPnp;
	DriverObject->MajorFunction[IRP_MJ_SYSTEM_CONTROL] = ScanPassOn;
	DriverObject->AddDevice = ScanAddDevice;
	return STATUS_SUCCESS;
}

/* ---- the I/O manager --------------------------------------------------- */

#define IRPS	4u

static IRP Irps[IRPS];

static void IoSend(PDEVICE_OBJECT DeviceObject, PIRP Irp, ULONG major)
{
	NTSTATUS status;

	Irp->Fate = FateNone;
	Irp->Stack.MinorFunction = (UCHAR)__VERIFIER_nondet_uint();
	Irp->Stack.Parameters.DeviceIoControl.Code = __VERIFIER_nondet_uint();
	Irp->Stack.Parameters.DeviceIoControl.Argument =
		__VERIFIER_nondet_uint();
	status = Driver.MajorFunction[major](DeviceObject, Irp);
	assert(Irp->Fate != FateNone);
	assert((Irp->Fate == FatePending) == (status == STATUS_PENDING));
}

int main(void)
{
	PDEVICE_EXTENSION ext;
	PIRP irp;
	ULONG major, i;

	if (DriverEntry(&Driver) != STATUS_SUCCESS)
		return 0;
	if (Driver.AddDevice(&Fdo) != STATUS_SUCCESS)
		return 0;
	ext = Fdo.DeviceExtension;
	while (ext->Pnp != PnpDeleted) {
		switch (__VERIFIER_nondet_int()) {
		case 0:
			ScanInterrupt(&Fdo);
			break;
		case 1:
			ScanTimer(&Fdo);
			break;
		default:
			i = __VERIFIER_nondet_uint();
			major = __VERIFIER_nondet_uint();
			if (i >= IRPS || major >= IRP_MJ_COUNT)
				break;
			irp = &Irps[i];
			if (irp->Pended)
				break;		/* not back yet */
			IoSend(&Fdo, irp, major);
			break;
		}
	}
	IoDeleteDevice(&Fdo);
	return 0;
}
