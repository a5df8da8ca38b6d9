"""The interpreter of C++ templates: names, types, overloads, statements; it knows no library function."""
