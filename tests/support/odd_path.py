"""A name of folders with a space, a quote and an umlaut in it, as users have them: tests give it to what they make, so that what
is not quoted fails everywhere and not only for those users."""
ODD = "it's an ü"
