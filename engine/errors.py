"""The one error a user is meant to see."""


class UserError(Exception):
    """Bad input, said in one sentence: where, what, and what would be right."""
