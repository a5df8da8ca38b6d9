"""What CK's and C++'s libraries provide, as the values of this package."""
