# What an SSH channel runs on an ESXi host to send do-not-fragment pings: a fixed text. Standard input brings one line with the L3 size and
# then, for each ping, a line `INTERFACE PORTAL`. Nothing of them is run: they are compared with strict patterns and handed to vmkping as
# one argument each. Prints one outcome for each line: ok, too_big, silent or not_run. No single quote may stand in this text.
import json
import os
import re
import subprocess
import sys
import threading
import time

HEADERS = {4: 28, 6: 48}  # bytes of IP and ICMP that -s does not count
SMALL = 84
LIMIT = 30.0
AT_ONCE = 4
MOST = 128
COMMON = ("defaultTcpipStack", "N/A", "")
CLOCK = getattr(time, "monotonic", time.time)
BEGAN = CLOCK()


def end(word, outcomes):
    sys.stdout.write(json.dumps({"call": word, "outcomes": outcomes, "end": "plumbline"}) + "\n")
    sys.stdout.flush()
    os._exit(0)


def run(words):
    with open(os.devnull, "r+b") as nothing:
        # The name of a network stack may be beyond ASCII, and the host has no locale.
        child = subprocess.Popen([word.encode("utf-8") for word in words], stdin=nothing, stdout=subprocess.PIPE, stderr=nothing)
        return child.communicate()[0].decode("utf-8", "replace"), child.returncode


def netstacks():
    # An interface in a network stack of its own is not found by vmkping unless the stack is named.
    try:
        rows = json.loads(run(["esxcli", "--formatter=json", "network", "ip", "interface", "list"])[0])
        rows = [dict((key.replace(" ", "").lower(), row[key]) for key in row) for row in rows]
        return dict((row["name"], row["netstackinstance"]) for row in rows if row["netstackinstance"] not in COMMON)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}


def echo(interface, portal, size):
    family = 6 if ":" in portal else 4
    words = ["vmkping", "-d", "-c", "1", "-W", "1", "-s", str(size - HEADERS[family]), "-I", interface]
    if family == 6:
        words.insert(1, "-6")
    if interface in STACKS:
        words += ["-S", STACKS[interface]]
    said, code = run(words + [portal])
    # Figures decide, never words: sent, received, per cent lost stand in this order in every translation.
    figures = re.search("([0-9]+)[^0-9]+([0-9]+)[^0-9]+?([0-9.]+) *%", said)
    return int(figures.group(2)) > 0 if figures else code == 0 and said.strip() != ""


def outcome(interface, portal, size):
    for _ in range(2):
        if CLOCK() - BEGAN > LIMIT:
            return "not_run"
        if echo(interface, portal, size):
            return "ok"
    return "too_big" if echo(interface, portal, SMALL) else "silent"


lines = [line.strip() for line in sys.stdin.read(65536).split("\n") if line.strip()]
if not lines or not re.match("^[0-9]{3,5}$", lines[0]) or len(lines) > MOST + 1:
    end("bad_request", [])
size = int(lines[0])
pairs = [line.split(" ") for line in lines[1:]]
if not 576 <= size <= 65535 or not all(
    len(pair) == 2 and re.match("^vmk[0-9]{1,4}$", pair[0]) and re.match("^[0-9A-Fa-f.:]{2,45}$", pair[1]) for pair in pairs
):
    end("bad_request", [])
found = ["not_run"] * len(pairs)
STACKS = netstacks()


def work(first):
    for at in range(first, len(pairs), AT_ONCE):
        try:
            found[at] = outcome(pairs[at][0], pairs[at][1], size)
        except (OSError, ValueError):
            continue  # this one was not run


threads = [threading.Thread(target=work, args=(first,)) for first in range(AT_ONCE)]
for thread in threads:
    thread.daemon = True
    thread.start()
for thread in threads:
    thread.join(LIMIT + 5.0)
end("probed", found)
