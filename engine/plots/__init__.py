"""The figures: what each draws, prepared as a table, and how. Nothing here writes a file.

The workflow reads the names only, and should not wait for matplotlib: `engine.plots.draw` draws.
"""

# Name of a figure -> its module here, and the function there that makes its table out of a sweep and
# a WallRule. `draw(table, figure)` of the same module draws it.
FIGURES = {
    "wall": ("wall", "sequential_table"),
    "wall_random": ("wall", "random_table"),
    "shares": ("shares", "table"),
    "throughput": ("throughput", "table"),
    "law": ("law", "table"),
    "heatmap": ("heatmap", "table"),
    "history": ("history", "table"),
    "two_readers": ("two_readers", "table"),
    "elvtune": ("elvtune", "table"),
    "interactive": ("interactive", "table"),
}
# Drawn unless a configuration names others.
USUAL = ("wall", "wall_random", "shares", "throughput", "law", "heatmap")
