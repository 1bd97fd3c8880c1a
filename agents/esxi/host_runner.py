#!/bin/python
# -*- coding: utf-8 -*-
"""Plumbline's runner for VMware ESXi: carries out one step of an approved plan, or undoes it, and leaves a receipt.

One file, standard library only, for Python 2.6, 2.7 and 3. It reads one request (agents/schema/runner.schema.json) from standard input
and prints one answer. It knows a closed list of settings (agents/schema/runner-settings.yaml, part esxi); nothing that arrives is ever
run, only compared with strict patterns and handed to a command as one argument.

What keeps a host safe, whoever asks, however often, however late:
  fence      the highest (generation, attempt) seen; anything lower is refused, also between two settings of one step
  boot       a request is good for one boot and up to one uptime
  compare    each value must read as the plan saw it, or as it shall be: before anything is set, and again right before each set
  paths      right before each set that drops traffic, every target must keep a session over another uplink with link; unknown is a no
  receipt    written and flushed before the first set and after the last one
  mutex      one change at a time on this host
  dead-man   two processes that watch each other and set everything back unless a confirm comes in time

  python host_runner.py < request      one request, one answer; `begin` and `revert` go on in a process of their own
  python host_runner.py --place        print where on this host a runner may live: a local datastore, else /etc
  python host_runner.py --version

Files, in `state/runner` beside this file (never on a datastore that is reached over the SAN): `fence.json`, `armed.json`, `last.json`
and `receipts/`. On the RAM disk: the mutex, and a copy of `last.json` that every collection finds. A file `observe-only` beside this one
makes every change answer "refused by the host's owner".
Exit code: 0 with an answer, 2 wrong use. The answer counts, never the exit code.
"""

from __future__ import division, print_function

import errno
import hashlib
import json
import os
import re
import select
import signal
import subprocess
import sys
import threading
import time
import xml.etree.ElementTree as ElementTree
from xml.parsers import expat

# --- Old and new Pythons: the only place that knows of them ---------------------------------------------------------------------------

try:
    import fcntl
except ImportError:
    fcntl = None

IS_3 = sys.version_info[0] >= 3
TEXT = type(u"")
INTEGERS = (int,) if IS_3 else (int, long)  # noqa: F821 (Python 2 only)


def uptime():
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


# 2.6 lets the parser's own error through.
XmlError = getattr(ElementTree, "ParseError", expat.ExpatError)


def every_node(root):
    """A node and all below it; 2.6 has only the older name."""
    return root.iter() if hasattr(root, "iter") else root.getiterator()


def standard_input():
    return getattr(sys.stdin, "buffer", sys.stdin)


def own_session():
    """Arguments of Popen that give a child its own process group, so that a hung one is killed with all it started."""
    return {"start_new_session": True} if IS_3 else {"preexec_fn": os.setsid}


# --- Figures --------------------------------------------------------------------------------------------------------------------------

VERSION = "1.1.0"
LARGEST_REQUEST = 65536
COMMAND_SECONDS = 20.0  # a set may wait for a driver
SLOW_COMMAND_SECONDS = 60.0  # a list of all disks takes 5 to 10 s on an ordinary host, and hosts with 64 disks and 256 LUNs exist
MUTEX_SECONDS = 10.0  # how long confirm waits for a step that is about to end
FENCE_SECONDS = 30.0  # how long a fence waits for the one setting that is being written
BEGIN_SECONDS = 90.0  # until begin's own process has compared and said so
PROBE_SECONDS = 1.0  # longer than anybody holds the mutex only to see whether it is free
POLL_SECONDS = 0.2
SETTLE_SECONDS = 30.0  # how long a step or a taking back waits, between two sets that drop traffic, until the paths of the first are back
DISK_SECONDS = 5.0  # how long the dead-man waits for a disk of its own before it goes on without
FIRST_PAUSE_SECONDS = 2.0  # between two tries of the dead-man: twice as long each time
LONGEST_PAUSE_SECONDS = 60.0
LATE_SECONDS = 60.0  # how long it looks, after a taking back, whether a write lands that was on its way
LATE_POLL_SECONDS = 5.0
MOST_UNDO_CUTS = 3  # how often the dead-man sets back one setting that drops traffic
LEFTOVER_SECONDS = 3600.0  # age from which a temporary file of ours was left by a process that was ended
LOOKS = 3  # at a file of ours that is damaged or missing, before it is believed
RECEIPTS_KEPT = 200

SLOW_COMMANDS = (("storage", "core", "device", "list"), ("storage", "core", "path", "list"), ("storage", "nmp", "device", "list"))

VERBS = ("fence", "read", "begin", "confirm", "receipt", "revert")
FIELDS = ("v", "verb", "host_id", "job_id", "op_id", "nonce", "gen", "attempt", "boot_id", "not_after_uptime_s", "step", "restart")
FIELDS += ("deadman_s", "health_floor")
FIGURES = ("sessions", "paths_healthy", "least_paths", "volumes", "adapters_up")
ID = re.compile(r"\A[0-9a-f]{16,64}\Z")
BOOT = re.compile(r"\A[0-9a-f]{32}\Z")
OWNER = "refused by the host's owner"


class Refused(Exception):
    """The request is not carried out; `reason` is a word of the schema."""

    def __init__(self, reason, sentence):
        Exception.__init__(self, sentence)
        self.reason = reason
        self.sentence = sentence


class Unreadable(Exception):
    """A setting that cannot be read now; the message says why."""


# --- Commands and what they say -------------------------------------------------------------------------------------------------------


class Commands(object):
    """Starts esxcli, each call with its own time limit."""

    def __init__(self):
        self.environment = dict(os.environ)
        search = os.environ.get("PLUMBLINE_PATH")
        if not search:
            # Over SSH and from a detached process the PATH may be short.
            parts = [part for part in os.environ.get("PATH", "").split(":") if part]
            search = ":".join(parts + [part for part in ("/bin", "/sbin", "/usr/bin", "/usr/sbin") if part not in parts])
        self.environment["PATH"] = search
        self.folders = search.split(":")
        self.kept = {}

    def find(self, name):
        for folder in self.folders:
            path = os.path.join(folder, name)
            if os.path.isfile(path) and os.access(path, os.X_OK):
                return path
        return None

    def run(self, words, seconds=COMMAND_SECONDS):
        """Runs one command, its arguments as UTF-8 in every locale. Returns (exit code or None, output text)."""
        path = self.find(words[0])
        if path is None:
            return None, u"no such command: %s" % words[0]
        with open(os.devnull, "rb") as nothing:
            try:
                child = subprocess.Popen(
                    [as_bytes(word) for word in [path] + list(words[1:])],
                    stdin=nothing,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.STDOUT,
                    env=self.environment,
                    close_fds=True,
                    **own_session()
                )
            except (OSError, ValueError) as error:
                return None, u"%s cannot be started: %s" % (words[0], words_of(error))
        said = []
        reader = threading.Thread(target=lambda: said.append(child.communicate()[0]))
        reader.daemon = True
        reader.start()
        reader.join(seconds)
        if reader.is_alive():
            try:
                os.killpg(child.pid, signal.SIGKILL)
            except OSError:
                pass
            return None, u"no answer within %g s" % seconds
        return child.returncode, as_text(said[0] if said else b"")

    def rows(self, *words):
        """The structures of a list or get command, as dictionaries of text. Raises Unreadable. Kept until `forget`."""
        if words not in self.kept:
            self.kept[words] = self._rows(words)
        return self.kept[words]

    def forget(self):
        """What was read before something was set is no longer true."""
        self.kept = {}

    def _rows(self, words):
        seconds = SLOW_COMMAND_SECONDS if tuple(words[:4]) in SLOW_COMMANDS else COMMAND_SECONDS
        code, said = self.run(["esxcli", "--formatter=xml"] + list(words), seconds)
        command = u"esxcli " + u" ".join(as_text(word) for word in words)
        if code != 0:
            raise Unreadable("%s: %s" % (command, first_line(said)))
        try:
            root = ElementTree.fromstring(as_bytes(said.strip()))
        except XmlError as error:
            raise Unreadable("%s: an answer that is no XML (%s)" % (command, words_of(error)))
        return [_fields(node) for node in every_node(root) if plain(node.tag) == "structure"]


def plain(tag):
    """A tag without its namespace."""
    return tag.rsplit("}", 1)[-1]


def _fields(structure):
    found = {}
    for field in structure:
        for leaf in field:
            if plain(leaf.tag) != "structure":
                found[field.get("name")] = u", ".join(part.text or u"" for part in leaf) if len(leaf) else (leaf.text or u"").strip()
    return found


def first_line(text):
    for line in as_text(text).splitlines():
        if line.strip():
            return line.strip()[:300]
    return u"no message"


# --- What can be set: the closed list ---------------------------------------------------------------------------------------------------


def _one(rows, field, name, what):
    found = [row for row in rows if row.get(field) == name]
    if len(found) != 1:
        raise Unreadable("%s: %d of that name on this host" % (what, len(found)))
    return found[0]


