"""What is measured: each part fills the cells of its name."""
