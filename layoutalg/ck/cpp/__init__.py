"""C++ as CK's headers have it: text, declarations, syntax trees. Nothing here knows what a name means."""
