"""Numbers made from finished runs: the wall, the law it follows from, the comparison with 2002."""

from engine.metrics.wall import Wall, WallRule, latency_wall

__all__ = ["Wall", "WallRule", "latency_wall"]
