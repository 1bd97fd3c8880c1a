"""`python -m plumbline.cli`."""

from plumbline.cli import main

main()
