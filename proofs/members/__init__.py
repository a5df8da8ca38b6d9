"""The members of the portfolio: each decides some claims by one idea, and can be used alone."""