def _value(row, field, what):
    value = row.get(field)
    if value is None or value == u"":
        raise Unreadable("%s: the host does not say %s" % (what, field))
    return value


def adapter_name(commands, identity):
    """The vmnic of a permanent MAC (without separators) or a PCI location. Raises Unreadable."""
    found = []
    for row in commands.rows("network", "nic", "list"):
        mac = re.sub(u"[^0-9a-f]", u"", row.get("MACAddress", u"").lower())
        place = re.sub(u"^([0-9a-f]{4}):0?([0-9a-f]{2}:)", u"\\1:\\2", row.get("PCIDevice", u"").lower())
        if identity in (mac, place):
            found.append(row["Name"])
    if len(found) != 1:
        raise Unreadable("adapter %s: %d of that id on this host" % (identity, len(found)))
    if not re.match(r"\Avmnic[0-9]{1,7}\Z", found[0]):
        raise Unreadable("adapter %s: %r is no uplink" % (identity, found[0]))
    return found[0]


def initiator_name(commands, identity):
    """The vmhba of an IQN or of its own name. Raises Unreadable."""
    found = []
    for row in commands.rows("iscsi", "adapter", "list"):
        name = row.get("Adapter", u"")
        if not re.match(r"\Avmhba[0-9]{1,4}\Z", name):
            continue
        names = [name, re.sub(u"^iscsi\\.", u"", row.get("UID", u""))]
        if identity not in names:
            detail = commands.rows("iscsi", "adapter", "get", "-A", name)
            names += [part.get(field) for part in detail for field in ("Name", "IscsiName")]
        if identity in names:
            found.append(name)
    if len(found) != 1:
        raise Unreadable("initiator %s: %d of that id on this host" % (identity, len(found)))
    return found[0]


def portals(commands, identity):
    """vmhba, target and portals of a target id. Raises Unreadable."""
    initiator, target = identity.split(">", 1)
    name = initiator_name(commands, initiator)
    places = []
    for row in commands.rows("iscsi", "adapter", "target", "portal", "list"):
        if row.get("Adapter") == name and row.get("Target") == target:
            places.append("%s:%s" % (_value(row, "IP", target), _value(row, "Port", target)))
    if not places:
        raise Unreadable("target %s: no portal of it on %s" % (target, name))
    return name, target, sorted(set(places))


def listed(text):
    """The names of a list as `rows` joins it, or as older releases print it."""
    return set(name for name in re.split(u"[,\\s]+", text or u"") if name)


class Cut(object):
    """What a set takes traffic from while it is made: VMkernel interfaces and uplinks, by name."""

    def __init__(self, interfaces, uplinks):
        self.interfaces = set(interfaces)
        self.uplinks = set(uplinks)


class Setting(object):
    """One kind of setting. `cut` answers None where setting it interrupts nothing, or where nothing goes over what it interrupts."""

    is_cutting = False

    def cut(self, commands, identity):
        return None

    def parts(self, commands, identity):
        """The values of what is set one by one, where a setting is of several things at once."""
        return [self.read(commands, identity)]

    def refusal(self, commands, identity, words, said):
        """What a command that failed means, in words."""
        return u"%s: %s" % (u" ".join(words), first_line(said))


class VmkMtu(Setting):
    is_cutting = True
    identity = re.compile(r"\Avmk[0-9]{1,3}\Z")
    value = re.compile(r"\A[0-9]{3,4}\Z")

    def read(self, commands, identity):
        return _value(_one(commands.rows("network", "ip", "interface", "list"), "Name", identity, identity), "MTU", identity)

    def write(self, commands, identity, value):
        return [["esxcli", "network", "ip", "interface", "set", "-i", identity, "-m", value]]

    def cut(self, commands, identity):
        return Cut([identity], uplinks_of(commands, identity))


class SwitchMtu(Setting):
    is_cutting = True
    identity = re.compile(r"\A[A-Za-z0-9][A-Za-z0-9_.-]{0,63}\Z")
    value = re.compile(r"\A[0-9]{3,4}\Z")

    def read(self, commands, identity):
        return _value(_one(commands.rows("network", "vswitch", "standard", "list"), "Name", identity, identity), "MTU", identity)

    def write(self, commands, identity, value):
        return [["esxcli", "network", "vswitch", "standard", "set", "-v", identity, "-m", value]]

    def cut(self, commands, identity):
        uplinks = listed(_one(commands.rows("network", "vswitch", "standard", "list"), "Name", identity, identity).get("Uplinks"))
        interfaces = [row.get("Name") for row in commands.rows("network", "ip", "interface", "list") if row.get("Portset") == identity]
        return Cut(interfaces, uplinks) if uplinks & linked_uplinks(commands) else None


ADAPTER = re.compile(r"\A(?:[0-9a-f]{12}|[0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-9a-f])\Z")


NOT_SUPPORTED = re.compile(u"not supported", re.I)


class UplinkSetting(Setting):
    """A setting of a driver; the driver restarts its link to apply the setting."""

    is_cutting = True
    identity = ADAPTER

    def cut(self, commands, identity):
        name = adapter_name(commands, identity)
        return Cut([], [name]) if name in linked_uplinks(commands) else None

    def refusal(self, commands, identity, words, said):
        plainly = Setting.refusal(self, commands, identity, words, said)
        if not NOT_SUPPORTED.search(said):
            return plainly
        what = self.what + (u" (auto-negotiation among them)" if u"-a" in words else u"")
        return u"the driver of %s does not let %s be set on this release: %s" % (words[words.index("-n") + 1], what, plainly)


class Pause(UplinkSetting):
    """Auto-negotiation, receive, transmit. Only what differs is sent: some drivers refuse `-a` whatever its value.

    No release keeps what was set over a restart of the host.
    """

    what = u"pause frames"
    value = re.compile(r"\A(?:true|false),(?:true|false),(?:true|false)\Z")

    def read(self, commands, identity):
        name = adapter_name(commands, identity)
        row = _one(commands.rows("network", "nic", "pauseParams", "list"), "NIC", name, name)
        return u",".join(_value(row, field, name).lower() for field in ("AutoNegotiation", "PauseRX", "PauseTX"))

    def write(self, commands, identity, value):
        name = adapter_name(commands, identity)
        now = self.read(commands, identity).split(",")
        changed = []
        for option, wanted, is_now in zip(("-a", "-r", "-t"), value.split(","), now):
            changed += [option, wanted] if wanted != is_now else []
        return [["esxcli", "network", "nic", "pauseParams", "set", "-n", name] + changed] if changed else []


class Ring(UplinkSetting):
    what = u"the size of its rings"
    value = re.compile(r"\A[0-9]{1,6}\Z")

    def __init__(self, field, option):
        self.field = field
        self.option = option

    def read(self, commands, identity):
        name = adapter_name(commands, identity)
        try:
            rows = commands.rows("network", "nic", "ring", "current", "get", "-n", name)
        except Unreadable as error:
            if NOT_SUPPORTED.search(words_of(error)):
                raise Unreadable("the driver of %s does not show the size of its rings: %s" % (name, words_of(error)))
            raise
        if len(rows) != 1:
            raise Unreadable("%s: no ring is shown" % name)
        return _value(rows[0], self.field, name)

    def write(self, commands, identity, value):
        name = adapter_name(commands, identity)
        return [["esxcli", "network", "nic", "ring", "current", "set", "-n", name, self.option, value]]


INITIATOR = r"(?:(?:iqn|eui|naa)\.[A-Za-z0-9.:_-]{1,220}|vmhba[0-9]{1,3})"


class InitiatorParameter(Setting):
    identity = re.compile(r"\A" + INITIATOR + r"\Z")

    def __init__(self, name, value):
        self.name = name
        self.value = re.compile(r"\A(?:" + value + r")\Z")

    def read(self, commands, identity):
        name = initiator_name(commands, identity)
        rows = commands.rows("iscsi", "adapter", "param", "get", "-A", name)
        return _value(_one(rows, "Name", self.name, name), "Current", name)

    def write(self, commands, identity, value):
        name = initiator_name(commands, identity)
        return [["esxcli", "iscsi", "adapter", "param", "set", "-A", name, "-k", self.name, "-v", value]]


DIFFERS = u"differs"


class TargetParameter(Setting):
    """Of every portal of a target; portals that differ read as `differs`, which nothing may be set from."""

    identity = re.compile(r"\A" + INITIATOR + r">(?:iqn|eui|naa)\.[A-Za-z0-9.:_-]{1,220}\Z")

    def __init__(self, name, value):
        self.name = name
        self.value = re.compile(r"\A(?:inherit|" + value + r")\Z")

    def parts(self, commands, identity):
        name, target, places = portals(commands, identity)
        found = []
        for place in places:
            rows = commands.rows("iscsi", "adapter", "target", "portal", "param", "get", "-A", name, "-a", place, "-n", target)
            row = _one(rows, "Name", self.name, target)
            inherits = _value(row, "Inherit", target).lower() == "true"
            found.append(u"inherit" if inherits else _value(row, "Current", target))
        return found

    def read(self, commands, identity):
        found = set(self.parts(commands, identity))
        return found.pop() if len(found) == 1 else DIFFERS

    def write(self, commands, identity, value):
        name, target, places = portals(commands, identity)
        head = ["esxcli", "iscsi", "adapter", "target", "portal", "param", "set"]
        tail = ["-I"] if value == "inherit" else ["-v", value]
        return [head + ["-A", name, "-a", place, "-n", target, "-k", self.name] + tail for place in places]


