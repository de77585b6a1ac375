"""How much the records of the simulated machine hold."""

QUEUE_LIMIT = 8192  # largest nr_requests
DEPTH_LIMIT = 256  # most commands a drive may hold after their slots have gone back
REQUEST_LIMIT = QUEUE_LIMIT + DEPTH_LIMIT
THREAD_LIMIT = 1024
FILE_SETS_LIMIT = 8  # sets of files a program may use
NESTING_LIMIT = 4  # loops of a program inside each other
