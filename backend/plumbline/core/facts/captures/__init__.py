"""Outputs that people copied from hosts: folders of files, their names, decoding, and the sections made of them."""
