#!/bin/python
# -*- coding: utf-8 -*-
"""Plumbline's agent for VMware ESXi: reads how the host is set up for its SAN and sends that to the Plumbline server.

One file, standard library only, for Python 2.6, 2.7 and 3. It reports the system's output, under the system's names, and evaluates nothing.
It never changes anything on the host: it writes only its own state folder and, on the RAM disk, its lock and the name of the boot.

What it reads (agents/schema/esxi-sections.yaml is the full list): `esxcli` get and list commands of system, network, iscsi, storage and
software; `esxcfg-*`, `ethtool`, `nsxdp-cli`, `lspci`, `vim-cmd` and `vsish` where a release has no esxcli command; public SSH host keys;
`vmkping` with do-not-fragment from every iSCSI VMkernel interface to every target portal.
What it needs: a root shell (esxcli allows nobody else on most releases) and, to send, a way out to the server's port.

  python host_agent.py --enrol https://plumbline.example:8443 TOKEN [--ca-pin SHA256] [--proxy HOST:PORT]
  python host_agent.py                 collect, send, and try again while the interval lasts (what cron starts)
  python host_agent.py --once          collect and send, one try
  python host_agent.py --show          print what would be sent, send nothing
  python host_agent.py --schedule      print the cron line and how to keep it across restarts
  python - --collect-only [--want a,b] print the check-in on standard output, keep no state (collection over SSH)
  python - --watch SECONDS             print the counters every five seconds, a line each (a watch over SSH)

Options: --state FOLDER (persistent; default: `state` beside this file), --run-folder FOLDER (RAM disk; default /var/run/plumbline).
Exit codes: 0 done, 1 an error said on standard error, 2 wrong use, 3 collected but not yet delivered, 4 another instance runs.
"""

from __future__ import division, print_function

import atexit
import errno
import hashlib
import hmac
import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import xml.etree.ElementTree as ElementTree
import zlib

# --- Old and new Pythons: the only place that knows of them ---------------------------------------------------------------------------

try:
    import http.client as http_client
    from urllib.parse import urlsplit
except ImportError:
    import httplib as http_client
    from urlparse import urlsplit
try:
    import ssl
except ImportError:
    ssl = None
try:
    import fcntl
except ImportError:
    fcntl = None
try:
    import syslog
except ImportError:
    syslog = None

IS_3 = sys.version_info[0] >= 3
TEXT = type(u"")
INTEGERS = (int,) if IS_3 else (int, long)  # noqa: F821 (Python 2 only)

CHARACTER = chr if IS_3 else unichr  # noqa: F821 (Python 2 only)


def _lone_surrogates():
    """A pattern of surrogates without their other half, which JSON must not carry. Engines that cannot hold one need none."""
    try:
        high, low = (u"[%s-%s]" % (CHARACTER(first), CHARACTER(last)) for first, last in ((0xD800, 0xDBFF), (0xDC00, 0xDFFF)))
    except ValueError:
        return re.compile(u"(?!)")
    if sys.maxunicode > 0xFFFF:
        return re.compile(u"%s|%s" % (high, low))
    return re.compile(u"%s(?!%s)|(?<!%s)%s" % (high, low, high, low))


LONE_SURROGATE = _lone_surrogates()


def monotonic():
    """Seconds that only go forward, the same for every process since the boot; never the wall clock, which may jump."""
    if hasattr(time, "monotonic"):
        return time.monotonic()
    return os.times()[4]


def as_text(value):
    """Text out of bytes or text, as UTF-8 with replacement."""
    return value if isinstance(value, TEXT) else value.decode("utf-8", "replace")


def as_bytes(value):
    """UTF-8 out of text or bytes. Without a locale, Python 3 packs bytes of arguments and paths into surrogates: they come out again."""
    if not isinstance(value, TEXT):
        return value
    return value.encode("utf-8", "surrogateescape") if IS_3 else value.encode("utf-8")


def words_of(error):
    """The message of an exception, as text. Python 2 would encode it as ASCII, whatever the name in it."""
    try:
        return as_text(str(error))
    except UnicodeError:
        return u" ".join(as_text(part) if isinstance(part, (bytes, TEXT)) else as_text(repr(part)) for part in error.args)


def argument_text(value):
    """An argument of ours as text. Without a locale, Python 3 has packed its bytes into surrogates."""
    return value.encode("utf-8", "surrogateescape").decode("utf-8", "replace") if IS_3 else as_text(value)


def write_out(data, stream=None):
    """Bytes to standard output, or to another stream, untouched by any encoding of the terminal."""
    stream = stream or sys.stdout
    stream = getattr(stream, "buffer", stream)
    stream.write(data)
    stream.flush()


def every_node(root):
    """An XML node and all below it; 2.6 has only the older name."""
    return root.iter() if hasattr(root, "iter") else root.getiterator()


def own_session():
    """Arguments of Popen that give a child its own process group, so that a hung one is killed with all it started."""
    if IS_3:
        return {"start_new_session": True}
    return {"preexec_fn": os.setsid} if hasattr(os, "setsid") and os.name == "posix" else {}


# --- Figures --------------------------------------------------------------------------------------------------------------------------

VERSION = "1.2.0"
PLATFORM = "esxi"
CHECK_IN_PATH = "/agent/v1/check-in"
ENROL_PATH = "/agent/v1/enrol"
CONTENT_TYPE = "application/vnd.plumbline.check-in+ndjson"

COMMAND_SECONDS = 8.0  # one command
SLOW_COMMAND_FACTOR = 3  # a list of all disks takes 5 to 10 s on an ordinary host, and hosts with 64 disks and 256 LUNs exist
SECTION_SECONDS = 15.0  # all commands of one section
SLOW_SECTION_SECONDS = 26.0  # of one with slow commands
COLLECT_SECONDS = 34.0  # all sections but the probes
COUNTER_SECONDS = 8.0
WATCH_EVERY_SECONDS = 5.0
LONGEST_WATCH_SECONDS = 300.0
WATCH_REST_FACTOR = 4  # after a reading that took long comes a rest so many times as long, so that a watch stays cheap for a busy host
PROBE_SECONDS = 12.0  # with the above under the 60 s that a check-in may take
LARGEST_OUTPUT = 4 * 1024 * 1024  # of one command: 256 LUNs with 8 paths each are about 3 MB as XML
PROBE_PAIRS = 48  # interface and portal
PROBES_AT_ONCE = 4
ROUND_ROBIN_GETS = 64  # devices of which the limit is asked one by one although the list of devices shows it
COMMANDS_AT_ONCE = 3  # esxcli takes up to a second to start; one after the other, a host with many adapters would run out of time

SPOOL_FILES = 200
SPOOL_BYTES = 50 * 1024 * 1024
REJECTED_KEPT = 5
PACE_SECONDS = 5.0  # between two spooled check-ins
BACKOFF_BASE_SECONDS = 5.0
BACKOFF_CAP_SECONDS = 900.0
HOUR_SECONDS = 3600.0
RETRY_AFTER_LIMIT_SECONDS = 6 * HOUR_SECONDS
REQUEST_SECONDS = 30.0
LARGEST_ANSWER = 256 * 1024
LOG_BYTES = 256 * 1024


class AgentError(Exception):
    """Something a person must know, said in one sentence."""


# --- Text and JSON --------------------------------------------------------------------------------------------------------------------


class Pairs(list):
    """A JSON object as a list of (name, value): it keeps its order on every Python."""

    def get(self, name, default=None):
        for key, value in self:
            if key == name:
                return value
        return default


def to_json(value):
    """JSON in pure ASCII, the same bytes on every Python: names in the order given, no spaces. Plain dicts are sorted by name."""
    if value is None:
        return u"null"
    if value is True:
        return u"true"
    if value is False:
        return u"false"
    if isinstance(value, Pairs):
        return u"{" + u",".join(to_json(key) + u":" + to_json(item) for key, item in value) + u"}"
    if isinstance(value, dict):
        return to_json(Pairs(sorted(value.items())))
    if isinstance(value, (list, tuple)):
        return u"[" + u",".join(to_json(item) for item in value) + u"]"
    if isinstance(value, (bytes, TEXT)):
        return as_text(json.dumps(as_text(value)))
    if isinstance(value, float):
        return as_text(repr(round(value, 6)))
    return as_text(str(value))


def clean(data):
    """Decodes what a command printed. Returns the text and what had to be altered in it, as a note or None."""
    text = as_text(data)
    notes = []
    if u"\x00" in text:
        text = text.replace(u"\x00", u"")
        notes.append("NUL removed")
    if LONE_SURROGATE.search(text):
        text = LONE_SURROGATE.sub(u"\ufffd", text)
        notes.append("lone surrogate replaced")
    if u"\ufffd" in text and not notes:
        notes.append("not all of it is UTF-8")
    return text.replace(u"\r\n", u"\n"), ", ".join(notes) or None


def utc_now():
    """The host's own clock, which nothing but display depends on."""
    try:
        return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    except (ValueError, OSError, OverflowError):
        return "1970-01-01T00:00:00Z"


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def random_hex(count):
    return "".join("%02x" % byte for byte in bytearray(os.urandom(count)))


def natural(name):
    """Sort key that puts vmnic2 before vmnic10."""
    return [(1, int(part), u"") if part.isdigit() else (0, 0, part) for part in re.split(r"(\d+)", name)]


# --- Running commands -----------------------------------------------------------------------------------------------------------------


SLOW_COMMANDS = (("storage", "core", "device", "list"), ("storage", "core", "path", "list"), ("storage", "nmp", "device", "list"))


def is_slow(words):
    """Whether a command goes through all disks or paths of the host."""
    return tuple([word for word in words[1:] if not word.startswith("--")][:4]) in SLOW_COMMANDS


class Commands(object):
    """Starts commands, each with its own time limit. Whatever hangs is killed with its children and reported as failed."""

    def __init__(self, command_seconds=COMMAND_SECONDS, path=None):
        self.command_seconds = command_seconds
        self.environment = dict(os.environ)
        search = path or os.environ.get("PLUMBLINE_PATH")
        if not search:
            # cron on ESXi starts with a short PATH.
            parts = os.environ.get("PATH", "").split(":")
            search = ":".join(parts + [part for part in ("/bin", "/sbin", "/usr/bin", "/usr/sbin") if part not in parts])
        self.environment["PATH"] = search
        self.folders = [folder for folder in search.split(":") if folder]
        # Nobody reads our own standard input, which may be the pipe that this file came through.
        self.nothing = open(os.devnull, "rb")

    def find(self, name):
        """The path of a command, or None where this release does not have it."""
        for folder in self.folders:
            path = os.path.join(folder, name)
            if os.path.isfile(path) and os.access(path, os.X_OK):
                return path
        return None

    def run(self, words, deadline):
        """Runs one command, its arguments as UTF-8 in every locale.

        Returns (exit code, output bytes, error bytes, reason); without an exit code the reason explains why.
        """
        path = self.find(words[0])
        if path is None:
            return None, b"", b"", "no such command"
        left = deadline - monotonic()
        if left <= 0:
            return None, b"", b"", "no time left"
        limit = min(self.command_seconds * (SLOW_COMMAND_FACTOR if is_slow(words) else 1), left)
        try:
            child = subprocess.Popen(
                [as_bytes(word) for word in [path] + list(words[1:])],
                stdin=self.nothing,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=self.environment,
                close_fds=True,
                **own_session()
            )
        except (OSError, ValueError) as error:
            return None, b"", b"", u"cannot be started: %s" % words_of(error)
        readers = [_Reader(child.stdout), _Reader(child.stderr)]
        end = monotonic() + limit
        reason = None
        pause = 0.005
        while child.poll() is None:
            if monotonic() >= end:
                reason = "no answer within %g s" % round(limit, 1)
                break
            if readers[0].is_too_much or readers[1].is_too_much:
                reason = "more than %d bytes of output" % LARGEST_OUTPUT
                break
            time.sleep(pause)
            pause = min(0.05, pause * 1.5)
        if reason is not None:
            _kill(child)
        else:
            # A grandchild may hold the pipe open after the command itself has ended; it gets what is left of the limit, not more.
            readers[0].join(max(0.2, end - monotonic()))
            readers[1].join(max(0.2, end - monotonic()))
            if readers[0].is_alive() or readers[1].is_alive():
                _kill(child)
                reason = "output not closed within %g s" % round(limit, 1)
        if readers[0].is_too_much or readers[1].is_too_much:
            reason = "more than %d bytes of output" % LARGEST_OUTPUT
        return (None if reason else child.returncode), readers[0].data(), readers[1].data(), reason


