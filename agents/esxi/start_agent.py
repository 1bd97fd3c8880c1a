# What an SSH channel runs on an ESXi host so that its own agent checks in now: a fixed text, nothing of the host or the caller in it.
# The agent is the one that the crontab of root starts, with the folder of its state as it stands there. No single quote may stand here.
import json
import os
import re
import subprocess
import sys

PATTERN = r"/python[0-9.]*\s+(/.*?host_agent\.py)\s+--state\s+(/.*?)\s*(?:>|$)"


def end(word):
    sys.stdout.write(json.dumps({"call": word}, sort_keys=True)[:-1] + ", \"end\": \"plumbline\"}\n")
    sys.stdout.flush()
    os._exit(0)


try:
    with open(os.environ.get("PLUMBLINE_ROOT", "") + "/var/spool/cron/crontabs/root") as crontab:
        lines = [line for line in crontab if not line.lstrip().startswith("#")]
except (IOError, OSError):
    lines = []
found = [match for match in (re.search(PATTERN, line) for line in lines) if match and os.path.isfile(match.group(1))]
if not found:
    end("not_installed")
with open(os.devnull, "r+b") as nothing:
    words = [sys.executable, found[0].group(1), "--once", "--state", found[0].group(2)]
    code = subprocess.call(words, stdin=nothing, stdout=nothing, stderr=nothing)
end("checked_in" if code == 0 else "not_delivered")
