"""Claims as questions to Z3 and cvc5."""