class _Reader(threading.Thread):
    """Drains one pipe into memory, at most LARGEST_OUTPUT bytes."""

    def __init__(self, stream):
        threading.Thread.__init__(self)
        self.daemon = True
        self.stream = stream
        self.parts = []
        self.size = 0
        self.is_too_much = False
        self.start()

    def run(self):
        try:
            while True:
                part = os.read(self.stream.fileno(), 65536)
                if not part:
                    break
                self.size += len(part)
                if self.size > LARGEST_OUTPUT:
                    self.is_too_much = True
                    break
                self.parts.append(part)
        except (OSError, ValueError):
            pass
        finally:
            try:
                self.stream.close()
            except (OSError, IOError):
                pass

    def data(self):
        return b"".join(list(self.parts))


def _kill(child):
    """Kills a command and everything in its process group; waits a moment for it, never longer."""
    try:
        if hasattr(os, "killpg"):
            os.killpg(child.pid, signal.SIGKILL)
        else:
            child.kill()
    except OSError:
        pass
    end = monotonic() + 1.0
    while child.poll() is None and monotonic() < end:
        time.sleep(0.01)


# --- What a command said --------------------------------------------------------------------------------------------------------------


class Entry(object):
    """One read of a section body: what was run, how it ended, and what it printed."""

    def __init__(self, command, status, output=u"", form="text", exit_code=0, error=None, note=None):
        self.command = command
        self.status = status
        self.output = output
        self.form = form
        self.exit_code = exit_code
        self.error = error
        self.note = note

    @property
    def is_ok(self):
        return self.status == "ok"

    def document(self):
        pairs = Pairs([("status", self.status)])
        if self.error:
            pairs.append(("error", self.error))
        pairs.append(("format", self.form))
        pairs.append(("exit", self.exit_code))
        if self.note:
            pairs.append(("note", self.note))
        pairs.append(("output", self.output))
        return pairs


def quoted(words):
    """A command line as one types it: words with anything unusual in double quotes."""
    parts = []
    for word in words:
        word = as_text(word)
        if re.match(r"^[A-Za-z0-9_./:=,%@+-]+$", word):
            parts.append(word)
        else:
            parts.append(u'"' + word.replace(u"\\", u"\\\\").replace(u'"', u'\\"') + u'"')
    return u" ".join(parts)


def first_line(*texts):
    """The first line with anything on it, at most 300 characters: what stands as the error."""
    for text in texts:
        for line in text.split(u"\n"):
            if line.strip():
                return line.strip()[:300]
    return u""


# What esxcli says where a release does not have a command; esxcli on the host is not translated.
UNKNOWN_COMMAND = re.compile(u"unknown command or namespace|invalid command|not a valid (namespace|command)", re.I)

# Figures that change on every read: taken out of the text, because they would make every check-in look changed.
VOLATILE = {
    "esxcli storage nmp device list": re.compile(u"((?:lastPathIndex|NumIOsPending|numBytesPending)=)\\d+"),
}


class Host(object):
    """One round of collecting: runs commands, keeps what they said, so that no command runs twice."""

    def __init__(self, commands, collect_seconds=COLLECT_SECONDS, section_seconds=SECTION_SECONDS):
        self.commands = commands
        self.start = monotonic()
        self.deadline = self.start + collect_seconds
        self.collect_deadline = self.deadline
        self.section_seconds = section_seconds
        self.kept = {}
        self.formatter = None
        self.altered = 0  # outputs that could not be taken over letter by letter
        self.ping_times = []

    def begin_section(self, seconds=None):
        self.deadline = min(self.collect_deadline, monotonic() + (seconds or self.section_seconds))

    def begin_phase(self, seconds):
        """Counters and probes have a time of their own, so that a slow section does not cost them."""
        self.deadline = monotonic() + seconds

    def tool(self, *words):
        """One command that prints text."""
        command = quoted(words)
        if command not in self.kept:
            self.kept[command] = self._entry(command, words, "text")
        return self.kept[command]

    def esxcli(self, *words):
        """One esxcli command, as xml, json or text: whichever this release gives first."""
        command = quoted(("esxcli",) + words)
        if command not in self.kept:
            self.kept[command] = self._esxcli(command, words)
        return self.kept[command]

    def ahead(self, *commands):
        """Runs esxcli commands that are asked for next, a few at once. The order in the body does not depend on it."""
        waiting = [words for words in commands if quoted(("esxcli",) + tuple(words)) not in self.kept]
        if self.formatter is None and waiting:
            self.esxcli(*waiting.pop(0))
        in_parallel(lambda words: self.esxcli(*words), waiting, COMMANDS_AT_ONCE, self.deadline)

    def _esxcli(self, command, words):
        forms = ["xml", "json", "text"]
        if self.formatter == "text":
            forms = ["text"]
        elif self.formatter == "json":
            forms = ["json", "text"]
        elif self.formatter == "xml":
            forms = ["xml", "text"]
        entry = None
        for form in forms:
            option = {"xml": ["--formatter=xml"], "json": ["--debug", "--formatter=json"], "text": []}[form]
            entry = self._entry(command, ["esxcli"] + option + list(words), form)
            if entry.is_ok and is_well_formed(entry.output, form):
                self.formatter = self.formatter or form
                return entry
            if entry.exit_code is None or UNKNOWN_COMMAND.search(entry.error or u""):
                return entry
            if entry.is_ok:
                entry = Entry(command, "failed", entry.output, form, entry.exit_code, "output is not %s" % form, entry.note)
        return entry

    def _entry(self, command, words, form):
        code, out, err, reason = self.commands.run(words, self.deadline)
        output, note = clean(out)
        errors, _ = clean(err)
        if note:
            self.altered += 1
        if reason == "no such command":
            return Entry(command, "unavailable", form="text", exit_code=None, error=reason)
        if reason is not None:
            return Entry(command, "failed", form=form, exit_code=None, error=reason)
        volatile = VOLATILE.get(command)
        if volatile:
            output = volatile.sub(u"\\1?", output)
        if code == 0:
            return Entry(command, "ok", output, form, 0, None, note)
        said = first_line(errors, output) or u"exit code %s" % code
        if UNKNOWN_COMMAND.search(errors + output):
            return Entry(command, "unavailable", form=form, exit_code=code, error=first_line(*_matching(errors + u"\n" + output)))
        return Entry(command, "failed", output, form, code, said, note)

    # Lists that other sections run along.

    def vmnics(self):
        listing = self.esxcli("network", "nic", "list")
        names = [row.get("name", u"") for row in rows(listing)]
        if not names:
            names = re.findall(u"(?m)^\\s*(vmnic\\d+)\\b", self.tool("esxcfg-nics", "-l").output)
        return sorted(set(name.strip() for name in names if name.strip()), key=natural)

    def drivers(self):
        """Driver modules of the network adapters and of the iSCSI adapters."""
        found = set()
        for row in rows(self.esxcli("network", "nic", "list")):
            found.add(row.get("driver", u""))
        for line in self.tool("esxcfg-nics", "-l").output.split(u"\n") if not found else ():
            parts = line.split()
            if len(parts) > 2 and parts[0].startswith(u"vmnic"):
                found.add(parts[2])
        for row in rows(self.esxcli("iscsi", "adapter", "list")):
            found.add(row.get("driver", u""))
        return sorted(name for name in found if re.match(r"^[A-Za-z0-9_-]+$", name))

    def vmhbas(self):
        """iSCSI adapters; where their own list failed, those that the list of all storage adapters shows."""
        listing = self.esxcli("iscsi", "adapter", "list")
        names = [row.get("adapter", u"") for row in rows(listing)]
        if listing.status == "failed":
            others = rows(self.esxcli("storage", "core", "adapter", "list"))
            names = [row.get("hbaname", u"") for row in others if row.get("uid", u"").startswith((u"iscsi.", u"iqn."))]
        return sorted(set(name for name in names if name), key=natural)

    def vmkernel(self):
        """VMkernel interfaces: name -> {mtu, portgroup, netstack, address, netmask}."""
        found = {}
        for row in rows(self.esxcli("network", "ip", "interface", "list")):
            if row.get("name"):
                found[row["name"]] = {
                    "mtu": number(row.get("mtu")) or 1500,
                    "portgroup": row.get("portgroup", u""),
                    "netstack": row.get("netstackinstance", u""),
                }
        for row in rows(self.esxcli("network", "ip", "interface", "ipv4", "get")):
            if row.get("name") in found:
                found[row["name"]]["address"] = row.get("ipv4address", u"")
                found[row["name"]]["netmask"] = row.get("ipv4netmask", u"")
        return found


def in_parallel(function, items, at_once, deadline):
    """Calls a function for each item, a few at once, and waits for all of them, but not long past the deadline."""
    left = list(items)
    lock = threading.Lock()

    def work():
        while True:
            with lock:
                if not left:
                    return
                item = left.pop(0)
            try:
                function(item)
            except Exception as error:  # One that breaks must not cost the others; asked for again, it says so in its own place.
                log("%s: %r" % (item, error))

    workers = [threading.Thread(target=work) for _ in range(min(at_once, len(left)))]
    for worker in workers:
        worker.daemon = True
        worker.start()
    for worker in workers:
        worker.join(max(0.1, deadline + 2.0 - monotonic()))


def _matching(text):
    return [line for line in text.split(u"\n") if UNKNOWN_COMMAND.search(line)]


def is_well_formed(output, form):
    """Whether a formatter did what it was asked; some releases ignore an option they do not know."""
    if form == "xml":
        try:
            ElementTree.fromstring(as_bytes(output.strip()))
        except Exception:  # Every parser of every Python has its own errors; any of them means: not XML.
            return False
        return True
    if form == "json":
        try:
            json.loads(output)
        except ValueError:
            return False
    return True


# --- Reading lists: only as far as collecting needs it --------------------------------------------------------------------------------


def plain(name):
    """A field's name as every format shares it: lower case, letters and digits only."""
    return re.sub(u"[^a-z0-9]", u"", name.lower())


def rows(entry):
    """What an esxcli list said, as dicts of text by `plain` names. Understanding is the server's; this is only for what to ask next."""
    if not entry.is_ok:
        return []
    if entry.form == "xml":
        return _xml_rows(entry.output)
    if entry.form == "json":
        return _json_rows(entry.output)
    return _text_rows(entry.output)


def _xml_rows(output):
    found = []
    root = ElementTree.fromstring(as_bytes(output.strip()))
    for element in every_node(root):
        if element.tag.rsplit("}", 1)[-1] == "structure":
            row = {}
            for field in element:
                leaf = list(field)
                value = leaf[0].text if leaf else field.text
                row[plain(as_text(field.get("name", "")))] = as_text(value or u"").strip()
            found.append(row)
    return found


def _json_rows(output):
    document = json.loads(output)
    listed = document if isinstance(document, list) else [document]
    found = []
    for item in listed:
        if isinstance(item, dict):
            found.append(dict((plain(key), item[key] if isinstance(item[key], TEXT) else to_json(item[key])) for key in item))
    return found