class Advanced(Setting):
    identity = re.compile(r"\A\Z")
    value = re.compile(r"\A[01]\Z")

    def __init__(self, option):
        self.option = option

    def read(self, commands, identity):
        rows = commands.rows("system", "settings", "advanced", "list", "-o", self.option)
        return _value(_one(rows, "Path", self.option, self.option), "IntValue", self.option)

    def write(self, commands, identity, value):
        return [["esxcli", "system", "settings", "advanced", "set", "-o", self.option, "-i", value]]


VOLUME = re.compile(r"\A(?:naa|eui|t10)\.[A-Za-z0-9._-]{1,120}\Z")


class PathPolicy(Setting):
    identity = VOLUME
    value = re.compile(r"\A(?:VMW_PSP_RR|VMW_PSP_MRU|VMW_PSP_FIXED|DELL_PSP_EQL_ROUTED)\Z")

    def read(self, commands, identity):
        row = _one(commands.rows("storage", "nmp", "device", "list"), "Device", identity, identity)
        return _value(row, "PathSelectionPolicy", identity)

    def write(self, commands, identity, value):
        return [["esxcli", "storage", "nmp", "device", "set", "-d", identity, "-P", value]]


class RoundRobinLimit(Setting):
    identity = VOLUME
    value = re.compile(r"\A[0-9]{1,5}\Z")

    def read(self, commands, identity):
        rows = commands.rows("storage", "nmp", "psp", "roundrobin", "deviceconfig", "get", "-d", identity)
        return _value(_one(rows, "Device", identity, identity), "IOOperationLimit", identity)

    def write(self, commands, identity, value):
        return [["esxcli", "storage", "nmp", "psp", "roundrobin", "deviceconfig", "set", "-d", identity, "-t", "iops", "-I", value]]


SETTINGS = {
    "vnic.mtu": VmkMtu(),
    "vswitch.mtu": SwitchMtu(),
    "adapter.flow_control": Pause(),
    "adapter.receive_buffers": Ring("RX", "-r"),
    "adapter.transmit_buffers": Ring("TX", "-t"),
    "initiator.delayed_ack": InitiatorParameter("DelayedAck", "true|false"),
    "initiator.login_timeout_seconds": InitiatorParameter("LoginTimeout", "[0-9]{1,3}"),
    "target.delayed_ack": TargetParameter("DelayedAck", "true|false"),
    "target.login_timeout_seconds": TargetParameter("LoginTimeout", "[0-9]{1,3}"),
    "host.net.lro": Advanced("/Net/TcpipDefLROEnabled"),
    "host.net.hw_tso": Advanced("/Net/UseHwTSO"),
    "host.net.hw_tso6": Advanced("/Net/UseHwTSO6"),
    "volume.policy": PathPolicy(),
    "volume.round_robin_iops": RoundRobinLimit(),
}


def known_setting(address):
    """(how, id) of an address `kind/id/key`. Raises Refused."""
    parts = address.split("/") if isinstance(address, TEXT) else []
    if len(parts) != 3:
        raise Refused("bad_request", "a setting is named kind/id/key")
    how = SETTINGS.get("%s.%s" % (parts[0], parts[2]))
    if how is None:
        raise Refused("not_allowed", "%s/.../%s is not among the settings that a runner changes on ESXi" % (parts[0][:40], parts[2][:80]))
    identity = re.sub(r"%([0-7][0-9A-Fa-f])", lambda found: chr(int(found.group(1), 16)), parts[1])
    if not how.identity.match(identity):
        raise Refused("bad_request", "the id of %s/.../%s is not one that this host could have" % (parts[0], parts[2]))
    return how, identity


def read_setting(commands, address):
    how, identity = known_setting(address)
    return as_text(how.read(commands, identity))


def write_setting(commands, address, value, before):
    """Sets one value. Answers a sentence where a command failed, else None; the value that reads afterwards decides, not this.

    Where it takes several commands and one fails, those before it are put back to `before`, so that no half of it stays.
    """
    how, identity = known_setting(address)
    try:
        every = how.write(commands, identity, value)
        for at, words in enumerate(every):
            code, said = commands.run(words)
            if code == 0:
                continue
            fault = how.refusal(commands, identity, words, said)
            if at > 0 and before != DIFFERS:
                codes = [commands.run(others)[0] for others in how.write(commands, identity, before)[:at]]
                is_back = not [code for code in codes if code != 0]
                fault += u"; the other portals were put back" if is_back else u"; and the other portals could not be put back"
            return fault
        return None
    finally:
        commands.forget()


# --- Health ---------------------------------------------------------------------------------------------------------------------------


def health(commands):
    """The figures that may not fall. One that cannot be read is None, and so are those that rest on it."""
    found = dict((name, None) for name in FIGURES)
    try:
        found["sessions"] = len(commands.rows("iscsi", "session", "list"))
    except Unreadable:
        pass
    try:
        volumes = {}
        for row in commands.rows("storage", "core", "path", "list"):
            if row.get("Transport") == "iscsi":
                volumes.setdefault(row.get("Device"), []).append(row.get("State") == "active")
        if not volumes and found["sessions"] != 0:
            raise Unreadable("there are sessions, or they cannot be read, and no path of any is shown")
        counts = [sum(states) for states in volumes.values()]
        found["paths_healthy"] = sum(counts)
        found["least_paths"] = min(counts) if counts else 0
        found["volumes"] = len([count for count in counts if count])
    except Unreadable:
        pass
    try:
        rows = commands.rows("network", "nic", "list")
        found["adapters_up"] = len([row for row in rows if row.get("LinkStatus", row.get("Link", u"")).strip() == "Up"])
    except Unreadable:
        pass
    return found


def below(floor, found):
    """What is under the floor, as a sentence; None where nothing is. What cannot be read is under every floor."""
    for name in FIGURES:
        if name in floor and (found[name] is None or found[name] < floor[name]):
            return "%s: %s, and %d are asked for" % (name, "unknown" if found[name] is None else found[name], floor[name])
    return None


# --- Which uplink carries a session -----------------------------------------------------------------------------------------------------


def linked_uplinks(commands):
    """Names of the uplinks with link. Raises Unreadable."""
    rows = commands.rows("network", "nic", "list")
    return set(row.get("Name") for row in rows if row.get("LinkStatus", row.get("Link", u"")).strip() == "Up")


def uplinks_of(commands, interface):
    """The uplinks with link that carry a VMkernel interface now. Raises Unreadable.

    A port binding names the adapter itself by its MAC, also on a distributed switch. Else the teaming of the port group names the
    adapters: its active ones, and where none of them has link the standby ones.
    """
    linked = linked_uplinks(commands)
    macs = dict((row.get("MACAddress", u"").lower(), row.get("Name")) for row in commands.rows("network", "nic", "list"))
    for row in commands.rows("iscsi", "networkportal", "list"):
        bound = macs.get(row.get("MACAddress", u"").lower()) if row.get("Vmknic") == interface else None
        if bound is not None:
            return set((bound,)) & linked
    group = _one(commands.rows("network", "ip", "interface", "list"), "Name", interface, interface).get("Portgroup", u"")
    if group in (u"", u"N/A"):
        raise Unreadable("%s is on a distributed switch, and no port binding says over which adapter" % interface)
    rows = commands.rows("network", "vswitch", "standard", "portgroup", "policy", "failover", "get", "-p", group)
    if len(rows) != 1 or "ActiveAdapters" not in rows[0]:
        raise Unreadable("port group %s: the host does not say which adapters carry it" % group)
    return listed(rows[0]["ActiveAdapters"]) & linked or listed(rows[0].get("StandbyAdapters")) & linked


def interfaces_by_address(commands, addresses):
    """Address -> VMkernel interface, of both families where the sessions use both. Raises Unreadable."""
    found = dict((row.get("IPv4Address"), row.get("Name")) for row in commands.rows("network", "ip", "interface", "ipv4", "get"))
    if [address for address in addresses if u":" in address]:
        for row in commands.rows("network", "ip", "interface", "ipv6", "address", "list"):
            found[row.get("Address", u"").split(u"/")[0].lower()] = row.get("Interface")
    return found


