/* Declarations of the kernel for the examples of wdm-irp. */
typedef long NTSTATUS;
typedef struct { NTSTATUS Status; unsigned long Information; } IO_STATUS_BLOCK;
typedef struct _IRP { IO_STATUS_BLOCK IoStatus; int Stack; } IRP;
typedef struct _DEVICE_OBJECT { int Type; } DEVICE_OBJECT;
typedef NTSTATUS IO_COMPLETION_ROUTINE(DEVICE_OBJECT *DeviceObject, IRP *Irp, void *Context);

extern void IofCompleteRequest(IRP *Irp, char PriorityBoost);
extern NTSTATUS IofCallDriver(DEVICE_OBJECT *DeviceObject, IRP *Irp);
extern void IoMarkIrpPending(IRP *Irp);
extern void IoSetCompletionRoutine(IRP *Irp, IO_COMPLETION_ROUTINE *Routine, void *Context, unsigned char Ok, unsigned char Error, unsigned char Cancel);
extern IRP *NextRequest(void);
extern int Ready(int n);
#define IoCompleteRequest(irp, boost) IofCompleteRequest(irp, boost)
#define IoCallDriver(device, irp) IofCallDriver(device, irp)
