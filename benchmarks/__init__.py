"""What the engine costs: `python -m benchmarks.engine`; README.md says what is measured."""