def last_path_of(commands, cut):
    """A target that would keep no session over another uplink with link; None where each keeps one. Raises Unreadable."""
    connections = [row for row in commands.rows("iscsi", "session", "connection", "list") if row.get("State") == "logged_in"]
    rows = commands.rows("iscsi", "session", "list")
    targets = set(_value(row, "Target", "a session") for row in rows + connections)
    addresses = [row.get("LocalAddress", u"").split(u"%")[0].lower() for row in connections]
    interfaces = interfaces_by_address(commands, addresses) if connections else {}
    kept, unclear = set(), {}
    for row, address in zip(connections, addresses):
        name = interfaces.get(address)
        try:
            if name is None:
                raise Unreadable("no VMkernel interface has the address %s of a session" % (address or u"that is not shown"))
            over = uplinks_of(commands, name)
        except Unreadable as error:
            unclear[row["Target"]] = words_of(error)
            continue
        if name not in cut.interfaces and over and not over & cut.uplinks:
            kept.add(row["Target"])
    for target in sorted(targets - kept):
        if target in unclear:
            raise Unreadable("%s (%s)" % (unclear[target], target))
        return target
    return None


def stop_fault(commands, address, floor):
    """Why a setting may not be set now: too few paths, or a last one would go. None where it may. What cannot be read is a no.

    `floor` is None where values are taken back: there may be fewer paths already, and the rule that stays is that the last is not taken.
    """
    how, identity = known_setting(address)
    if not how.is_cutting:
        return None
    try:
        cut = how.cut(commands, identity)
        if cut is None:
            return None
        under = below(floor, health(commands)) if floor else None
        if under:
            return under
        target = last_path_of(commands, cut)
    except Unreadable as error:
        return u"the paths over it cannot be told: %s" % words_of(error)
    return None if target is None else u"it would take the last path of %s" % target


# --- Files of our own -----------------------------------------------------------------------------------------------------------------


def make_folder(path):
    if not os.path.isdir(path):
        try:
            os.makedirs(path, 0o700)
        except OSError as error:
            if error.errno != errno.EEXIST:
                raise


def write_atomically(path, document):
    """Write to a temporary file, flush it to disk, rename: after a power cut there is the old file or the new, never a half."""
    data = as_bytes(json.dumps(document, sort_keys=True))
    temporary = "%s.%d.tmp" % (path, os.getpid())
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        try:
            while data:
                data = data[os.write(handle, data) :]
            os.fsync(handle)
        finally:
            os.close(handle)
        os.rename(temporary, path)
    except (OSError, IOError):
        remove_leftover(temporary)  # half a file on a full disk
        raise
    try:
        folder = os.open(os.path.dirname(path), os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(folder)
    except OSError:
        pass  # VMFS and FAT do not offer this for folders; the rename itself is what must be whole.
    finally:
        os.close(folder)


def remove_leftover(path):
    try:
        os.remove(path)
    except OSError:
        pass  # that it stays for a while is no harm


def remove_leftovers(folder):
    """Temporary files of processes that were ended while they wrote."""
    try:
        for name in os.listdir(folder):
            path = os.path.join(folder, name)
            if name.endswith(".tmp") and time.time() - os.stat(path).st_mtime > LEFTOVER_SECONDS:
                remove_leftover(path)
    except OSError:
        pass


def read_json(path):
    """A file of ours; None where there is none. A damaged one is an error: its loss must never look like a fresh start."""
    for look in range(LOOKS):
        try:
            with open(path, "rb") as stream:
                text = as_text(stream.read())
        except (OSError, IOError) as error:
            if error.errno == errno.ENOENT:
                return None
            raise
        try:
            found = json.loads(text)
        except ValueError:
            found = None
        if isinstance(found, dict):
            return found
        time.sleep(0.1 if look + 1 < LOOKS else 0)
    raise Refused("failed", "%s is damaged: a person has to look" % path)


BUSY_ERRORS = (errno.EAGAIN, errno.EACCES, errno.EINTR)


class Lock(object):
    """A lock between processes that ends with its holder. The lock is on the RAM disk, where file locks work and a boot frees them.

    The process that holds the lock has written its process id into it, so that the dead-man can end a process that hangs.
    """

    def __init__(self, path):
        self.path = path
        self.handle = None

    def take(self, seconds=0.0, is_probe=False):
        """True once it is ours; False where another process held it all the time. Raises Refused where there are no file locks."""
        handle = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600)
        end = uptime() + seconds
        while True:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                self.handle = handle
                if not is_probe:
                    self.sign(as_bytes(u"%d\n" % os.getpid()))
                return True
            except (OSError, IOError) as error:
                if error.errno not in BUSY_ERRORS:
                    os.close(handle)
                    sentence = "%s does not offer file locks (%s): nothing can be set from here, and nothing was"
                    raise Refused("failed", sentence % (os.path.dirname(self.path), words_of(error)))
            if uptime() >= end:
                os.close(handle)
                return False
            time.sleep(0.05)

    def sign(self, text):
        """Who holds it; a RAM disk that is full must not cost the lock itself."""
        try:
            os.ftruncate(self.handle, 0)
            os.lseek(self.handle, 0, os.SEEK_SET)
            os.write(self.handle, text)
        except (OSError, IOError):
            pass

    def holder(self):
        """Process id of the process that took the lock for work, None where that is not known."""
        try:
            with open(self.path, "rb") as stream:
                found = re.match(u"([0-9]{1,9})\n\\Z", as_text(stream.read(32)))
        except (OSError, IOError):
            return None
        return int(found.group(1)) if found else None

    def free(self):
        if self.handle is not None:
            self.sign(b"")
            os.close(self.handle)
            self.handle = None

    def leave(self):
        """Lets go of a copy that came with a fork; the lock stays with the process that took it."""
        if self.handle is not None:
            os.close(self.handle)
            self.handle = None


def boot_name(run_folder):
    """The boot's name: random, kept on the RAM disk, the one that the agent's check-ins carry."""
    path = os.path.join(run_folder, "boot")
    try:
        with open(path, "rb") as stream:
            known = as_text(stream.read()).strip()
        if BOOT.match(known):
            return known
    except (OSError, IOError):
        pass
    name = as_text(hashlib.sha256(os.urandom(32)).hexdigest())[:32]
    temporary = "%s.%d.tmp" % (path, os.getpid())
    with open(temporary, "wb") as stream:
        stream.write(as_bytes(name))
    try:
        os.link(temporary, path)  # whoever comes second takes the first one's name
    except OSError as error:
        if error.errno != errno.EEXIST:
            os.rename(temporary, path)
            return name
        os.remove(temporary)
        with open(path, "rb") as stream:
            return as_text(stream.read()).strip()
    os.remove(temporary)
    return name


# --- The request ----------------------------------------------------------------------------------------------------------------------


def is_whole(value, low, high):
    return isinstance(value, INTEGERS) and not isinstance(value, bool) and low <= value <= high


def parse_request(data):
    """The request of a line, every field checked. Raises Refused with bad_request or not_allowed."""
    if len(data) > LARGEST_REQUEST:
        raise Refused("bad_request", "a request of more than %d bytes" % LARGEST_REQUEST)
    try:
        text = data.decode("utf-8")
        request = json.loads(text)
    except ValueError as error:
        raise Refused("bad_request", "the request is no JSON: %s" % words_of(error)[:200])
    if _keys_written(text) != _keys_read(request):
        raise Refused("bad_request", "the request is no JSON that means one thing: a key twice")
    if not isinstance(request, dict):
        raise Refused("bad_request", "the request is not one object")
    unknown = sorted(set(request) ^ set(FIELDS))
    if unknown:
        raise Refused("bad_request", "unknown or missing field: %s" % unknown[0][:80])
    if not is_whole(request["v"], 1, 1) or request["verb"] not in VERBS:
        raise Refused("bad_request", "v must be 1 and verb one of %s" % ", ".join(VERBS))
    for name in ("host_id", "job_id", "op_id", "nonce"):
        if not isinstance(request[name], TEXT) or not ID.match(request[name]):
            raise Refused("bad_request", "%s must be 16 to 64 hexadecimal digits" % name)
    for name in ("gen", "attempt"):
        if not is_whole(request[name], 0, 2**53 - 1):
            raise Refused("bad_request", "%s must be a whole number" % name)
    _check_boot(request)
    _check_step(request)
    return request


def _keys_written(text):
    """How many keys stand in a JSON text: the strings that a colon follows."""
    return len([match for match in re.finditer(u'"(?:[^"\\\\]|\\\\.)*"(\\s*:)?', text) if match.group(1)])


def _keys_read(value):
    """How many keys a parser made of it; it keeps the last of two that are the same (2.6 has no way to see both)."""
    if isinstance(value, dict):
        return len(value) + sum(_keys_read(item) for item in value.values())
    return sum(_keys_read(item) for item in value) if isinstance(value, list) else 0


def _check_boot(request):
    is_free = request["verb"] in ("read", "receipt")
    boot, late = request["boot_id"], request["not_after_uptime_s"]
    if not (boot is None and is_free) and not (isinstance(boot, TEXT) and BOOT.match(boot)):
        raise Refused("bad_request", "boot_id must be 32 hexadecimal digits")
    if not (late is None and is_free) and not is_whole(late, 0, 2**53 - 1):
        raise Refused("bad_request", "not_after_uptime_s must be a whole number")


