"""The interpreter of CK's templates: names, types, overloads, statements; nothing of any library."""