def _text_rows(output):
    lines = output.split(u"\n")
    for number_of, line in enumerate(lines):
        if number_of and re.match(u"^\\s*-+(\\s+-+)*\\s*$", line):
            spans = [match.start() for match in re.finditer(u"-+", line)]
            ends = spans[1:] + [None]
            names = [plain(lines[number_of - 1][start:end]) for start, end in zip(spans, ends)]
            return [
                dict((name, row[start:end].strip()) for name, start, end in zip(names, spans, ends))
                for row in lines[number_of + 1 :]
                if row.strip()
            ]
    found = []
    for line in lines:
        match = re.match(u"^\\s*([^:]+):\\s(.*)$", line + u" ")
        if not line.strip() or not match:
            found.append({})
        else:
            if not found or plain(match.group(1)) in found[-1]:
                found.append({})
            found[-1][plain(match.group(1))] = match.group(2).strip()
    return [row for row in found if row]


def number(text):
    """The first whole number in a text, or None."""
    match = re.search(u"-?\\d+", text or u"")
    return int(match.group(0)) if match else None


# --- Sections: one function each ------------------------------------------------------------------------------------------------------


class Body(Pairs):
    """A section body while it is made: one entry for each read, also for those that failed.

    `absent` are lists of other sections, needed for this one, that the host does not have.
    """

    def __init__(self):
        Pairs.__init__(self)
        self.absent = []

    def add(self, entry):
        if self.get(entry.command) is None:
            self.append((entry.command, entry.document()))
        return entry

    def rests_on(self, *entries):
        """Lists of other sections that this one runs along. One that failed stands in this body too: it shows why reads are missing."""
        for entry in entries:
            if entry.status == "failed":
                self.add(entry)
            elif not entry.is_ok:
                self.absent.append(entry)

    def add_or(self, entry, below):
        """A read, and the fallback where it is not to be had."""
        self.add(entry)
        return entry if entry.is_ok else self.add(below())


# Of the host's summary only what does not change on every read.
STEADY_SUMMARY = re.compile(u"(?m)^\\s*(rebootRequired|inMaintenanceMode|inQuarantineMode|connectionState|product|fullName) = .*$")


# Of what the file system of the boot files is on only the disks: its free space changes with every backup of the configuration.
SPANNED_DISK = re.compile(u"(?m)^[ \\t]+[^\\s:].*:\\d+[ \\t]*$")


def section_system(host):
    body = Body()
    body.add(host.esxcli("system", "version", "get"))
    body.add(host.esxcli("system", "hostname", "get"))
    body.add(host.esxcli("hardware", "platform", "get"))
    body.add(host.esxcli("system", "maintenanceMode", "get"))
    body.add(host.tool("vim-cmd", "-U", "dcui", "vimsvc/auth/lockdown_is_enabled"))
    summary = host.tool("vim-cmd", "hostsvc/hostsummary")
    steady = u"\n".join(match.group(0) for match in STEADY_SUMMARY.finditer(summary.output))
    body.add(Entry(summary.command, summary.status, steady, "text", summary.exit_code, summary.error, summary.note))
    body.add(host.esxcli("system", "settings", "keyvalue", "list"))
    body.add(host.esxcli("iscsi", "ibftboot", "get"))
    bank = host.tool("vmkfstools", "-P", "/bootbank")
    disks = u"\n".join(match.group(0).strip() for match in SPANNED_DISK.finditer(bank.output))
    body.add(Entry(bank.command, bank.status, disks, "text", bank.exit_code, bank.error, bank.note))
    body.add(ssh_host_keys())
    return body


def ssh_host_keys():
    """The host's public SSH keys, for pinning. Read, not run."""
    folder = os.environ.get("PLUMBLINE_ROOT", "") + "/etc/ssh"
    try:
        names = sorted(name for name in os.listdir(folder) if name.startswith("ssh_host_") and name.endswith(".pub"))
        lines = []
        for name in names:
            with open(os.path.join(folder, name), "rb") as stream:
                lines.append(clean(stream.read(16384))[0].strip())
    except (OSError, IOError) as error:
        return Entry("ssh host keys", "unavailable", form="text", exit_code=None, error=words_of(error))
    return Entry("ssh host keys", "ok", u"\n".join(lines))


# Of what the switches announce only what stays the same from read to read: the time left of an announcement and their number change, and
# the address ranges that traffic showed come and go.
STEADY_HINT = re.compile(
    u"^\\s*(?:device|connectedSwitchPort|lldpInfo|devId|address|portId|hardwarePlatform|vlan|mtu|systemName|mgmtAddr|chassisId) = "
)
HINT_KEY = re.compile(u"^\\s*key = \"?(.*?)\"?,?\\s*$")
HINT_PARAMETERS = (u"system name", u"system description", u"port description", u"management address", u"mtu")


def steady_hints(output):
    """The lines about each uplink's switch, without brackets; a parameter of LLDP is a line `key =` and a line `value =`."""
    lines = []
    is_kept = False
    for line in output.splitlines():
        key = HINT_KEY.match(line)
        if key:
            is_kept = key.group(1).lower() in HINT_PARAMETERS or u"vlan id" in key.group(1).lower()
        elif line.strip().startswith(u"value = "):
            if not is_kept:
                continue
        elif not STEADY_HINT.match(line):
            continue
        if not key or is_kept:
            lines.append(line.strip())
    return u"\n".join(lines)


def section_nics(host):
    body = Body()
    body.add_or(host.esxcli("network", "nic", "list"), lambda: host.tool("esxcfg-nics", "-l"))
    names = host.vmnics()
    host.ahead(*[("network", "nic", "get", "-n", name) for name in names])
    for name in names:
        body.add_or(host.esxcli("network", "nic", "get", "-n", name), lambda: host.tool("ethtool", "-i", name))
    body.add(host.tool("lspci", "-p"))
    hints = host.tool("vim-cmd", "hostsvc/net/query_networkhint")
    body.add(Entry(hints.command, hints.status, steady_hints(hints.output), "text", hints.exit_code, hints.error, hints.note))
    return body


def section_nic_tuning(host):
    body = Body()
    names = host.vmnics()
    if not names:
        body.rests_on(host.esxcli("network", "nic", "list"))
    lists = (("pauseParams", "list"), ("tso", "get"), ("cso", "get"), ("sg", "get"), ("software", "list"), ("coalesce", "get"))
    host.ahead(*[("network", "nic") + words for words in lists])
    pause = body.add(host.esxcli("network", "nic", "pauseParams", "list"))
    if not pause.is_ok:
        for name in names:
            body.add(host.tool("ethtool", "-a", name))
    has_ring = True
    if names and host.esxcli("network", "nic", "ring", "current", "get", "-n", names[0]).status != "unavailable":
        host.ahead(*[("network", "nic", "ring", kind, "get", "-n", name) for name in names for kind in ("current", "preset")])
    for name in names:
        if has_ring:
            current = body.add(host.esxcli("network", "nic", "ring", "current", "get", "-n", name))
            # One adapter may have no rings; a release without the command has it for none.
            has_ring = current.status != "unavailable"
        if has_ring:
            body.add(host.esxcli("network", "nic", "ring", "preset", "get", "-n", name))
            if not current.is_ok:
                body.add(host.tool("ethtool", "-g", name))
        else:
            body.add(host.tool("ethtool", "-g", name))
        if host.commands.find("nsxdp-cli"):
            body.add(host.tool("nsxdp-cli", "ens", "uplink", "ring", "get", "-n", name))
    features = body.add(host.esxcli("network", "nic", "tso", "get"))
    body.add(host.esxcli("network", "nic", "cso", "get"))
    body.add(host.esxcli("network", "nic", "sg", "get"))
    body.add(host.esxcli("network", "nic", "software", "list"))
    coalesce = body.add(host.esxcli("network", "nic", "coalesce", "get"))
    for name in names:
        if not features.is_ok or host.commands.find("ethtool"):
            body.add(host.tool("ethtool", "-k", name))
        if not coalesce.is_ok:
            body.add(host.tool("ethtool", "-c", name))
    return body


def section_vswitch(host):
    body = Body()
    body.add_or(host.esxcli("network", "vswitch", "standard", "list"), lambda: host.tool("esxcfg-vswitch", "-l"))
    body.add(host.esxcli("network", "vswitch", "dvs", "vmware", "list"))
    body.add(host.esxcli("network", "vswitch", "standard", "portgroup", "list"))
    groups = sorted(set(item["portgroup"] for item in host.vmkernel().values() if item["portgroup"] not in (u"", u"N/A")))
    for group in groups:
        body.add(host.esxcli("network", "vswitch", "standard", "portgroup", "policy", "failover", "get", "-p", group))
    return body


def section_vmkernel(host):
    body = Body()
    body.add_or(host.esxcli("network", "ip", "interface", "list"), lambda: host.tool("esxcfg-vmknic", "-l"))
    body.add(host.esxcli("network", "ip", "interface", "ipv4", "get"))
    body.add(host.esxcli("network", "ip", "route", "ipv4", "list"))
    return body


def section_iscsi(host):
    body = Body()
    adapters = body.add(host.esxcli("iscsi", "adapter", "list"))
    names = host.vmhbas()
    if adapters.status == "failed":
        body.add(host.esxcli("storage", "core", "adapter", "list"))
    lists = [("iscsi", kind, "list") for kind in ("networkportal", "logicalnetworkportal", "physicalnetworkportal", "session")]
    lists += [("iscsi", "adapter", "target", "portal", "list"), ("iscsi", "session", "connection", "list")]
    for name in names:
        lists += [("iscsi", "adapter", "get", "-A", name), ("iscsi", "adapter", "param", "get", "-A", name)]
    host.ahead(*lists)
    for name in names:
        body.add(host.esxcli("iscsi", "adapter", "get", "-A", name))
        body.add(host.esxcli("iscsi", "adapter", "param", "get", "-A", name))
    portals = body.add(host.esxcli("iscsi", "adapter", "target", "portal", "list"))
    wanted = []
    for row in sorted(rows(portals), key=lambda item: sorted(item.items())):
        adapter, target, address, port = (row.get(key, u"") for key in ("adapter", "target", "ip", "port"))
        if adapter and target and address:
            place = address + u":" + port if port else address
            wanted.append(("iscsi", "adapter", "target", "portal", "param", "get", "-A", adapter, "-a", place, "-n", target))
    host.ahead(*wanted)
    for words in wanted:
        body.add(host.esxcli(*words))
    body.add(host.esxcli("iscsi", "networkportal", "list"))
    body.add(host.esxcli("iscsi", "logicalnetworkportal", "list"))
    body.add(host.esxcli("iscsi", "physicalnetworkportal", "list"))
    body.add(host.esxcli("iscsi", "session", "list"))
    body.add(host.esxcli("iscsi", "session", "connection", "list"))
    return body


def section_advanced(host):
    body = Body()
    names = ("/Net/TcpipDefLROEnabled", "/Net/UseHwTSO", "/Net/UseHwTSO6", "/Net/TcpipDefLROMaxLength")
    host.ahead(*[("system", "settings", "advanced", "list", "-o", name) for name in names])
    for name in names:
        body.add(host.esxcli("system", "settings", "advanced", "list", "-o", name))
    return body


def section_paths(host):
    body = Body()
    host.ahead(("storage", "nmp", "device", "list"), *[("storage", "core", kind, "list") for kind in ("path", "device", "adapter")])
    devices = body.add(host.esxcli("storage", "nmp", "device", "list"))
    body.add(host.esxcli("storage", "core", "path", "list"))
    body.add(host.esxcli("storage", "core", "device", "list"))
    body.add(host.esxcli("storage", "core", "adapter", "list"))
    body.add(host.esxcli("storage", "nmp", "satp", "list"))
    wanted = []
    for at, row in enumerate(rows(devices)):
        if at >= ROUND_ROBIN_GETS and u"iops=" in row.get("pathselectionpolicydeviceconfig", u""):
            continue  # the list shows the limit, and each of these commands takes half a second
        device = row.get("device", u"")
        if not device:
            # Text: the device stands in the heading, and in parentheses at the end of its display name.
            match = re.search(u"\\(([^()\\s]+)\\)\\s*$", row.get("devicedisplayname", u""))
            device = match.group(1) if match else u""
        if device and row.get("pathselectionpolicy", u"").upper().endswith(u"_RR"):
            wanted.append(("storage", "nmp", "psp", "roundrobin", "deviceconfig", "get", "-d", device))
    host.ahead(*wanted)
    for words in wanted:
        body.add(host.esxcli(*words))
    return body


