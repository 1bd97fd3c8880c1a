"""Evidence bundles: one signed file that holds all that a score rests on, and the program that checks it offline."""
