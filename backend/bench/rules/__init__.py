"""Speed of evaluation, compared with general engines that get the same rules and give the same answers."""
