"""What single-node engines take for the same questions, in processes of their own."""
