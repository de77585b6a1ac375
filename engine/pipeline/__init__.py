"""From config.yaml to jobs, and from their points to the tables."""
