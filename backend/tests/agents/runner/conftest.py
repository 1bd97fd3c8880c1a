"""The lab on the import path."""

import sys

from plumbline.infra import resources

sys.path.insert(0, str(resources.AGENTS))