def section_modules(host):
    body = Body()
    names = host.drivers()
    if not any(host.kept[command].is_ok for command in (u"esxcli network nic list", u"esxcfg-nics -l") if command in host.kept):
        body.rests_on(host.esxcli("network", "nic", "list"))
    body.rests_on(host.esxcli("iscsi", "adapter", "list"))
    host.ahead(*[("system", "module") + words + ("-m", name) for name in names for words in (("parameters", "list"), ("get",))])
    for name in names:
        body.add(host.esxcli("system", "module", "parameters", "list", "-m", name))
        body.add(host.esxcli("system", "module", "get", "-m", name))
    return body


def section_software(host):
    body = Body()
    body.add(host.esxcli("software", "vib", "list"))
    body.add(host.esxcli("software", "profile", "get"))
    summary = host.esxcli("equallogic", "stat", "summary")
    # Its figures change on every read: they travel as `live`; whether the extension answers is what stays.
    body.add(Entry(summary.command, summary.status, u"", summary.form, summary.exit_code, summary.error))
    return body


# --- Probes: do-not-fragment pings from every iSCSI interface to every portal ---------------------------------------------------------

# Bytes of IP and ICMP headers that -s does not count.
IPV4_AND_ICMP = 28
IPV6_AND_ICMP = 48
FAR_END_BYTES = 9000  # L3 bytes that the portals of an EqualLogic array carry, whatever the host is set to
ORDINARY_BYTES = 1500


def as_number(address):
    """An IPv4 address as one number, or None."""
    parts = address.split(u".")
    if len(parts) != 4 or not all(part.isdigit() and int(part) < 256 for part in parts):
        return None
    value = 0
    for part in parts:
        value = value * 256 + int(part)
    return value


def is_near(interface, portal):
    """Whether a portal lies in the interface's own subnet."""
    values = [as_number(text) for text in (interface.get("address", u""), interface.get("netmask", u""), portal)]
    return None not in values and values[0] & values[1] == values[2] & values[1]


def probe_pairs(host):
    """(interface, its L3 MTU, its source address, netstack, portal) for every SAN interface and every portal that it should reach."""
    interfaces = host.vmkernel()
    bound = set(row.get("vmknic", u"") for row in rows(host.esxcli("iscsi", "networkportal", "list")))
    portals = set(row.get("ip", u"") for row in rows(host.esxcli("iscsi", "adapter", "target", "portal", "list")))
    used = set()
    for row in rows(host.esxcli("iscsi", "session", "connection", "list")):
        remote = row.get("remoteaddress") or row.get("connectionaddress", u"")
        portals.add(remote)
        used.add((row.get("localaddress", u""), remote))
    portals.discard(u"")
    pairs = []
    for name in sorted(interfaces, key=natural):
        interface = interfaces[name]
        address = interface.get("address", u"")
        has_session = any(local == address for local, _ in used) and address != u""
        near = [portal for portal in portals if is_near(interface, portal)]
        if name in bound:
            # A portal of another subnet counts only where a session runs that way, or where nothing is nearer.
            wanted = set(near) | set(portal for portal in portals if (address, portal) in used) or portals
        elif has_session:
            wanted = set(portal for portal in portals if (address, portal) in used) | set(near)
        elif bound:
            wanted = set()
        else:
            wanted = set(near)
        pairs.extend((name, interface["mtu"], address, interface["netstack"], portal) for portal in sorted(wanted))
    return pairs


def ping(host, name, netstack, portal, size, count):
    """One vmkping with do-not-fragment; `size` is the L3 size. Returns (True answered, False not, None not run; reason; milliseconds)."""
    is_ipv6 = u":" in portal
    payload = size - (IPV6_AND_ICMP if is_ipv6 else IPV4_AND_ICMP)
    words = ["vmkping"] + (["-6"] if is_ipv6 else []) + ["-d", "-c", str(count), "-W", "1", "-s", str(payload), "-I", name]
    if netstack and netstack not in (u"defaultTcpipStack", u"N/A"):
        words += ["-S", netstack]
    code, out, err, reason = host.commands.run(words + [portal], host.deadline)
    if reason is not None:
        return None, reason, None
    text = clean(out)[0]
    said = first_line(clean(err)[0]) or first_line(*[line for line in text.split(u"\n") if u"fail" in line.lower()])
    times = re.search(u"=\\s*([\\d.]+)/([\\d.]+)/([\\d.]+)\\s*\\S", text)
    # Figures and the exit code decide, never words: sent, received, per cent lost stand in this order in every translation.
    figures = re.search(u"(\\d+)\\D+(\\d+)\\D+?([\\d.]+)\\s*%", text)
    if figures:
        is_answered = int(figures.group(2)) > 0
    else:
        is_answered = code == 0 and text.strip() != u""
    return is_answered, said, float(times.group(2)) if times and is_answered else None


def probe(host, pair):
    """Probes one interface against one portal. Returns rows for the body and ping times for `live`."""
    name, mtu, address, netstack, portal = pair
    # The host's own size, what the portals of a jumbo SAN carry, and the ordinary size: which of them come through decides.
    sizes = sorted(set([mtu] + [size for size in (FAR_END_BYTES, ORDINARY_BYTES) if size < mtu]), reverse=True)
    answers = {}
    times = []
    for size in sizes:
        answered, said, spent = ping(host, name, netstack, portal, size, 1)
        if answered is False:
            answered, said, spent = ping(host, name, netstack, portal, size, 2)
        answers[size] = (answered, said)
        if spent is not None:
            times.append(Pairs([("vmk", name), ("portal", portal), ("size", size), ("ms", spent)]))
    reaches = any(answered for answered, _ in answers.values())
    if not reaches and any(answered is False for answered, _ in answers.values()):
        # Does anything at all come back? A small frame tells a size limit from silence without reading words.
        reaches = bool(ping(host, name, netstack, portal, 84, 1)[0])
    listed = []
    for size in sorted(sizes):
        answered, said = answers[size]
        outcome = "not_run" if answered is None else "ok" if answered else "too_big" if reaches else "silent"
        listed.append(
            Pairs(
                [
                    ("source", address),
                    ("vmk", name),
                    ("portal", portal),
                    ("size", size),
                    ("outcome", outcome),
                    ("reason", u"" if outcome == "ok" else said),
                ]
            )
        )
    return listed, times


def section_probes(host):
    """Outcomes in a body that only changes when an outcome does; the ping times go to `host.ping_times`."""
    body = Body()
    host.ping_times = []
    if host.commands.find("vmkping") is None:
        body.add(Entry("vmkping", "unavailable", form="json", exit_code=None, error="no such command"))
        return body
    pairs = probe_pairs(host)
    body.rests_on(
        host.esxcli("network", "ip", "interface", "list"),
        host.esxcli("iscsi", "networkportal", "list"),
        host.esxcli("iscsi", "adapter", "target", "portal", "list"),
        host.esxcli("iscsi", "session", "connection", "list"),
    )
    results = [None] * len(pairs)

    def probe_one(position):
        try:
            results[position] = probe(host, pairs[position])
        except Exception as error:  # One pair that cannot be probed must not cost the others.
            results[position] = ([_not_run(pairs[position], words_of(error))], [])

    in_parallel(probe_one, range(min(len(pairs), PROBE_PAIRS)), PROBES_AT_ONCE, host.deadline)
    if not pairs and body:
        return body  # no list showed a portal, and one of them failed: nothing is known of the frames
    listed = []
    for pair, result in zip(pairs, list(results)):
        found, times = result if result is not None else ([_not_run(pair, "no time left")], [])
        listed.extend(found)
        host.ping_times.extend(times)
    body.add(Entry("vmkping", "ok", to_json(listed), "json", 0))
    return body


def _not_run(pair, reason):
    name, mtu, address, _, portal = pair
    return Pairs([("source", address), ("vmk", name), ("portal", portal), ("size", mtu), ("outcome", "not_run"), ("reason", reason)])


# The order on the wire. Probes come after the counters, with a time of their own.
SECTIONS = [
    ("system", section_system),
    ("nics", section_nics),
    ("nic_tuning", section_nic_tuning),
    ("vswitch", section_vswitch),
    ("vmkernel", section_vmkernel),
    ("iscsi", section_iscsi),
    ("advanced", section_advanced),
    ("paths", section_paths),
    ("modules", section_modules),
    ("software", section_software),
    ("probes", section_probes),
]


# Which are read first: what the paths are must not be missing because something before them was slow.
READ_FIRST = ("system", "paths", "iscsi")
SLOW_SECTIONS = ("paths",)


def reading_order():
    """The sections in the order of reading: first those that matter most, last the probes."""
    return sorted(SECTIONS, key=lambda section: READ_FIRST.index(section[0]) if section[0] in READ_FIRST else len(READ_FIRST))


# --- Counters -------------------------------------------------------------------------------------------------------------------------

NIC_COUNTERS = [
    ("bytesreceived", "bytes_received"),
    ("bytessent", "bytes_sent"),
    ("packetsreceived", "packets_received"),
    ("packetssent", "packets_sent"),
    ("receivepacketsdropped", "drops_received"),
    ("transmitpacketsdropped", "drops_sent"),
    ("totalreceiveerrors", "errors_received"),
    ("totaltransmiterrors", "errors_sent"),
]

# Names of pause frames among drivers' own statistics; per-priority figures are left out, so that nothing is counted twice.
PAUSE_NAMES = (
    u"(?mi)^\\W*(?:\\[\\d+\\]:\\s*)?"
    u"(?:%(way)s_pause_frames|%(way)s_pause|%(way)s_flow_control_xoff|%(way)s_xoff|%(way)s_global_pause|%(way)spausectrlphy|%(way)spause)"
    u"\\s*[:=]\\s*(\\d+)"
)
PAUSE_COUNTERS = [
    ("pause_received", re.compile(PAUSE_NAMES % {"way": u"rx"})),
    ("pause_sent", re.compile(PAUSE_NAMES % {"way": u"tx"})),
]

NIC_LIST = u"esxcli network nic list"
TCP_STATISTICS = "/net/tcpip/instances/defaultTcpipStack/stats/tcp"

# The time that a device spent on reads and writes since the boot, in microseconds; esxcli has the numbers of operations only.
DEVICE_STATISTICS = "/storage/scsifw/devices/%s/stats"
DEVICE_TIMES = [
    ("read_time_us", re.compile(u"\\btotalTimeReads\\W+(\\d+)")),
    ("write_time_us", re.compile(u"\\btotalTimeWrites\\W+(\\d+)")),
]
# Each device costs a command: of a host with more, so many are read.
DEVICES_TIMED = 32


def adapter_id(mac):
    return re.sub(u"[^0-9a-f]", u"", mac.lower())


def collect_counters(host):
    """All counters at one moment, as a check-in carries them."""
    series = read_series(host)
    return Pairs([("at", utc_now()), ("uptime_s", uptime_seconds(host)), ("series", series)])


