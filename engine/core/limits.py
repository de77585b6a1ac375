"""How much the records of the simulated machine hold."""

QUEUE_LIMIT = 8192  # largest nr_requests
DEPTH_LIMIT = 256  # most commands a drive may hold after their slots have gone back
REQUEST_LIMIT = QUEUE_LIMIT + DEPTH_LIMIT
THREAD_LIMIT = 1025
DISK_LIMIT = 16
PARTS_PER_REQUEST = 17  # 1 MiB in stripes of 64 KiB at least
PART_LIMIT = PARTS_PER_REQUEST * DEPTH_LIMIT
FILE_SETS_LIMIT = 8  # sets of files a program may use
NESTING_LIMIT = 4  # loops of a program inside each other
CPU_LIMIT = 64
