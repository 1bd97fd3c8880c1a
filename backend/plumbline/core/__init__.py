"""Pure: values in, values out. No socket, file, session or clock."""