def read_series(host):
    """Series of figures that only grow (`total`) or move (`gauge`); what the host does not offer is left out."""
    series = []

    def say(subject, name, value, kind):
        if value is not None and -(2 ** 63) <= value < 2 ** 63:
            series.append(Pairs([("subject", subject), ("name", name), ("value", value), ("kind", kind)]))

    macs = {}
    for row in rows(host.esxcli("network", "nic", "list")):
        macs[row.get("name", u"")] = adapter_id(row.get("macaddress", u""))
    host.ahead(*[("network", "nic", "stats", "get", "-n", name) for name in sorted(macs, key=natural)])
    for name in sorted(macs, key=natural):
        if len(macs[name]) != 12:
            continue
        subject = u"adapter/" + macs[name]
        for row in rows(host.esxcli("network", "nic", "stats", "get", "-n", name))[-1:]:
            for field, series_name in NIC_COUNTERS:
                say(subject, series_name, number(row.get(field)), "total")
        own = host.tool("ethtool", "-S", name)
        if not own.is_ok:
            own = host.tool("vsish", "-e", "get", "/net/pNics/%s/stats" % name)
        for series_name, pattern in PAUSE_COUNTERS:
            match = pattern.search(own.output)
            say(subject, series_name, int(match.group(1)) if match else None, "total")
    tcp = host.tool("vsish", "-e", "get", TCP_STATISTICS)
    for series_name, pattern in (("tcp_segments_sent", u"\\bsndpack\\b"), ("tcp_segments_retransmitted", u"\\bsndrexmitpack\\b")):
        match = re.search(pattern + u"\\W+(\\d+)", tcp.output)
        say(u"host/", series_name, int(match.group(1)) if match else None, "total")
    summary = host.tool("vim-cmd", "hostsvc/hostsummary").output
    figures = [re.search(u"\\b%s = (\\d+)" % name, summary) for name in ("overallCpuUsage", "cpuMhz", "numCpuCores")]
    if all(figures):
        used, mhz, cores = (int(match.group(1)) for match in figures)
        if mhz * cores:
            say(u"host/", "cpu_percent", round(100.0 * used / (mhz * cores), 2), "gauge")
    timed = 0
    for row in rows(host.esxcli("storage", "core", "device", "stats", "get")):
        device = row.get("device", u"")
        if not re.match(u"^(naa|eui|t10)\\.", device):
            continue
        for field, series_name, scale in (
            ("blocksread", "read_bytes", 512),
            ("blockswritten", "write_bytes", 512),
            ("readoperations", "reads", 1),
            ("writeoperations", "writes", 1),
        ):
            value = number(row.get(field))
            say(u"volume/" + device, series_name, None if value is None else value * scale, "total")
        if timed == DEVICES_TIMED:
            continue
        timed += 1
        times = host.tool("vsish", "-e", "get", DEVICE_STATISTICS % device)
        for series_name, pattern in DEVICE_TIMES:
            match = pattern.search(times.output)
            say(u"volume/" + device, series_name, int(match.group(1)) if match else None, "total")
    return series


