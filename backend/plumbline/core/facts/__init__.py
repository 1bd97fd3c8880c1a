"""From section bodies to typed settings, each with its source, or unknown with a reason."""
