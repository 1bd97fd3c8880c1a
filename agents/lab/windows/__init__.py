"""Windows lab hosts: sections rendered from a host's state, and a WS-Management endpoint."""
