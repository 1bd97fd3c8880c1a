"""The frozen data of a report: everything that its formats show, read once by the functions of the screens."""