def _check_step(request):
    verb, step = request["verb"], request["step"]
    fields = {"begin": set(("setting", "seen", "target", "inverse")), "read": set(("setting",))}.get(verb)
    if not isinstance(step, list) or len(step) > 64 or (fields is None and step) or (verb == "begin" and not step):
        raise Refused("bad_request", "step must be a list that fits the verb")
    for element in step:
        if not isinstance(element, dict) or set(element) != fields:
            raise Refused("bad_request", "an element of step has %s" % ", ".join(sorted(fields)))
        how, _ = known_setting(element["setting"])
        for name in fields - set(("setting",)):
            if not isinstance(element[name], TEXT) or not how.value.match(element[name]):
                raise Refused("bad_request", "%s of %s is not a value that it can have" % (name, element["setting"]))
    if len(set(element["setting"] for element in step)) != len(step):
        raise Refused("bad_request", "a setting twice in one step")
    if verb != "begin" and any(request[name] is not None for name in ("restart", "deadman_s", "health_floor")):
        raise Refused("bad_request", "restart, deadman_s and health_floor belong to begin")
    if request["restart"] is not None:
        raise Refused("bad_request", "on ESXi there is nothing that a runner restarts")
    if request["deadman_s"] is not None and not is_whole(request["deadman_s"], 1, 7200):
        raise Refused("bad_request", "deadman_s must lie between 1 and 7200")
    floor = request["health_floor"]
    if floor is not None and (
        not isinstance(floor, dict)
        or not floor
        or any(name not in FIGURES or not is_whole(value, 0, 2**53 - 1) for name, value in floor.items())
    ):
        raise Refused("bad_request", "health_floor must give whole numbers for %s" % ", ".join(FIGURES))


# --- The runner -----------------------------------------------------------------------------------------------------------------------


def place_in_root(path):
    """A path as the host knows it: tests and simulated hosts put a folder in front."""
    root = os.environ.get("PLUMBLINE_ROOT", "")
    return path[len(root) :] if root and path.startswith(root + "/") else path


