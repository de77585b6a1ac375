"""Block devices: which one a page lies on, where on it, and what concerns all of them.

`pages` has the pages of one block device behind those of the other, so that a page's block says where
it lies.
"""

from engine.core import request_queue
from engine.core.jit import inline_kernel, kernel
from engine.core.records import PAGE_SECTORS


@inline_kernel
def device_of(state, block):
    """Number of the block device that a page lies on."""
    number, last = 0, state.machine.nr_block_devices - 1
    while number < last and block >= state.block_devices[number + 1].first_page:
        number += 1
    return number


@inline_kernel
def sector_of(block_device, block):
    """Where on its block device a page begins."""
    return block_device.data_start_sector + (block - block_device.first_page) * PAGE_SECTORS


@inline_kernel
def page_at(block_device, sector):
    """The page that begins at `sector` of a block device."""
    return block_device.first_page + (sector - block_device.data_start_sector) // PAGE_SECTORS


@kernel
def unplug_all(state):
    """Let the drivers see all queues: that is what running tq_disk does (SPEC 2.3)."""
    for number in range(state.machine.nr_block_devices):
        request_queue.unplug(state.block_devices[number].queue)


@kernel
def all_rest(state):
    """Whether nothing is queued and no drive has a command."""
    for number in range(state.machine.nr_block_devices):
        block_device = state.block_devices[number]
        if block_device.held > 0 or block_device.queue.length > 0:
            return False
    return True