def uptime_seconds(host):
    """Whole seconds since the boot, by the system's own figure (microseconds) or a clock that only goes forward."""
    said = host.esxcli("system", "stats", "uptime", "get")
    value = number(re.sub(u"<[^>]*>", u" ", said.output)) if said.is_ok else None
    return int(value // 1000000) if value else int(monotonic())


def watch(commands, seconds):
    """Prints the counters again and again, a line each, until the time is over or nobody reads them any more.

    A line has `uptime_ms`, by a clock that only goes forward, and `values`; and `series` (subject, name, kind of each value) where these
    are others than in the line before.
    """
    until = monotonic() + min(seconds, LONGEST_WATCH_SECONDS)
    host = before = None
    while True:
        began = monotonic()
        host = _host_of_next_reading(commands, host)
        found = [dict(each) for each in read_series(host)]
        series = [[each["subject"], each["name"], each["kind"]] for each in found]
        line = Pairs([("uptime_ms", int(began * 1000)), ("values", [each["value"] for each in found])])
        if series != before:
            line.append(("series", series))
            before = series
        try:
            write_out(as_bytes(to_json(line)) + b"\n")
        except (OSError, IOError):
            # The session is over. What could not be written would fail once more when Python ends.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return 0
        took = monotonic() - began
        rest = max(WATCH_EVERY_SECONDS - took, WATCH_REST_FACTOR * took)
        if monotonic() + rest >= until:
            return 0
        time.sleep(rest)


def _host_of_next_reading(commands, last):
    """Reads anew, but for which adapters there are: that costs a command, and seldom changes within minutes."""
    host = Host(commands, COUNTER_SECONDS)
    adapters = last and last.kept.get(NIC_LIST)
    if adapters and adapters.is_ok:
        host.formatter = last.formatter
        host.kept[NIC_LIST] = adapters
    return host


# --- The check-in ---------------------------------------------------------------------------------------------------------------------


class CheckIn(object):
    """Line 1 and the section bodies, as bytes, as they go over the wire and into digests."""

    def __init__(self, line, bodies):
        self.line = line
        self.bodies = bodies  # section name -> bytes

    @property
    def digest(self):
        return sha256(self.line)

    def sections(self):
        """Section name -> digest, of those that have a body."""
        listed = json.loads(as_text(self.line))["sections"]
        return dict((name, listed[name]["sha256"]) for name in listed if "sha256" in listed[name])


def collect(commands=None, boot=None, rejected=0, thinned=0, leave_out=None, state=None, limits=None):
    """Reads the host once. Never raises: what cannot be read is said in the check-in.

    `leave_out` names a section whose body the server found too big; `limits` = (collect, counters, probes) seconds.
    """
    began = monotonic()
    before = runner_state(state)
    commands = commands or Commands()
    limits = limits or (COLLECT_SECONDS, COUNTER_SECONDS, PROBE_SECONDS)
    host = Host(commands, limits[0])
    found = {}
    bodies = {}
    counters = Pairs([("at", utc_now()), ("uptime_s", int(monotonic())), ("series", [])])
    for name, function in reading_order():
        if name == "probes":
            host.begin_phase(limits[1])
            try:
                counters = collect_counters(host)
            except Exception as error:  # Counters that cannot be read must not cost the check-in.
                log("counters: %r" % error)
            host.begin_phase(limits[2])
        else:
            host.begin_section(SLOW_SECTION_SECONDS if name in SLOW_SECTIONS else None)
        section_began = monotonic()
        entry, body = _section(host, function)
        if body is not None and name == leave_out:
            entry, body = Pairs([("status", "failed"), ("error", "too big")]), None
        if body is not None:
            bodies[name] = body
            entry = Pairs([("sha256", sha256(body)), ("status", "ok")])
        entry.append(("took_ms", int((monotonic() - section_began) * 1000)))
        found[name] = entry
    sections = Pairs((name, found[name]) for name, _ in SECTIONS)
    live = Pairs([("clock", utc_now()), ("uptime_s", counters.get("uptime_s"))])
    live += [("outputs_altered", host.altered), ("pings", host.ping_times)]
    summary = host.kept.get(u"esxcli equallogic stat summary")
    if summary is not None and summary.is_ok:
        live.append(("equallogic", summary.output[:8192]))
    envelope = Pairs(
        [
            ("v", 1),
            ("boot", boot or boot_without_state()),
            ("made_at", utc_now()),
            (
                "agent",
                Pairs(
                    [
                        ("platform", PLATFORM),
                        ("version", VERSION),
                        ("runner", runner_hash()),
                        ("took_ms", int((monotonic() - began) * 1000)),
                    ]
                ),
            ),
            ("sections", sections),
            ("live", live),
            ("counters", counters),
            ("runner_before", before),
            ("runner_after", runner_state(state)),
            ("rejected", rejected),
            ("thinned", thinned),
        ]
    )
    return CheckIn(as_bytes(to_json(envelope)), bodies)


def _section(host, function):
    """One section: its body, or the status and error that stand in its place. What one read gave is sent whatever became of the others."""
    try:
        body = function(host)
    except Exception as error:  # A section that breaks is told as failed; the others go on.
        return Pairs([("status", "failed"), ("error", (u"%s: %s" % (type(error).__name__, words_of(error)))[:300])]), None
    documents = [document for _, document in body]
    if not documents and body.absent:
        return Pairs([("status", "unavailable"), ("error", u"%s: %s" % (body.absent[0].command, body.absent[0].error))]), None
    statuses = set(document.get("status") for document in documents)
    if documents and "ok" not in statuses:
        said = u"%s: %s" % (body[0][0], documents[0].get("error"))
        return Pairs([("status", "failed" if "failed" in statuses else "unavailable"), ("error", said)]), None
    return None, as_bytes(to_json(body))


def here():
    """The folder of this file, or None when it came over standard input."""
    path = globals().get("__file__")
    return os.path.dirname(os.path.abspath(path)) if path and os.path.isfile(path) else None


def runner_hash():
    """SHA-256 of the runner beside this file (CRLF as LF, newlines at the end trimmed), or None where there is none."""
    folder = here()
    if folder is None:
        return None
    try:
        with open(os.path.join(folder, "host_runner.py"), "rb") as stream:
            return sha256(stream.read().replace(b"\r\n", b"\n").rstrip(b"\n"))
    except (OSError, IOError):
        return None


def runner_state(folder):
    """The last operation that the runner carried out here, {op_id, gen}, or None.

    The runner keeps it beside its receipts and once more on the RAM disk, where a collection over SSH finds it without being told where
    the runner lies.
    """
    places = [] if folder is None else [os.path.join(folder, "runner", "last.json")]
    for path in places + [os.path.join(default_run_folder(), "runner-last.json")]:
        last = read_json(path)
        if isinstance(last, dict) and isinstance(last.get("op_id"), TEXT) and isinstance(last.get("gen"), INTEGERS):
            return Pairs([("op_id", last["op_id"]), ("gen", last["gen"])])
    return None


# --- The name of the boot -------------------------------------------------------------------------------------------------------------

NO_BOOT_NAME = "0" * 32


def default_run_folder():
    return os.environ.get("PLUMBLINE_RUN_FOLDER") or "/var/run/plumbline"


def boot_without_state():
    """The boot's name where nothing may be written: an installed agent's, else one drawn from a file that each boot writes once."""
    known = read_text(os.path.join(default_run_folder(), "boot"))
    if known and re.match(r"^[0-9a-f]{32}$", known):
        return known
    try:
        facts = os.stat(os.environ.get("PLUMBLINE_ROOT", "") + "/var/log/boot.gz")
    except OSError:
        return NO_BOOT_NAME
    return sha256(as_bytes("boot.gz %d %d" % (int(facts.st_mtime), facts.st_size)))[:32]


def boot_name(run_folder):
    """The boot's name: random, kept on the RAM disk, so that it ends with the boot and does not move with the clock."""
    path = os.path.join(run_folder, "boot")
    known = read_text(path)
    if known and re.match(r"^[0-9a-f]{32}$", known):
        return known
    name = random_hex(16)
    write_atomically(path, as_bytes(name))
    return name


# --- Files of our own -----------------------------------------------------------------------------------------------------------------


def make_folder(path):
    if not os.path.isdir(path):
        os.makedirs(path, 0o700)


def write_atomically(path, data):
    """Write to a temporary file, flush it to disk, rename: after a power cut there is the old file or the new, never a half."""
    temporary = path + ".tmp"
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    # Said twice: a file of that name may be left from a crash, and not every Python passes the mode on.
    os.chmod(temporary, 0o600)
    try:
        view = data
        while view:
            view = view[os.write(handle, view) :]
        os.fsync(handle)
    finally:
        os.close(handle)
    os.rename(temporary, path)
    _sync_folder(os.path.dirname(path))


def _sync_folder(path):
    try:
        handle = os.open(path or ".", os.O_RDONLY)
    except (OSError, IOError):
        return
    try:
        os.fsync(handle)
    except (OSError, IOError):
        pass  # VMFS and FAT do not offer this for folders; the rename itself is what must be whole.
    finally:
        os.close(handle)


def read_bytes(path):
    try:
        with open(path, "rb") as stream:
            return stream.read()
    except (OSError, IOError):
        return None


def read_text(path):
    data = read_bytes(path)
    return None if data is None else as_text(data).strip()


def read_json(path):
    text = read_text(path)
    try:
        return json.loads(text) if text else None
    except ValueError:
        return None


def remove(path):
    try:
        os.remove(path)
    except OSError as error:
        if error.errno != errno.ENOENT:
            raise


LOG_FOLDER = [None]


def log(sentence, is_alarm=False):
    """One line into the state folder's log and to standard error; alarms into the system's log too."""
    line = "%s %s" % (utc_now(), sentence)
    write_out(as_bytes(as_text("plumbline: " + sentence) + u"\n"), sys.stderr)
    if is_alarm and syslog is not None:
        try:
            line = as_text("plumbline: " + sentence)
            syslog.syslog(syslog.LOG_ERR, line if IS_3 else as_bytes(line))
        except Exception:  # No system log is no reason to stop.
            pass
    folder = LOG_FOLDER[0]
    if folder is None:
        return
    path = os.path.join(folder, "agent.log")
    try:
        if os.path.exists(path) and os.path.getsize(path) > LOG_BYTES:
            os.rename(path, path + ".1")
        with open(path, "ab") as stream:
            stream.write(as_bytes(as_text(line) + u"\n"))
    except (OSError, IOError):
        pass


class Lock(object):
    """One instance per state folder. The lock is on the RAM disk: not every datastore offers file locks, and a boot frees them.

    Where the RAM disk has none either, a file with our process id replaces it.
    """

    def __init__(self, run_folder, state):
        self.path = os.path.join(run_folder, "lock-" + sha256(as_bytes(os.path.abspath(state)))[:12])
        self.handle = None

    def take(self):
        """True once it is ours; False where another instance has it."""
        self.handle = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600)
        if fcntl is None:
            return True
        try:
            fcntl.flock(self.handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except (OSError, IOError) as error:
            os.close(self.handle)
            self.handle = None
            if error.errno in (errno.EAGAIN, errno.EACCES, errno.EINTR):
                return False
            log("no file locks in %s (%s): a file with the process id is used" % (os.path.dirname(self.path), words_of(error)))
            return self._take_by_id()
        return True

    def _take_by_id(self):
        path = self.path + ".pid"
        for _ in range(2):
            try:
                handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            except OSError as error:
                if error.errno != errno.EEXIST:
                    raise
                if is_running(number(read_text(path))):
                    return False
                remove(path)  # of a process that ended without removing it
                continue
            os.write(handle, as_bytes(str(os.getpid())))
            os.close(handle)
            atexit.register(remove, path)
            return True
        return False


def is_running(process):
    """Whether there is a process of that id; an id that is not known yet is being written."""
    if process is None:
        return True
    try:
        os.kill(process, 0)
    except OSError as error:
        return error.errno == errno.EPERM
    return True


# --- Spool ----------------------------------------------------------------------------------------------------------------------------


class Spool(object):
    """Check-ins that wait for their receipt. Each file holds line 1 and every body the server has not yet confirmed.

    File `<seq>.checkin`: a line of our own ({"changed": ...}), then the check-in as it goes over the wire.
    """

    def __init__(self, state, files=SPOOL_FILES, size=SPOOL_BYTES):
        self.state = state
        self.folder = os.path.join(state, "spool")
        self.rejected = os.path.join(state, "rejected")
        self.bodies = os.path.join(state, "bodies")
        self.files = files
        self.size = size
        for folder in (self.folder, self.rejected, self.bodies):
            make_folder(folder)

    def path(self, seq):
        return os.path.join(self.folder, "%012d.checkin" % seq)

    def waiting(self):
        """Numbers of the waiting check-ins, oldest first."""
        return sorted(int(name[:12]) for name in os.listdir(self.folder) if re.match(r"^\d{12}\.checkin$", name))

    def next_seq(self):
        """The next number, on disk before anyone can use it. Never reset by a restart of the host."""
        path = os.path.join(self.state, "counter")
        last = number(read_text(path)) or 0
        waiting = self.waiting()
        seq = max([last] + waiting[-1:]) + 1
        write_atomically(path, as_bytes(str(seq)))
        return seq

    def confirmed(self):
        """Section -> digest of the body that the server is known to hold."""
        known = read_json(os.path.join(self.state, "confirmed.json"))
        return known if isinstance(known, dict) else {}

    def counts(self):
        """What the next check-in must tell: {rejected, thinned, too_big, want}."""
        known = read_json(os.path.join(self.state, "counts.json"))
        known = known if isinstance(known, dict) else {}
        return {
            "rejected": known.get("rejected") or 0,
            "thinned": known.get("thinned") or 0,
            "too_big": known.get("too_big"),
            "want": known.get("want") or [],
            "last": known.get("last") or {},
        }

    def write_counts(self, counts):
        write_atomically(os.path.join(self.state, "counts.json"), as_bytes(to_json(counts)))

    def add(self, check_in):
        """Puts a check-in into the spool and returns its number."""
        counts = self.counts()
        confirmed = self.confirmed()
        sections = check_in.sections()
        lines = [
            check_in.bodies[name]
            for name in sorted(check_in.bodies)
            if sections[name] != confirmed.get(name) or name in counts["want"]
        ]
        head = as_bytes(to_json({"changed": sections != counts["last"]}))
        data = b"\n".join([head, check_in.line] + lines) + b"\n"
        seq = self.next_seq()
        self.make_room(len(data))
        try:
            write_atomically(self.path(seq), data)
        except (OSError, IOError) as error:
            # A full disk: give up the oldest that may go, once, and say so if that is not enough.
            if error.errno not in (errno.ENOSPC, errno.EDQUOT):
                raise
            remove(self.path(seq) + ".tmp")
            self.make_room(len(data), spare=max(1, len(self.waiting()) // 2))
            write_atomically(self.path(seq), data)
        for name in check_in.bodies:
            self.keep_body(name, check_in.bodies[name])
        thinned = self.counts()["thinned"] - counts["thinned"]
        self.write_counts({"rejected": 0, "thinned": max(0, thinned), "too_big": None, "want": [], "last": sections})
        return seq

    def keep_body(self, name, body):
        """Keeps the newest body of a section, so that the server can ask for it again."""
        path = os.path.join(self.bodies, name)
        if read_bytes(path) == body:
            return
        try:
            write_atomically(path, body)
        except (OSError, IOError) as error:
            # A convenience only: the check-in itself is safe in the spool, and a body that is gone is told as gone.
            log("the newest body of %s is not kept: %s" % (name, words_of(error)))
            remove(path + ".tmp")

    def make_room(self, size, spare=0):
        """Thins the spool below its caps: first the unchanged ones of the middle, then the oldest changed ones, never the newest."""
        waiting = self.waiting()
        sizes = dict((seq, self._size(seq)) for seq in waiting)
        gone = 0
        while waiting and (len(waiting) + 1 > self.files or sum(sizes[seq] for seq in waiting) + size > self.size or gone < spare):
            middle = [seq for seq in waiting[1:-1] if not self._is_changed(seq)]
            candidates = middle or waiting[:-1]
            if not candidates:
                break
            victim = candidates[len(candidates) // 2] if middle else candidates[0]
            remove(self.path(victim))
            waiting.remove(victim)
            gone += 1
        if gone:
            counts = self.counts()
            counts["thinned"] += gone
            self.write_counts(counts)

    def _size(self, seq):
        try:
            return os.path.getsize(self.path(seq))
        except OSError:
            return 0

    def _is_changed(self, seq):
        try:
            with open(self.path(seq), "rb") as stream:
                return json.loads(as_text(stream.readline())).get("changed", True)
        except (OSError, IOError, ValueError):
            return True

    def read(self, seq):
        """(CheckIn with the bodies of the file), or None where the file is not whole."""
        data = read_bytes(self.path(seq))
        lines = (data or b"").split(b"\n")
        if len(lines) < 3 or lines[-1] != b"":
            return None
        try:
            check_in = CheckIn(lines[1], {})
            names = dict((digest, name) for name, digest in check_in.sections().items())
            for body in lines[2:-1]:
                check_in.bodies[names[sha256(body)]] = body
        except (ValueError, KeyError, TypeError):
            return None
        return check_in

    def body_for(self, check_in, wanted):
        """The body that the server asks for, by section name or digest, or None where we no longer have it."""
        sections = check_in.sections()
        name = wanted if wanted in sections else dict((digest, name) for name, digest in sections.items()).get(wanted)
        if name is None:
            return None, None
        body = check_in.bodies.get(name)
        if body is None:
            body = read_bytes(os.path.join(self.bodies, str(name)))
        return name, body if body is not None and sha256(body) == sections[name] else None

    def confirm(self, seq, check_in):
        """The receipt is here: the server holds every section that line 1 names. Only now may the file go."""
        confirmed = self.confirmed()
        confirmed.update(check_in.sections())
        write_atomically(os.path.join(self.state, "confirmed.json"), as_bytes(to_json(confirmed)))
        remove(self.path(seq))

    def reject(self, seq, reason, too_big=None):
        """Sets a refused check-in aside; the newest five are kept."""
        log("check-in %d was refused: %s" % (seq, reason), is_alarm=True)
        counts = self.counts()
        counts["rejected"] += 1
        counts["too_big"] = too_big or counts["too_big"]
        self.write_counts(counts)
        try:
            os.rename(self.path(seq), os.path.join(self.rejected, "%012d.checkin" % seq))
        except OSError:
            remove(self.path(seq))
        for name in sorted(os.listdir(self.rejected))[:-REJECTED_KEPT]:
            remove(os.path.join(self.rejected, name))

    def renumber(self):
        """A new epoch: the waiting ones are numbered from 1. Safe to run again after a crash, since a number only ever falls."""
        for new, old in enumerate(self.waiting(), 1):
            if new != old:
                os.rename(self.path(old), self.path(new))
        write_atomically(os.path.join(self.state, "counter"), as_bytes(str(len(self.waiting()))))


# --- Waiting --------------------------------------------------------------------------------------------------------------------------


def backoff_seconds(tries, draw=random.random):
    """Full jitter after the cap: uniform over [0, min(cap, base * 2^tries)], so that a fleet's returns fill the whole span."""
    return draw() * min(BACKOFF_CAP_SECONDS, BACKOFF_BASE_SECONDS * 2 ** min(tries, 30))


def hourly_seconds(draw=random.random):
    """About an hour, spread over a quarter of one, for what only a person can put right."""
    return HOUR_SECONDS + draw() * HOUR_SECONDS / 4


def retry_after_seconds(text, tries, draw=random.random):
    """What the server asks for, plus jitter; None where it says nothing usable."""
    if text is None or not re.match(r"^\s*\d{1,6}\s*$", text):
        return None
    return min(RETRY_AFTER_LIMIT_SECONDS, float(text)) + backoff_seconds(tries, draw)


def phase_seconds(host_id, interval):
    """The host's fixed place within the interval, so that restarts do not line a fleet up."""
    return int(sha256(as_bytes(as_text(host_id)))[:12], 16) % max(1, int(interval))


class Waiting(object):
    """When the next try may be made: number of failed tries and a moment on the forward-going clock, kept on disk for the next run."""

    def __init__(self, state, boot):
        self.path = os.path.join(state, "retry.json")
        self.boot = boot
        known = read_json(self.path)
        known = known if isinstance(known, dict) else {}
        self.tries = known.get("tries") or 0
        self.until = None
        until = known.get("until")
        # Another boot has another clock; a moment further off than anything we ever set was not set by us.
        furthest = monotonic() + RETRY_AFTER_LIMIT_SECONDS + HOUR_SECONDS
        if known.get("boot") == boot and isinstance(until, (int, float)) and until <= furthest:
            self.until = float(until)

    def left(self):
        return 0.0 if self.until is None else max(0.0, self.until - monotonic())

    def set(self, seconds):
        self.tries += 1
        self.until = monotonic() + seconds
        self._write()

    def clear(self):
        if self.tries or self.until is not None:
            self.tries = 0
            self.until = None
            self._write()

    def _write(self):
        document = {"tries": self.tries, "boot": self.boot, "until": self.until}
        write_atomically(self.path, as_bytes(to_json(document)))


# --- The wire -------------------------------------------------------------------------------------------------------------------------


def gzipped(data):
    """A gzip container without a time stamp in it."""
    packer = zlib.compressobj(6, zlib.DEFLATED, 31)
    return packer.compress(data) + packer.flush()


def signature(secret, host_id, epoch, seq, check_in_id, generation, sent_at, encoding, wire):
    """Lower-case hex of HMAC-SHA256 over the signed text, under the secret's 32 raw bytes."""
    text = u"plumbline-1\nPOST\n%s\n%s\n%s\n%s\n%s\n%s\n%s\n%s\n%s\n" % (
        CHECK_IN_PATH,
        host_id,
        epoch,
        seq,
        check_in_id,
        generation,
        sent_at,
        encoding,
        sha256(wire),
    )
    return hmac.new(bytes(bytearray.fromhex(as_text(secret))), as_bytes(text), hashlib.sha256).hexdigest()


# 2.7.9 brought contexts. Before that, `wrap_socket` takes what a connection trusts, and Python does not compare the name.
HAS_CONTEXTS = hasattr(ssl, "create_default_context")


class PlainTls(http_client.HTTPConnection):
    """HTTPS for a Python without contexts: certificate and name are checked against the pinned CA; without a CA nothing is, to fetch it."""

    default_port = 443

    def __init__(self, host, port, name, ca):
        http_client.HTTPConnection.__init__(self, host, port, timeout=REQUEST_SECONDS)
        self.certified_name = name
        self.ca = ca

    def connect(self):
        http_client.HTTPConnection.connect(self)  # through the proxy's tunnel, where one is set
        required = ssl.CERT_REQUIRED if self.ca else ssl.CERT_NONE
        # By name: 3.12 has no such function, and never comes here. SSLv23 is every version that both sides know.
        wrap = getattr(ssl, "wrap_socket")  # noqa: B009
        self.sock = wrap(self.sock, cert_reqs=required, ca_certs=self.ca, ssl_version=ssl.PROTOCOL_SSLv23)
        if self.ca and not is_certified(self.sock.getpeercert(), self.certified_name):
            self.sock.close()
            raise ssl.SSLError("the server's certificate is not for %s" % self.certified_name)


def is_certified(certificate, name):
    """Whether a certificate that was checked against its CA names this host name or address."""
    listed = (certificate or {}).get("subjectAltName", ())
    address = packed_address(name)
    if address is not None:
        return address in [packed_address(value) for kind, value in listed if kind == "IP Address"]
    return bool([value for kind, value in listed if kind == "DNS" and is_covered(value.lower(), name.lower())])


def is_covered(pattern, name):
    """Whether a name of a certificate covers a host name; `*` matches one whole label, the first."""
    if pattern.startswith("*."):
        return name.partition(".")[2] == pattern[2:] and name.partition(".")[0] != "" and "." in pattern[2:]
    return pattern == name


def packed_address(text):
    """The bytes of an IPv4 or IPv6 address, or None: the same address is written in more than one way."""
    for family in (socket.AF_INET, socket.AF_INET6):
        try:
            return socket.inet_pton(family, str(text).strip())
        except (socket.error, ValueError, UnicodeError):
            continue
    return None


class Server(object):
    """The Plumbline server: a base address, the CA to trust, a proxy by explicit setting only."""

    def __init__(self, url, state, ca_pin=None, proxy=None):
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise AgentError("The server's address must begin with https:// (or http:// inside a lab): %s" % url)
        self.scheme = parts.scheme
        self.host = str(parts.hostname)
        self.port = parts.port or (443 if parts.scheme == "https" else 80)
        self.state = state
        self.ca_pin = ca_pin
        self.proxy = str(proxy) if proxy else None

    def post(self, path, body, headers):
        """Sends one request. Returns (status, headers by lower-case name, body); raises OSError or HTTPException where no answer came."""
        connection = self._connect(self._context())
        # Native text throughout: Python 2 would otherwise try to decode the body while it joins the two.
        headers = dict((str(name), str(headers[name])) for name in headers)
        try:
            connection.request("POST", path, body, headers)
            answer = connection.getresponse()
            data = answer.read(LARGEST_ANSWER + 1)
            if len(data) > LARGEST_ANSWER:
                raise http_client.HTTPException("the answer is longer than %d bytes" % LARGEST_ANSWER)
            return answer.status, dict((name.lower(), value) for name, value in answer.getheaders()), data
        finally:
            connection.close()

    def _connect(self, trust):
        """A connection that checks against `trust`: a context, or on an old Python the file of the pinned CA."""
        host, port = self.host, self.port
        if self.proxy:
            proxy_host, _, proxy_port = self.proxy.rpartition(":")
            host, port = proxy_host or self.proxy, int(proxy_port or 3128)
        if self.scheme == "http":
            return http_client.HTTPConnection(host, port, timeout=REQUEST_SECONDS)
        if HAS_CONTEXTS:
            connection = http_client.HTTPSConnection(host, port, timeout=REQUEST_SECONDS, context=trust)
        else:
            connection = PlainTls(host, port, self.host, trust)
        if self.proxy:
            # The name of 2.6.
            tunnel = getattr(connection, "set_tunnel", None) or getattr(connection, "_set_tunnel", None)
            if tunnel is None:
                raise AgentError("This Python cannot send through a proxy; use collection over SSH for this host.")
            tunnel(self.host, self.port)
        return connection

    def _context(self):
        """Certificate and name are always checked: against the pinned CA where there is one, else against the system's."""
        if self.scheme == "http":
            return None
        if ssl is None:
            raise AgentError("This Python cannot check certificates; use collection over SSH for this host.")
        path = os.path.join(self.state, "ca.pem")
        if self.ca_pin:
            if not self._is_pinned(read_text(path)):
                write_atomically(path, as_bytes(self._fetch_ca()))
            return ssl.create_default_context(cafile=path) if HAS_CONTEXTS else path
        if not HAS_CONTEXTS:
            raise AgentError("This Python knows no certificates of its own: enrol again with --ca-pin and the server's fingerprint.")
        return ssl.create_default_context()

    def _is_pinned(self, pem):
        return bool(pem) and fingerprint(pem) == plain_pin(self.ca_pin)

    def _fetch_ca(self):
        """The CA certificate with the pinned fingerprint, from what the server shows. Nothing is sent before it is found."""
        for pem in self._shown_certificates():
            if self._is_pinned(pem):
                return pem
        raise AgentError("No certificate that %s shows has the pinned fingerprint; nothing was sent." % self.host)

    def _shown_certificates(self):
        # The ssl module shows the whole chain only in new Pythons; ESXi has the openssl command.
        words = ["openssl", "s_client", "-showcerts", "-servername", self.host, "-connect", "%s:%d" % (self.host, self.port)]
        if self.proxy:
            words += ["-proxy", self.proxy]
        _, out, _, _ = Commands(REQUEST_SECONDS).run(words, monotonic() + REQUEST_SECONDS)
        listed = re.findall(u"-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----", clean(out)[0], re.S)
        if any(self._is_pinned(pem) for pem in listed):
            return listed
        trust = None
        if HAS_CONTEXTS:
            trust = ssl.create_default_context()
            trust.check_hostname = False
            trust.verify_mode = ssl.CERT_NONE
        try:
            connection = self._connect(trust)
            connection.connect()
            chain = getattr(connection.sock, "get_unverified_chain", None)
            for der in chain() if chain else [connection.sock.getpeercert(True)]:
                listed.append(as_text(ssl.DER_cert_to_PEM_cert(der)))
            connection.close()
        except (OSError, IOError, http_client.HTTPException) as error:
            raise AgentError(u"%s:%d cannot be reached: %s" % (self.host, self.port, words_of(error)))
        return listed


def fingerprint(pem):
    """SHA-256 of a certificate's DER form, or None where it is none."""
    try:
        return sha256(ssl.PEM_cert_to_DER_cert(str(pem) + "\n"))
    except Exception:  # Every Python has its own error for a text that is no certificate.
        return None


def plain_pin(pin):
    return re.sub(r"[^0-9a-f]", "", pin.lower().replace("sha256", "", 1))


class Agent(object):
    """An enrolled host: sends what waits in the spool and does what the answers say."""

    def __init__(self, state, boot, pace=PACE_SECONDS):
        self.state = state
        self.settings_path = os.path.join(state, "agent.json")
        self.settings = read_json(self.settings_path)
        if not isinstance(self.settings, dict) or not self.settings.get("secret"):
            raise AgentError("This host is not enrolled: run `python host_agent.py --enrol URL TOKEN` first (state folder %s)." % state)
        self.spool = Spool(state)
        self.waiting = Waiting(state, boot)
        self.pace = pace
        if self.settings.get("renumber"):
            self.spool.renumber()
            self.save(renumber=False)

    def save(self, **changes):
        self.settings.update(changes)
        write_atomically(self.settings_path, as_bytes(to_json(self.settings)))

    def server(self):
        return Server(self.settings["server"], self.state, self.settings.get("ca_pin"), self.settings.get("proxy"))

    def drain(self, until):
        """Sends oldest first, one at a time, until the spool is empty or `until` is past. Returns whether it is empty."""
        sent = 0
        while True:
            left = self.waiting.left()
            if left > 0:
                if monotonic() + left > until:
                    return not self.spool.waiting()
                time.sleep(left)
            waiting = self.spool.waiting()
            if not waiting:
                return True
            if sent and self.pace > 0:
                if monotonic() + self.pace > until:
                    return False
                time.sleep(self.pace)
            is_first_try = True
            check_in = self.spool.read(waiting[0])
            if check_in is None:
                self.spool.reject(waiting[0], "the spool file is not whole")
                continue
            extra = {}
            while True:
                again = self.send(waiting[0], check_in, extra)
                if again is None or not is_first_try:
                    if again is not None:
                        self.waiting.set(backoff_seconds(self.waiting.tries))
                    break
                is_first_try = False
                extra = again
            sent += 1
            if monotonic() > until:
                return not self.spool.waiting()

    def send(self, seq, check_in, extra):
        """One request. Returns the bodies to send along in a second try ({} for none), or None when the answer has been dealt with."""
        lines = dict(check_in.bodies)
        lines.update(extra)
        body = b"\n".join([check_in.line] + [lines[name] for name in sorted(lines)]) + b"\n"
        wire = gzipped(body)
        sent_at = utc_now()
        check_in_id = random_hex(16)
        own = self.settings
        headers = {
            "Content-Type": CONTENT_TYPE,
            "Content-Encoding": "gzip",
            "User-Agent": "plumbline-agent/%s (%s)" % (VERSION, PLATFORM),
            "Plumbline-Host": own["host_id"],
            "Plumbline-Epoch": str(own["epoch"]),
            "Plumbline-Seq": str(seq),
            "Plumbline-Id": check_in_id,
            "Plumbline-Generation": str(own["generation"]),
            "Plumbline-Sent-At": sent_at,
            "Plumbline-Signature": signature(
                own["secret"], own["host_id"], own["epoch"], seq, check_in_id, own["generation"], sent_at, "gzip", wire
            ),
        }
        try:
            status, answered, data = self.server().post(CHECK_IN_PATH, wire, headers)
        except (OSError, IOError, http_client.HTTPException, ValueError) as error:
            log("no answer from %s: %s" % (own["server"], words_of(error)))
            self.waiting.set(backoff_seconds(self.waiting.tries))
            return None
        try:
            answer = json.loads(as_text(data)) if data else {}
        except ValueError:
            answer = {}
        if not isinstance(answer, dict):
            answer = {}
        return self.answered(seq, check_in, lines, status, answered, answer)

    def answered(self, seq, check_in, lines, status, headers, answer):
        """What each answer of the door asks for; see `send` for what is returned."""
        if status == 200 and answer.get("seq") == seq and answer.get("digest") == check_in.digest:
            return self._accepted(seq, check_in, answer)
        if status == 409 and isinstance(answer.get("want"), list):
            return self._wanted(seq, check_in, answer["want"])
        if status == 409 and ("seq_used" in answer or answer.get("code") == "seq_used"):
            log("the server knows check-in %d with another content, or a newer epoch" % seq, is_alarm=True)
            log("enrol this host again with a token made for its id; collecting goes on until then")
            self.waiting.set(hourly_seconds())
        elif status == 401:
            log("the server refuses this host's signature; collecting goes on, next try in an hour", is_alarm=True)
            self.waiting.set(hourly_seconds())
        elif status == 403:
            log("the server says this host is retired or quarantined; next try in an hour", is_alarm=True)
            self.waiting.set(hourly_seconds())
        elif status == 413:
            largest = max(lines, key=lambda name: len(lines[name])) if lines else None
            self.spool.reject(seq, "too large (413); the next one leaves out %s" % largest, too_big=largest)
            self.waiting.clear()
        elif status == 422:
            self.spool.reject(seq, "422: %s" % first_line(as_text(u"%s" % (answer.get("detail") or answer.get("title") or u"",))))
            self.waiting.clear()
        else:
            asked = retry_after_seconds(headers.get("retry-after"), self.waiting.tries) if status in (429, 503) else None
            seconds = backoff_seconds(self.waiting.tries) if asked is None else asked
            log("the server answered %d; next try in %d s" % (status, seconds))
            self.waiting.set(seconds)
        return None

    def _accepted(self, seq, check_in, answer):
        # The new secret first: were it lost after the receipt is used up, nobody would send it again soon.
        rotated = answer.get("secret")
        if isinstance(rotated, dict):
            value, generation = rotated.get("secret") or rotated.get("value"), rotated.get("generation")
        else:
            value, generation = rotated, answer.get("generation")
        if isinstance(value, TEXT) and re.match(r"^[0-9a-f]{64}$", value):
            self.save(secret=value, generation=generation if isinstance(generation, INTEGERS) else self.settings["generation"] + 1)
        if isinstance(answer.get("next_seconds"), INTEGERS) and answer["next_seconds"] > 0:
            if self.settings.get("interval_seconds") != answer["next_seconds"]:
                self.save(interval_seconds=answer["next_seconds"])
        later = answer.get("want_later")
        later = [later] if isinstance(later, TEXT) else later
        if isinstance(later, list) and later:
            counts = self.spool.counts()
            counts["want"] = sorted(set(counts["want"]) | set(name for name in later if isinstance(name, TEXT)))
            self.spool.write_counts(counts)
        self.spool.confirm(seq, check_in)
        self.waiting.clear()
        return None

    def _wanted(self, seq, check_in, wanted):
        extra = {}
        for item in wanted:
            name, body = self.spool.body_for(check_in, item)
            if body is None:
                self.spool.reject(seq, "the server wants a body that is no longer here: %s" % item)
                # It would ask again for the sections it does not know: they go along whole from now on.
                confirmed = dict((key, value) for key, value in self.spool.confirmed().items() if key not in (name, item) and value != item)
                write_atomically(os.path.join(self.state, "confirmed.json"), as_bytes(to_json(confirmed)))
                return None
            extra[name] = body
        return extra


# --- Enrolment ------------------------------------------------------------------------------------------------------------------------


def enrol(state, url, token, ca_pin, proxy, name):
    """Exchanges a token for this host's id and secret. The nonce is on disk first, so that a lost answer burns no token."""
    make_folder(state)
    pending_path = os.path.join(state, "enrolment.json")
    pending = read_json(pending_path) or {}
    token_hash = sha256(as_bytes(as_text(token)))
    if pending.get("token_sha256") != token_hash:
        pending = {"token_sha256": token_hash, "nonce": random_hex(16)}
        write_atomically(pending_path, as_bytes(to_json(pending)))
    request = Pairs(
        [
            ("token", as_text(token)),
            ("nonce", pending["nonce"]),
            ("name", as_text(name)),
            ("platform", PLATFORM),
            ("agent_version", VERSION),
        ]
    )
    server = Server(url, state, ca_pin, proxy)
    try:
        status, _, data = server.post(ENROL_PATH, as_bytes(to_json(request)), {"Content-Type": "application/json"})
    except (OSError, IOError, http_client.HTTPException) as error:
        sentence = u"%s cannot be reached: %s. Run the same command again: the token is not used up."
        raise AgentError(sentence % (as_text(url), words_of(error)))
    try:
        answer = json.loads(as_text(data))
    except ValueError:
        answer = {}
    if status != 200 or not isinstance(answer, dict):
        said = answer.get("detail") or answer.get("title") if isinstance(answer, dict) else None
        raise AgentError("Enrolment was refused (%d): %s" % (status, said or "no reason given"))
    if not re.match(r"^[0-9a-f]{64}$", u"%s" % answer.get("secret")) or not answer.get("host_id"):
        raise AgentError("The enrolment answer is not understood.")
    old = read_json(os.path.join(state, "agent.json")) or {}
    settings = {
        "server": url,
        "ca_pin": ca_pin,
        "proxy": proxy,
        "host_id": answer["host_id"],
        "secret": answer["secret"],
        "epoch": answer.get("epoch", 1),
        "generation": answer.get("generation", 1),
        "interval_seconds": answer.get("interval_seconds") or 900,
        "renumber": (old.get("host_id"), old.get("epoch")) != (answer["host_id"], answer.get("epoch", 1)),
    }
    if settings["renumber"]:
        # Another identity: the server holds none of the bodies under it.
        remove(os.path.join(state, "confirmed.json"))
        remove(os.path.join(state, "retry.json"))
    write_atomically(os.path.join(state, "agent.json"), as_bytes(to_json(settings)))
    remove(pending_path)
    return settings, answer.get("state") or "active"


def schedule_help(state, settings):
    """The cron line of this host, and how ESXi keeps it."""
    interval = max(300, settings.get("interval_seconds") or 900)
    minutes = max(1, min(60, interval // 60))
    phase = phase_seconds(settings["host_id"], minutes * 60)
    listed = ",".join(str(minute) for minute in range(60) if minute % minutes == phase // 60 % minutes)
    script = os.path.abspath(globals().get("__file__") or "host_agent.py")
    line = "%s * * * * sleep %d; /bin/python %s --state %s >/dev/null 2>&1" % (listed, phase % 60, script, os.path.abspath(state))
    return "\n".join(
        [
            "Cron line (this host's own place within the interval):",
            "  " + line,
            "",
            "ESXi forgets its crontab at a restart. Put these lines before `exit 0` in /etc/rc.local.d/local.sh",
            "(it does not run under UEFI Secure Boot: use collection over SSH there):",
            "  /bin/kill $(cat /var/run/crond.pid)",
            "  /bin/echo '%s' >> /var/spool/cron/crontabs/root" % line,
            "  /bin/crond",
            "Run the same three lines once now. To take the agent away, remove them, and the folders of the agent and of its state.",
        ]
    )


# --- Starting -------------------------------------------------------------------------------------------------------------------------


def shown(check_in):
    """A check-in for people to read."""
    parts = [u"envelope: " + as_text(json.dumps(json.loads(as_text(check_in.line)), indent=2, sort_keys=True))]
    for name in sorted(check_in.bodies):
        parts.append(u"section %s:" % name)
        document = json.loads(as_text(check_in.bodies[name]))
        for command in sorted(document):
            entry = document[command]
            parts.append(u"  %s [%s, %s]" % (command, entry["status"], entry.get("error") or entry["format"]))
            parts.extend(u"    " + line for line in entry["output"].split(u"\n") if line.strip())
    return u"\n".join(parts) + u"\n"


def parse_arguments(arguments):
    """Our own small reader: the same on every Python, and it never guesses an abbreviation."""
    options = {
        "mode": "run",
        "state": None,
        "run_folder": None,
        "want": None,
        "ca_pin": None,
        "proxy": None,
        "name": None,
        "url": None,
        "token": None,
        "watch_seconds": 0,
        "command_seconds": COMMAND_SECONDS,
        "pace_seconds": PACE_SECONDS,
    }
    values = {
        "--state": "state",
        "--run-folder": "run_folder",
        "--want": "want",
        "--ca-pin": "ca_pin",
        "--proxy": "proxy",
        "--name": "name",
        "--command-seconds": "command_seconds",
        "--pace-seconds": "pace_seconds",
    }
    modes = {"--once": "once", "--show": "show", "--collect-only": "collect", "--schedule": "schedule", "--help": "help", "-h": "help"}
    words = list(arguments)
    while words:
        word = words.pop(0)
        name, equals, value = word.partition("=")
        if word in modes:
            options["mode"] = modes[word]
        elif word == "--enrol":
            options["mode"] = "enrol"
            if len(words) < 2:
                raise ValueError("--enrol needs the server's address and a token")
            options["url"], options["token"] = words.pop(0), words.pop(0)
        elif word == "--watch":
            options["mode"] = "watch"
            if not words:
                raise ValueError("--watch needs the number of seconds")
            options["watch_seconds"] = words.pop(0)
        elif name in values:
            if not equals:
                if not words:
                    raise ValueError("%s needs a value" % name)
                value = words.pop(0)
            options[values[name]] = value
        else:
            raise ValueError("unknown option: %s" % word)
    for name in ("command_seconds", "pace_seconds", "watch_seconds"):
        options[name] = float(options[name])
    return options


def main(arguments):
    try:
        options = parse_arguments(arguments)
    except ValueError as error:
        write_out(as_bytes(u"plumbline: %s (see --help)\n" % words_of(error)), sys.stderr)
        return 2
    if options["mode"] == "help":
        print(__doc__)
        return 0
    if hasattr(os, "nice"):
        try:
            os.nice(10)
        except OSError:
            pass
    commands = Commands(options["command_seconds"])
    if options["mode"] == "watch":
        return watch(commands, options["watch_seconds"])
    state = options["state"] or os.path.join(here() or ".", "state")
    if options["mode"] in ("collect", "show"):
        check_in = collect(commands, state=state if os.path.isdir(state) else None)
        if options["mode"] == "show":
            write_out(as_bytes(shown(check_in)))
            return 0
        wanted = None if options["want"] is None else [name for name in options["want"].split(",") if name]
        lines = [check_in.bodies[name] for name, _ in SECTIONS if name in check_in.bodies and (wanted is None or name in wanted)]
        write_out(b"\n".join([check_in.line] + lines) + b"\n")
        return 0
    run_folder = options["run_folder"] or default_run_folder()
    try:
        make_folder(state)
        make_folder(run_folder)
        LOG_FOLDER[0] = state
        if options["mode"] == "enrol":
            name = argument_text(options["name"] or socket.gethostname())
            settings, said = enrol(state, options["url"], options["token"], options["ca_pin"], options["proxy"], name)
            print("Enrolled as %s (%s)." % (settings["host_id"], said))
            print(schedule_help(state, settings))
            return 0
        if options["mode"] == "schedule":
            print(schedule_help(state, Agent(state, "").settings))
            return 0
        lock = Lock(run_folder, state)
        if not lock.take():
            print("plumbline: another instance is at work", file=sys.stderr)
            return 4
        return run(state, run_folder, commands, options)
    except AgentError as error:
        log(words_of(error))
        return 1
    except (OSError, IOError) as error:
        log("cannot go on: %s" % words_of(error))
        return 1


def run(state, run_folder, commands, options):
    """One round: collect, spool, send. The run that cron starts keeps trying for four fifths of the interval."""
    began = monotonic()
    boot = boot_name(run_folder)
    agent = Agent(state, boot, options["pace_seconds"])
    counts = agent.spool.counts()
    check_in = collect(commands, boot, counts["rejected"], counts["thinned"], counts["too_big"], state)
    agent.spool.add(check_in)
    interval = agent.settings.get("interval_seconds") or 900
    until = monotonic() if options["mode"] == "once" else began + 0.8 * interval
    if options["mode"] == "once":
        # One try: whatever waits is sent at its pace, and a wait that an answer asks for ends the run.
        until = monotonic() + (agent.pace + REQUEST_SECONDS) * len(agent.spool.waiting()) if agent.waiting.left() <= 0 else monotonic()
        is_empty = drain_once(agent, until)
    else:
        is_empty = agent.drain(until)
    return 0 if is_empty else 3


def drain_once(agent, until):
    """Like `drain`, but never makes a second try: however short the wait that was drawn and however slow the disk, the next call does."""
    while monotonic() <= until and agent.waiting.left() <= 0:
        if not agent.spool.waiting():
            return True
        tries = agent.waiting.tries
        agent.drain(monotonic())
        if agent.waiting.tries > tries:
            break
        if agent.spool.waiting() and agent.pace > 0:
            time.sleep(agent.pace)
    return not agent.spool.waiting()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
