"""What the ISA guide says single instructions do, by subject: see ``isa_oracle``."""
