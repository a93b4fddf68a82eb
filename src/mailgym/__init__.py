"""mailgym: the gym where e-mail agents are trained, tested and put to work, on your own mail.

Importing the package is cheap: nothing heavy (torch, transformers, matplotlib) is loaded before it is used.
"""

__version__ = "0.1.0"
