"""How much the records of the simulated machine hold, and the blocks of a file system."""

QUEUE_LIMIT = 8192  # largest nr_requests
DEPTH_LIMIT = 256  # most commands a drive may hold after their slots have gone back
REQUEST_LIMIT = QUEUE_LIMIT + DEPTH_LIMIT
THREAD_LIMIT = 1025
DISK_LIMIT = 16
PARTS_PER_REQUEST = 17  # 1 MiB in stripes of 64 KiB at least
PART_LIMIT = PARTS_PER_REQUEST * DEPTH_LIMIT
FILE_SETS_LIMIT = 8  # sets of files a program may use
NESTING_LIMIT = 4  # loops of a program inside each other
DIRECT_PAGES = 12  # of a file, that its inode tells of (ext2)
MAP_PAGES = 1024  # that an indirect block tells of: 4 KiB of 4 bytes each
CPU_LIMIT = 64
