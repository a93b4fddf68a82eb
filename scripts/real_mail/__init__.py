"""What others read in real and hard mail, and how it compares with what mailgym reads."""
