/* Declarations of the kernel for the examples of wdm-remove-lock. */
typedef long NTSTATUS;
#define NT_SUCCESS(s) ((NTSTATUS)(s) >= 0)
typedef struct { int Removed; } IO_REMOVE_LOCK;
typedef struct { int Id; IO_REMOVE_LOCK RemoveLock; } DEVICE_EXTENSION;

extern NTSTATUS IoAcquireRemoveLockEx(IO_REMOVE_LOCK *Lock, void *Tag, const char *File, unsigned long Line, unsigned long Size);
extern void IoReleaseRemoveLockEx(IO_REMOVE_LOCK *Lock, void *Tag, unsigned long Size);
extern void IoReleaseRemoveLockAndWaitEx(IO_REMOVE_LOCK *Lock, void *Tag, unsigned long Size);
extern NTSTATUS Transfer(int n);
#define IoAcquireRemoveLock(l, tag) IoAcquireRemoveLockEx(l, tag, "", 1, sizeof(IO_REMOVE_LOCK))
#define IoReleaseRemoveLock(l, tag) IoReleaseRemoveLockEx(l, tag, sizeof(IO_REMOVE_LOCK))
#define IoReleaseRemoveLockAndWait(l, tag) IoReleaseRemoveLockAndWaitEx(l, tag, sizeof(IO_REMOVE_LOCK))
