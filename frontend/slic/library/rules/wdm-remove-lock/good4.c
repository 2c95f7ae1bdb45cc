/* The callee releases. */
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
static DEVICE_EXTENSION Disk, Tape;

static void Finish(IO_REMOVE_LOCK *l)
{
	IoReleaseRemoveLock(l, 0);
}

int main(void)
{
	IO_REMOVE_LOCK *l = Transfer(0) ? &Disk.RemoveLock : &Tape.RemoveLock;

	if (IoAcquireRemoveLock(l, 0) < 0)
		return 1;
	Finish(l);
	return 0;
}
