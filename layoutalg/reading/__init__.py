"""Reading what people give: how large it may be, how deep it may nest, and what they may have meant."""
