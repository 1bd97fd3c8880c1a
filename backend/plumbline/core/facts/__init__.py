"""PURE. From what a host said to typed settings, each with its source, or unknown with a reason. No socket, file, session or clock."""
