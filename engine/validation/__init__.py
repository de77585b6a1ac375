"""The published figures beside simulated ones: mapping, scorecard, claims, and the page about them."""
