"""Support bundles as hosts: which members of an archive are read, what each of them means, and the sections that they make up. Pure."""
