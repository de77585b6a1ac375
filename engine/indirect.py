"""Where the indirect blocks of a file lie in it: `engine.core.block_map` for whole files, without its kernels."""

import numpy as np

from engine.core.limits import DIRECT_PAGES, MAP_PAGES


def map_places(pages: int) -> np.ndarray:
    """Places of the indirect blocks of a file of so many pages, the double-indirect one among them."""
    numbers = np.arange(max(0, -(-(pages - DIRECT_PAGES) // MAP_PAGES)))
    indirect = DIRECT_PAGES + numbers * (MAP_PAGES + 1) + (numbers > 0)
    return np.concatenate([indirect[:1], indirect[1:2] - 1, indirect[1:]])