class Runner(object):
    """One host's runner: its files, its commands, its locks."""

    def __init__(self, program, run_folder):
        self.program = program
        self.folder = os.path.join(program, "state", "runner")
        self.run_folder = run_folder
        self.commands = Commands()
        self.pipe = None  # to whoever asked, in a detached process
        self.is_undo_first = False  # the dead-man: set back first, write when the disk lets it
        self.is_behind = False  # what is on disk is older than what was done
        self.stuck = None  # the thread in which the disk has not answered
        make_folder(os.path.join(self.folder, "receipts"))
        make_folder(run_folder)
        self.boot = boot_name(run_folder)
        mark = hashlib.sha256(as_bytes(os.path.abspath(self.folder))).hexdigest()[:12]
        self.mutex = Lock(os.path.join(run_folder, "runner-%s.lock" % mark))
        self.fence_lock = Lock(os.path.join(run_folder, "fence-%s.lock" % mark))
        self.show_mark()

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def save(self, document, *names):
        """A file of ours, flushed; under /etc also into the archive that a boot restores from."""
        write_atomically(self.path(*names), document)
        if place_in_root(self.folder).startswith("/etc/") and self.commands.find("auto-backup.sh"):
            code, said = self.commands.run(["auto-backup.sh"])
            if code != 0:
                raise Refused("failed", "auto-backup.sh could not keep what was written: %s" % first_line(said))

    def show_mark(self):
        """The mark of the last act, once more where every collection finds it."""
        last = self.path("last.json")
        shown = os.path.join(self.run_folder, "runner-last.json")
        if os.path.exists(last) and not os.path.exists(shown):
            write_atomically(shown, read_json(last))

    def set_mark(self, request):
        mark = {"op_id": request["op_id"], "gen": request["gen"]}
        self.save(mark, "last.json")
        write_atomically(os.path.join(self.run_folder, "runner-last.json"), mark)

    def fence(self):
        return read_json(self.path("fence.json"))

    def receipt(self, op_id):
        return read_json(self.path("receipts", op_id + ".json"))

    def save_receipt(self, receipt):
        self.save(receipt, "receipts", receipt["op_id"] + ".json")

    def keep(self, receipt):
        """Saves a receipt. A dead-man goes on where that fails or hangs, and saves it later."""
        if not self.is_undo_first:
            self.save_receipt(receipt)
            return
        document = json.loads(json.dumps(receipt))  # a thread that hangs may write it much later
        try:
            self.in_time(lambda: self.save_receipt(document))
            self.is_behind = False
        except Exception:
            self.is_behind = True

    def in_time(self, work):
        """What work() answers, for a disk that may hang. Raises Refused where it does not end in time, or an earlier one still hangs."""
        if self.stuck is not None and self.stuck.is_alive():
            raise Refused("failed", "the disk still does not answer")
        found = []

        def run():
            try:
                found.append((work(), None))
            except Exception as error:  # handed to the caller that waits
                found.append((None, error))

        self.stuck = threading.Thread(target=run)
        self.stuck.daemon = True
        self.stuck.start()
        self.stuck.join(DISK_SECONDS)
        if not found:
            raise Refused("failed", "the disk does not answer within %g s" % DISK_SECONDS)
        if found[0][1] is not None:
            raise found[0][1]
        return found[0][0]

    def pass_lost(self, op_id):
        """Raises Refused where this operation has started here and its receipt is gone: that is no fresh start."""
        mark = read_json(self.path("last.json"))
        for look in range(LOOKS):
            if mark is None or mark["op_id"] != op_id or self.receipt(op_id) is not None:
                return
            time.sleep(0.1 if look + 1 < LOOKS else 0)
        raise Refused("failed", "the receipt of this operation is gone: a person has to look")

    def read(self, addresses):
        """Address -> value, None where it cannot be read; and the first reason."""
        values, fault = {}, None
        for address in addresses:
            try:
                values[address] = read_setting(self.commands, address)
            except Unreadable as error:
                values[address] = None
                fault = fault or words_of(error)
        return values, fault

    # What every change has to pass.

    def pass_gate(self, request, is_change):
        """Raises Refused unless this request may act on this host now."""
        if is_change and os.path.exists(os.path.join(self.program, "observe-only")):
            raise Refused("not_allowed", OWNER)
        self.pass_fence(request)
        if request["boot_id"] != self.boot:
            raise Refused("late", "the host was restarted since the command was made")
        if uptime() > request["not_after_uptime_s"]:
            sentence = "the host has been up for %d s; the command was good until %d s"
            raise Refused("late", sentence % (uptime(), request["not_after_uptime_s"]))

    def pass_fence(self, request):
        fence = self.fence()
        if fence is None:
            raise Refused("fenced", "this host has no fence yet: a `fence` has to come first")
        if (request["gen"], request["attempt"]) < (fence["gen"], fence["attempt"]):
            sentence = "this host has seen generation %d, attempt %d: an older command is not carried out"
            raise Refused("fenced", sentence % (fence["gen"], fence["attempt"]))

    def pass_other_dead_man(self, request):
        """Another operation that may still undo itself must come to its end first."""
        armed = read_json(self.path("armed.json"))
        if armed is None or armed["op_id"] == request["op_id"] or armed["boot_id"] != self.boot:
            return
        other = self.receipt(armed["op_id"])
        if other is None:
            raise Refused("busy", "whether operation %s may still undo itself cannot be told: its receipt is gone" % armed["op_id"])
        if other.get("deadman") is not None and other["deadman"]["state"] == "armed":
            raise Refused("busy", "operation %s may still undo itself" % armed["op_id"])

    # Verbs.

    def do_fence(self, request):
        if request["boot_id"] != self.boot or uptime() > request["not_after_uptime_s"]:
            raise Refused("late", "the command is from another boot of this host, or too old")
        self.pass_place()
        if not self.fence_lock.take(FENCE_SECONDS):
            raise Refused("busy", "a setting is being written")
        try:
            fence = self.fence()
            if fence is not None:
                self.pass_fence(request)
            if fence is None or (request["gen"], request["attempt"]) > (fence["gen"], fence["attempt"]):
                self.save({"gen": request["gen"], "attempt": request["attempt"]}, "fence.json")
        finally:
            self.fence_lock.free()
        return self.answer_from(self.receipt(request["op_id"]))

    def do_read(self, request):
        values, fault = self.read([element["setting"] for element in request["step"]])
        found = self.answer_from(self.receipt(request["op_id"]))
        found.update({"after": values, "error": fault, "health": health(self.commands)})
        return found

    def do_receipt(self, request):
        return self.answer_from(self.receipt(request["op_id"]))

    def do_begin(self, request):
        return self.apart(lambda say: self.carry_out(request, say), request)

    def do_revert(self, request):
        return self.apart(lambda say: self.take_back(request, say), request)

    def do_confirm(self, request):
        if not self.mutex.take(MUTEX_SECONDS):
            return self.answer_from(self.receipt(request["op_id"]), is_busy=True)
        try:
            self.pass_gate(request, False)
            receipt = self.receipt(request["op_id"])
            if receipt is not None and receipt["state"] == "done" and not receipt.get("reverting"):
                receipt["state"] = "confirmed"
                dead_man = receipt.get("deadman")
                if dead_man is not None and dead_man["state"] == "armed":
                    dead_man["state"] = "disarmed" if dead_man["boot_id"] == self.boot else "gone"
                self.save_receipt(receipt)
        finally:
            self.mutex.free()
        found = self.answer_from(receipt)
        found["health"] = health(self.commands)
        return found

    def is_busy(self):
        """Somebody holds the mutex."""
        probe = Lock(self.mutex.path)
        if probe.take(is_probe=True):
            probe.leave()
            return False
        return True

    def answer_from(self, receipt, is_busy=None):
        """The fields of an answer that a receipt decides."""
        if receipt is None:
            return {"state": "none"}
        at_work = receipt["state"] == "started" or receipt.get("reverting")
        if at_work and is_busy is None:
            is_busy = self.is_busy()
            if not is_busy:
                # Whoever was at work may have ended between the reading of the receipt and the look at the mutex.
                return self.answer_from(self.receipt(receipt["op_id"]), is_busy=False)
        dead_man = receipt.get("deadman")
        state = None
        if dead_man is not None:
            is_gone = dead_man["state"] == "armed" and dead_man["boot_id"] != self.boot
            state = "gone" if is_gone else dead_man["state"]
        found = {"state": receipt["state"], "wrote": receipt["wrote"], "before": receipt["before"], "after": receipt["after"]}
        found.update({"deadman": state, "error": receipt.get("error")})
        if at_work:
            found["state"] = "started"
            found["reason"] = "busy" if is_busy else None
        return found

    # Work in a process of its own.

    def apart(self, work, request):
        """Runs work(say) detached from whoever asked; answers what it says first. The session that started it may end at any moment."""
        ours, theirs = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(ours)
            os.setsid()
            if os.fork():
                os._exit(0)
            self.in_the_dark(theirs, work)
        os.close(theirs)
        os.waitpid(child, 0)
        said = b""
        end = uptime() + BEGIN_SECONDS
        while uptime() < end and not said.endswith(b"\n"):
            if select.select([ours], [], [], end - uptime())[0]:
                part = os.read(ours, 65536)
                if not part:
                    break
                said += part
        os.close(ours)
        try:
            return json.loads(as_text(said))
        except ValueError:
            # It ended without a word: what is on disk is what is known.
            return self.answer_from(self.receipt(request["op_id"]))

    def in_the_dark(self, pipe, work):
        """The detached process: no terminal, no standard streams, no way back into the code of whoever forked it."""
        if self.pipe is not None:
            # A dead-man comes out of the process that carries out the step: it must not hold up whoever waits for that one's word.
            os.close(self.pipe)
        self.pipe = pipe

        def say(answer):
            if self.pipe is not None:
                self.pipe = None
                try:
                    os.write(pipe, as_bytes(json.dumps(answer) + "\n"))
                    os.close(pipe)
                except OSError:
                    pass  # Whoever asked is gone; the receipt is there.

        try:
            os.chdir("/")
            nothing = os.open(os.devnull, os.O_RDWR)
            for stream in (0, 1, 2):
                os.dup2(nothing, stream)
            try:
                say(work(say))
            except Refused as refusal:
                say({"state": "refused", "reason": refusal.reason, "error": refusal.sentence})
            except Exception as error:
                say({"state": "refused", "reason": "failed", "error": u"%s: %s" % (type(error).__name__, words_of(error))})
        finally:
            self.mutex.free()
            os._exit(0)

    def carry_out(self, request, say):
        """A step: compare, intent, dead-man, set, read, receipt. Answers the fields of the answer."""
        # Not at once: whoever asks whether somebody is at work holds the mutex for an instant.
        if not self.mutex.take(PROBE_SECONDS):
            receipt = self.receipt(request["op_id"])
            if receipt is None:
                raise Refused("busy", "another change is at work on this host")
            return self.answer_from(receipt, is_busy=True)
        self.pass_gate(request, True)
        receipt = self.receipt(request["op_id"])
        if receipt is None:
            self.pass_lost(request["op_id"])
        elif receipt.get("reverting"):
            raise Refused("bad_request", "this operation is being taken back")
        elif receipt["state"] != "started":
            return self.answer_from(receipt, is_busy=False)
        elif receipt["step"] != request["step"]:
            raise Refused("bad_request", "this operation has begun with another step")
        self.pass_other_dead_man(request)
        for folder in (self.folder, self.path("receipts"), self.run_folder):
            remove_leftovers(folder)
        step = request["step"]
        values, fault = self.read([element["setting"] for element in step])
        figures = health(self.commands)
        self.compare(step, values, fault, receipt)
        left = [element for element in step if values[element["setting"]] != element["target"]]
        fault = self.path_fault(request, left, figures)
        if fault is not None:
            return self.put_off(receipt, left, values, fault)
        earlier = [] if receipt is None else list(receipt["mine"])
        receipt = self.intend(request, receipt, left, values)
        if left and request["deadman_s"] is not None:
            self.arm(receipt, request["deadman_s"], earlier)
        found = self.answer_from(receipt, is_busy=True)
        found["health"] = figures
        say(found)
        receipt["error"] = self.set_each(request, receipt, left, earlier)
        return self.end_step(receipt)

    def path_fault(self, request, left, figures):
        """Why nothing may be set now: too few paths, or a last one would go. None where it may."""
        under = below(request["health_floor"], figures) if left and request["health_floor"] else None
        if under:
            return under
        for element in left:
            fault = stop_fault(self.commands, element["setting"], None)
            if fault is not None:
                return u"a change of %s is not safe: %s" % (element["setting"], fault)
        return None

    def put_off(self, receipt, left, values, fault):
        """A refusal as long as no element of the operation is set, whole or half; else the operation is started and waits for its paths."""
        unset = [element["setting"] for element in left if values[element["setting"]] != DIFFERS]
        if receipt is None or not [name for name in receipt["mine"] if name not in unset]:
            raise Refused("not_allowed", u"%s; nothing was set" % fault)
        receipt["error"] = fault
        self.save_receipt(receipt)
        return self.answer_from(receipt, is_busy=False)

    def intend(self, request, receipt, left, values):
        """What this attempt is about to do, on disk before it does it."""
        names = [element["setting"] for element in left]
        if receipt is None:
            receipt = {"op_id": request["op_id"], "job_id": request["job_id"], "step": request["step"], "before": values}
            receipt.update({"mine": [], "deadman": None})
        receipt.update({"gen": request["gen"], "attempt": request["attempt"], "boot_id": self.boot, "state": "started"})
        receipt.update({"after": None, "error": None, "undo_cuts": {}})
        # What an earlier attempt had intended and now reads at target was written by it.
        receipt["wrote"] = [name for name in receipt["mine"] if name not in names]
        receipt["mine"] = receipt["mine"] + [name for name in names if name not in receipt["mine"]]
        self.show_life(receipt)
        self.save_receipt(receipt)
        self.set_mark(request)
        return receipt

    def end_step(self, receipt):
        """The end of a step: what reads now decides."""
        step = receipt["step"]
        self.commands.forget()
        values, fault = self.read([element["setting"] for element in step])
        receipt["after"] = values
        receipt["error"] = receipt["error"] or fault
        if all(values[element["setting"]] == element["target"] for element in step):
            receipt.update({"state": "done", "error": None, "wrote": list(receipt["mine"])})
            self.show_life(receipt)  # the server has the whole time to confirm from here
        elif receipt["error"] is None:
            wrong = [element for element in step if values[element["setting"]] != element["target"]][0]
            receipt["error"] = "%s reads %s after it was set to %s" % (wrong["setting"], values[wrong["setting"]], wrong["target"])
        self.save_receipt(receipt)
        self.prune(receipt["op_id"])
        return self.answer_from(receipt, is_busy=False)

    def compare(self, step, values, fault, receipt):
        """Raises Refused unless each element reads as seen or target, or as this operation left it half set."""
        for element in step:
            now = values[element["setting"]]
            if now is None:
                raise Refused("failed", fault)
            if now not in (element["seen"], element["target"]) and not self.is_between(element, now, receipt):
                sentence = "%s reads %s: neither as seen (%s) nor as wanted (%s); nothing was set"
                raise Refused("conflict", sentence % (element["setting"], now, element["seen"], element["target"]))

    def is_between(self, element, now, receipt):
        """Whether a setting of several things is half set by this operation: each part is as it was, or as it shall be."""
        if now != DIFFERS or receipt is None or element["setting"] not in receipt["mine"]:
            return False
        how, identity = known_setting(element["setting"])
        try:
            parts = set(how.parts(self.commands, identity))
        except Unreadable:
            return False
        return parts <= set((element["seen"], element["target"], element["inverse"]))

    def set_each(self, request, receipt, elements, earlier):
        """Sets elements one by one and notes each. Answers why it stopped, None where it did not."""
        for element in elements:
            name = element["setting"]
            word, fault = self.set_element(request, receipt, element, "target")
            if fault is not None:
                return fault
            if word == "there" and name not in earlier:
                receipt["mine"].remove(name)  # set by another person between our first look and our set: not ours to take back
            else:
                receipt["wrote"].append(name)
            self.show_life(receipt)
            self.save_receipt(receipt)
        return None

    def set_element(self, request, receipt, element, way):
        """Sets one element to its `target` or `inverse`; waits a while where its paths are not back yet from the set before.

        Answers (word, fault): `set`, `there` where the host had the value already, `shut` where it would take a last path, `failed`;
        the fault is None for the first two.
        """
        end = uptime() + SETTLE_SECONDS
        while True:
            word, fault = self.try_element(request, receipt, element, way)
            if word != "shut" or uptime() >= end:
                return word, fault
            time.sleep(1.0)

    def try_element(self, request, receipt, element, way):
        """Compares, looks at the paths and sets, under the fence: what a person changed since the first look stays."""
        name = element["setting"]
        is_held = self.fence_lock.take(FENCE_SECONDS)
        if not is_held and request is not None:
            return "failed", "the fence is held"
        try:
            if request is not None:
                self.pass_gate(request, True)
            self.commands.forget()
            now = read_setting(self.commands, name)
            if now == element[way]:
                return "there", None
            if now != element["seen" if way == "target" else "target"] and not self.is_between(element, now, receipt):
                return "failed", u"%s reads %s now: somebody else set it" % (name, now)
            fault = stop_fault(self.commands, name, request["health_floor"] if way == "target" else None)
            if fault is not None:
                return "shut", u"%s put off: %s" % (name, fault)
            if request is None and not self.may_cut_again(receipt, name):
                return "failed", u"%s was set back %d times and does not stay: a person has to look" % (name, MOST_UNDO_CUTS)
            fault = write_setting(self.commands, name, element[way], now)
            return ("set", None) if fault is None else ("failed", fault)
        except Refused as refusal:
            return "failed", refusal.sentence
        except Unreadable as error:
            return "failed", words_of(error)
        finally:
            if is_held:
                self.fence_lock.free()

    def may_cut_again(self, receipt, name):
        """Counts how often the dead-man sets back what drops traffic: a driver that does not take it must not be tried for ever."""
        if not known_setting(name)[0].is_cutting:
            return True
        cuts = receipt.setdefault("undo_cuts", {})
        cuts[name] = cuts.get(name, 0) + 1
        self.keep(receipt)
        return cuts[name] <= MOST_UNDO_CUTS

    def prune(self, op_id):
        """Keeps the newest receipts; one whose dead-man is armed is among them, since it is the newest."""
        folder = self.path("receipts")
        names = [name for name in os.listdir(folder) if name.endswith(".json") and name != op_id + ".json"]
        names.sort(key=lambda name: os.stat(os.path.join(folder, name)).st_mtime)
        for name in names[: max(0, len(names) - RECEIPTS_KEPT)]:
            os.remove(os.path.join(folder, name))

    # Taking back.

    def take_back(self, request, say):
        """A revert on request."""
        if not self.mutex.take(MUTEX_SECONDS):
            receipt = self.receipt(request["op_id"])
            if receipt is None:
                raise Refused("busy", "another change is at work on this host")
            return self.answer_from(receipt, is_busy=True)
        self.pass_gate(request, True)
        receipt = self.receipt(request["op_id"])
        if receipt is None:
            self.pass_lost(request["op_id"])
        if receipt is None or (receipt["state"] == "reverted" and not receipt.get("reverting")):
            return self.answer_from(receipt)
        if receipt["state"] == "confirmed":
            raise Refused("conflict", "the operation is confirmed: it is undone by a plan, not by a revert")
        found = self.revert(receipt, request, say)
        self.mutex.free()
        dead_man = receipt.get("deadman")
        if dead_man is None or dead_man["boot_id"] != self.boot:
            self.look_for_late(receipt)  # where a dead-man was armed, the dead-man looks itself
        return found

    def standing(self, element, now, receipt):
        """The state of an element of ours: new (as we set it, or half of it), old (as it was), unread, foreign (another person set it)."""
        if now is None:
            return "unread"
        if now in (element["inverse"], element["seen"]):
            return "old"
        return "new" if now == element["target"] or self.is_between(element, now, receipt) else "foreign"

    def revert(self, receipt, request, say):
        """Sets the inverse of whatever this operation wrote, as far as it goes. The mutex is held. `request` is None for the dead-man."""
        mine = [element for element in receipt["step"] if element["setting"] in receipt["mine"]]
        receipt["reverting"] = True
        if request is not None:
            self.show_life(receipt)
        self.keep(receipt)
        if request is not None:
            self.set_mark(request)
        say(self.answer_from(receipt, is_busy=True))
        self.commands.forget()
        values, fault = self.read([element["setting"] for element in mine])
        for element in mine:
            now = values[element["setting"]]
            standing = self.standing(element, now, receipt)
            if standing == "foreign":
                fault = fault or u"%s reads %s: somebody else set it, it stays" % (element["setting"], now)
            elif standing == "new":
                fault = self.set_element(request, receipt, element, "inverse")[1] or fault
        self.end_revert(receipt, mine, fault, request is None)
        return self.answer_from(receipt, is_busy=False)

    def end_revert(self, receipt, mine, fault, is_dead_man):
        """The end of a taking back: the values that are read now decide. If that end is not reached, the next process goes on."""
        self.commands.forget()
        values, unread = self.read([element["setting"] for element in receipt["step"]])
        receipt["after"] = values
        receipt["error"] = fault or unread
        standing = [self.standing(element, values[element["setting"]], receipt) for element in mine]
        if "new" not in standing and "unread" not in standing:
            receipt["reverting"] = False
            receipt["state"] = "started" if "foreign" in standing else "reverted"
            receipt["error"] = receipt["error"] if "foreign" in standing else None
            dead_man = receipt.get("deadman")
            if dead_man is not None and dead_man["state"] == "armed":
                dead_man["state"] = "fired" if is_dead_man else "disarmed"
        self.keep(receipt)

    def look_for_late(self, receipt):
        """Looks for a while after a taking back: a write that was on its way when its caller was ended may land only now."""
        end = uptime() + LATE_SECONDS
        while receipt["state"] == "reverted" and uptime() < end and self.look_again(receipt):
            time.sleep(LATE_POLL_SECONDS)

    def look_again(self, receipt):
        """Takes back once more what has become new since. False where another operation has started: then nothing is ours any more."""
        if not self.mutex.take():
            return True
        try:
            mark = read_json(self.path("last.json"))
            if mark is None or mark["op_id"] != receipt["op_id"]:
                return False
            mine = [element for element in receipt["step"] if element["setting"] in receipt["mine"]]
            self.commands.forget()
            values, _ = self.read([element["setting"] for element in mine])
            late = [element for element in mine if self.standing(element, values[element["setting"]], receipt) == "new"]
            if late:
                self.revert(receipt, None, lambda answer: None)
                if receipt["state"] == "reverted":
                    sentence = "%s became %s once more after it was taken back, and was taken back again"
                    receipt["error"] = sentence % (late[0]["setting"], late[0]["target"])
                    self.keep(receipt)
        except Exception:
            pass  # read again
        finally:
            self.mutex.free()
        return True

    # The dead-man: two processes, of which one watches the time and the other begins it again where it is ended. Both have a copy of what
    # has to be undone, so that neither a receipt that is gone nor a disk that is full or hangs keeps them from it. Nothing begins them
    # again where both are ended at once; a caller that sees `armed` and no end of it has to read the values.

    def arm(self, receipt, seconds, earlier):
        """Arms the dead-man before anything is set. Raises Refused where that fails; the receipt shows then that there is no dead-man."""
        token = as_text(hashlib.sha256(os.urandom(32)).hexdigest())[:16]
        receipt["deadman"] = {"state": "armed", "due_uptime_s": 0, "boot_id": self.boot, "token": token, "seconds": seconds}
        self.show_life(receipt)
        try:
            self.save_receipt(receipt)
            self.save({"op_id": receipt["op_id"], "boot_id": self.boot}, "armed.json")
            self.begin_to_watch(receipt)
            self.show_life(receipt)
            self.save_receipt(receipt)
        except Exception as error:
            receipt["deadman"] = None
            receipt["mine"] = earlier
            self.save_receipt(receipt)  # a dead-man that runs after all finds nothing to do and ends
            raise Refused("failed", u"the dead-man did not begin to run; nothing was set (%s)" % words_of(error))

    def begin_to_watch(self, receipt):
        """Starts both processes; returns once the watching process has reported that it watches."""
        ours, theirs = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(ours)
            self.mutex.leave()
            os.setsid()
            if os.fork():
                os._exit(0)
            self.in_the_dark(theirs, lambda say: self.stand_by(receipt, say))
        os.close(theirs)
        os.waitpid(child, 0)
        stands = select.select([ours], [], [], BEGIN_SECONDS)[0] and os.read(ours, 65536)
        os.close(ours)
        if not stands:
            raise Refused("failed", "its process said nothing")

    def show_life(self, receipt):
        """The dead-man's time counts from the working process's last sign of life, so that a slow and healthy step is not taken back."""
        dead_man = receipt.get("deadman")
        if dead_man is not None and dead_man["state"] == "armed" and dead_man.get("seconds") is not None:
            dead_man["due_uptime_s"] = int(uptime() + dead_man["seconds"])

    def stand_by(self, known, say):
        """Keeps one process watching, and starts that process again where it ended before its work did."""
        while True:
            own = os.getpid()
            child = os.fork()
            if child == 0:
                code = 1
                try:
                    self.watch(known, say, own)
                    code = 0
                finally:
                    os._exit(code)
            if self.pipe is not None:
                os.close(self.pipe)  # only the watching process reports that it watches
                self.pipe = None
            if os.waitpid(child, 0)[1] == 0:
                return None
            time.sleep(1.0)

    def watch(self, known, say, beside):
        """The dead-man's life: wait, look, and at its time set everything back; then look for what comes late."""
        self.is_undo_first = True
        token = known["deadman"]["token"]
        say({"state": "none"})
        pause = POLL_SECONDS
        while True:
            if os.getppid() != beside:
                # The other one was ended: this one takes its place, and a new one watches.
                return self.stand_by(known, lambda answer: None)
            known = self.known(known)
            left = self.left_until_due(known, token)
            if left is None:
                if not self.is_behind:
                    break
                self.keep(known)
                pause = FIRST_PAUSE_SECONDS
            elif left > 0:
                pause = min(left, POLL_SECONDS if left < 10 else 1.0)
            else:
                pause = min(LONGEST_PAUSE_SECONDS, FIRST_PAUSE_SECONDS if pause < FIRST_PAUSE_SECONDS else pause * 2)
                known = self.revert_in_time(known, token)
                pause = POLL_SECONDS if self.left_until_due(known, token) is None else pause
            time.sleep(pause)
        if (known.get("deadman") or {}).get("token") == token:
            self.look_for_late(known)
        return None

    def known(self, known):
        """The receipt as it is on disk; where that is gone, damaged, hanging or behind what was done, the copy that we have."""
        if self.is_behind:
            return known
        try:
            return self.in_time(lambda: self.receipt(known["op_id"])) or known
        except Exception:
            return known

    def left_until_due(self, receipt, token):
        """Seconds until the dead-man of that token sets everything back; 0 where it is time, None where nothing is armed any more."""
        dead_man = receipt.get("deadman")
        if dead_man is None or dead_man["state"] != "armed" or dead_man.get("token") != token:
            return None
        return max(0, dead_man["due_uptime_s"] - uptime())

    def revert_in_time(self, known, token):
        """Takes the mutex, from a step that hangs by force, and sets everything back. Answers what is known then."""
        is_ours, is_ended = self.mutex.take(MUTEX_SECONDS), False
        if not is_ours:
            known = self.known(known)  # a step that lives has moved its time meanwhile
            if self.left_until_due(known, token) != 0:
                return known
            is_ended = self.end_holder()
            is_ours = self.mutex.take(MUTEX_SECONDS)
        if not is_ours and not is_ended:
            return known
        # A process that was ended while the disk holds it keeps the mutex, but runs no line of its code any more: we go on without.
        try:
            known = self.known(known)
            if self.left_until_due(known, token) == 0:
                self.revert(known, None, lambda answer: None)
        except Exception:
            pass  # tried again: it may not end before it is done
        finally:
            if is_ours:
                self.mutex.free()
        return known

    def end_holder(self):
        """Ends the process that has held the mutex past the dead-man's time. False where that process is not known."""
        holder = self.mutex.holder()
        if holder is None or holder in (os.getpid(), os.getppid()):
            return False
        try:
            os.kill(holder, signal.SIGKILL)
        except OSError:
            return False
        return True

    # Where a runner may live.

    def pass_place(self):
        """Raises Refused where this folder is reached over the SAN: a fence that goes with a path protects nobody."""
        path = place_in_root(os.path.realpath(self.program))
        if not path.startswith("/vmfs/volumes/"):
            return
        name = path.split("/")[3]
        try:
            local = local_datastores(self.commands)
        except Unreadable as error:
            raise Refused("not_allowed", "cannot tell whether datastore %s is local: %s" % (name, words_of(error)))
        if name not in local:
            sentence = "datastore %s is not on a local disk, or is the system's own volume: the runner may not live there"
            raise Refused("not_allowed", sentence % name)


