"""The records of the request queue: buffers, requests and the blocks of their order."""

import numpy as np

from engine.core.limits import REQUEST_LIMIT

BLOCK_SLOTS = 64  # requests in one block of the queue's order
BLOCK_LIMIT = 576  # neighbours hold over 32 together, so 2 * REQUEST_LIMIT / 32 blocks suffice
HASH_SIZE = 16384
REGIONS = 4096

BIO = np.dtype(
    [
        ("sector", np.int64),
        ("nr_sectors", np.int64),
        ("memory", np.int64),  # address of the buffer in memory, in bytes
        ("device_number", np.int64),  # number of the block device it is for
        ("minor", np.int64),  # minor number: which partition of that
        ("is_write", np.bool_),
        ("holds_slot", np.bool_),  # its thread slept for a slot and has it in hand
        ("slot", np.int64),  # which one
        ("run", np.int64),  # buffers of the same kind its thread will submit right behind it
        ("extended", np.int64),  # ... and how many of them were merged together with it
    ],
    align=True,
)

REQUEST = np.dtype(
    [
        ("sector", np.int64),
        ("nr_sectors", np.int64),
        ("memory_start", np.int64),  # address of the first byte
        ("memory_end", np.int64),  # address after the last byte
        ("arrival_ns", np.int64),  # queued
        ("dispatch_ns", np.int64),  # handed to the device
        ("serial", np.int64),  # counts requests in order of creation, from 1
        ("waiting_ahead", np.int64),  # requests already queued when it arrived
        ("segments", np.int32),
        ("parts", np.int32),  # of it that disks have still to serve
        ("minor", np.int64),
        ("block", np.int32),  # block of the queue's order that holds it
        ("next_same_start", np.int32),  # chains of the two lookups
        ("next_same_end", np.int32),
        ("owner", np.int32),  # thread whose buffer began it
        ("slot", np.int32),  # of the request pool
        ("expires_ms", np.int64),  # G25B: when a read is late
        ("next_read", np.int32),  # G25B: the FIFO of reads
        ("previous_read", np.int32),
        ("in_fifo", np.bool_),
        ("dispatched", np.bool_),  # G25B: stands in the dispatch list
        ("is_write", np.bool_),
        ("mergeable", np.bool_),  # 2.5: cleared for ever once a merge was refused
        ("started", np.bool_),  # 2.5: the driver works on it
    ],
    align=True,
)

BLOCK = np.dtype(
    [
        ("count", np.int64),
        ("position", np.int64),  # where the block stands in the directory
        ("ascending", np.bool_),  # its keys rise strictly
        ("key", np.int64, (BLOCK_SLOTS,)),  # minor and first sector
        ("request", np.int32, (BLOCK_SLOTS,)),
        ("sequence", np.int32, (BLOCK_SLOTS,)),  # passovers left, before the directory's `charged`
    ],
    align=True,
)

QUEUE = np.dtype(
    [
        ("elevator", np.int64),
        ("head_active", np.bool_),  # the request in service stays queued as first element
        ("plugged", np.bool_),
        ("max_sectors", np.int64),
        ("max_segments", np.int64),
        ("read_latency", np.int64),  # passovers
        ("write_latency", np.int64),  # passovers
        ("max_bomb_segments", np.int64),
        ("read_expire_ms", np.int64),  # G25B: after which a read is late
        ("inserts_after_sleep", np.bool_),  # who slept for a slot does not scan once more
        ("budget", np.int64),  # segments the last scan had left at its target
        ("clock", np.int64),  # G24A-C: queueing steps so far
        ("total_segments", np.int64),  # G24A-D: segments and reads queued,
        ("queued_reads", np.int64),  # as these kernels count them
        ("last_merge", np.int64),  # 2.5: request to try first
        ("oldest_read", np.int64),  # G25B: ends of the FIFO of reads
        ("newest_read", np.int64),
        ("last_sector", np.int64),  # G25B: end of the last request handed out
        ("starved", np.int64),  # G25B: how often reads went ahead of waiting writes
        ("in_service", np.int64),  # head_active: the busy head
        ("touched", np.int64),  # what the last submission made or extended,
        ("kept", np.int64),  # and, if two requests were joined by it, which stayed
        ("gone", np.int64),  # and which went
        ("length", np.int64),
        ("serial", np.int64),  # requests ever created
        ("free_head", np.int64),  # unused requests, chained by next_same_start
        ("nr_blocks", np.int64),
        (
            "block_at",
            np.int32,
            (BLOCK_LIMIT,),
        ),  # directory: the blocks in queue order; behind them the unused
        (
            "charged",
            np.int32,
            (BLOCK_LIMIT,),
        ),  # passovers every request of the block has still to pay
        ("lowest", np.int32, (BLOCK_LIMIT,)),  # no request of the block has fewer passovers left
        ("writes", np.int32, (BLOCK_LIMIT,)),  # write requests in the block
        ("gap_low", np.int64, (BLOCK_LIMIT,)),  # a key outside (gap_low, gap_high) lies in between
        ("gap_high", np.int64, (BLOCK_LIMIT,)),  # no two neighbours of the block
        ("start_hash", np.int32, (HASH_SIZE,)),
        ("end_hash", np.int32, (HASH_SIZE,)),
        (
            "edges",
            np.int32,
            (REGIONS,),
        ),  # first and last sectors of requests, by region of the disk
        ("blocks", BLOCK, (BLOCK_LIMIT,)),
        ("requests", REQUEST, (REQUEST_LIMIT,)),
    ],
    align=True,
)