# From 7 on, ESXi's own volume; an update or a new installation may write the volume again.
SYSTEM_VOLUME = re.compile(u"\\AOSDATA-")


def local_datastores(commands):
    """Names and ids of the datastores all of whose disks are local, the system's own volume left out. Raises Unreadable."""
    disks = dict((row.get("Device"), row.get("IsLocal") == "true") for row in commands.rows("storage", "core", "device", "list"))
    found = {}
    for row in commands.rows("storage", "vmfs", "extent", "list"):
        is_system = SYSTEM_VOLUME.match(row.get("VolumeName") or u"") is not None
        for name in (row.get("VolumeName"), row.get("VMFSUUID")):
            if name:
                found[name] = found.get(name, True) and disks.get(row.get("DeviceName"), False) and not is_system
    return [name for name in found if found[name]]


def place(commands):
    """Where a runner may live on this host, and why."""
    try:
        uuids = set(row.get("VMFSUUID") for row in commands.rows("storage", "vmfs", "extent", "list"))
        names = [name for name in local_datastores(commands) if name not in uuids]
    except Unreadable as error:
        return {"folder": "/etc/plumbline", "why": "datastores cannot be read (%s)" % words_of(error)}
    names = sorted(name for name in names if re.match(r"\A[A-Za-z0-9_.()-]{1,64}\Z", name))
    if names:
        return {"folder": "/vmfs/volumes/%s/plumbline" % names[0], "why": "a local datastore"}
    return {"folder": "/etc/plumbline", "why": "no local datastore: kept by auto-backup.sh"}


# --- One request, one answer ----------------------------------------------------------------------------------------------------------


def named(data):
    """op_id and nonce of a request that may be no good otherwise."""
    try:
        request = json.loads(data.decode("utf-8"))
        given = [request.get(name) for name in ("op_id", "nonce")]
    except (ValueError, AttributeError):
        return None, None
    return tuple(value if isinstance(value, TEXT) and ID.match(value) else None for value in given)


def respond(data, program, run_folder):
    """The answer to one request, as a dictionary of the schema. Never raises."""
    op_id, nonce = named(data)
    found, runner = {}, None
    try:
        request = parse_request(data)
        runner = Runner(program, run_folder)
        found = getattr(runner, "do_" + request["verb"])(request)
    except Refused as refusal:
        found = {"state": "refused", "reason": refusal.reason, "error": refusal.sentence}
    except Exception as error:
        # Told, not thrown: an answer of this form is how the caller knows that we are here.
        found = {"state": "refused", "reason": "failed", "error": u"%s: %s" % (type(error).__name__, words_of(error))}
    answer = {"v": 1, "op_id": op_id, "nonce": nonce, "state": "none", "reason": None, "error": None, "wrote": [], "before": None}
    answer.update({"after": None, "restart": None, "deadman": None, "boot_id": None, "uptime_s": int(uptime()), "fence": None})
    answer["health"] = None
    if runner is not None:
        answer["boot_id"] = runner.boot
        try:
            answer["fence"] = runner.fence()
        except Refused as refusal:
            found = {"state": "refused", "reason": refusal.reason, "error": refusal.sentence}
    answer.update(found)
    if answer["error"] is not None:
        answer["error"] = as_text(answer["error"])[:600]
    return answer


def write_answer(answer):
    """One line of ASCII; `end` is its last key, so that a cut line never looks whole."""
    text = json.dumps(answer, sort_keys=True)
    stream = getattr(sys.stdout, "buffer", sys.stdout)
    stream.write(as_bytes(text[:-1] + ', "end": "plumbline"}\n'))
    stream.flush()


def main(arguments):
    if arguments == ["--version"]:
        print(VERSION)
        return 0
    if arguments == ["--place"]:
        print(json.dumps(place(Commands()), sort_keys=True))
        return 0
    if arguments:
        print(__doc__)
        return 0 if arguments in (["--help"], ["-h"]) else 2
    program = os.path.dirname(os.path.abspath(globals().get("__file__") or "."))
    run_folder = os.environ.get("PLUMBLINE_RUN_FOLDER") or "/var/run/plumbline"
    write_answer(respond(standard_input().read(LARGEST_REQUEST + 1).strip(), program, run_folder))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
