#!/bin/python
# -*- coding: utf-8 -*-
"""Plumbline's runner for VMware ESXi: carries out one step of an approved plan, or undoes it, and leaves a receipt.

One file, standard library only, for Python 2.7 and 3. It reads one request (agents/schema/runner.schema.json) from standard input and
prints one answer. It knows a closed list of settings (agents/schema/runner-settings.yaml, part esxi); nothing that arrives is ever run,
only compared with strict patterns and handed to a command as one argument.

What keeps a host safe, whoever asks, however often, however late:
  fence      the highest (generation, attempt) seen; anything lower is refused, also between two settings of one step
  boot       a request is good for one boot and up to one uptime
  compare    each value must read as the plan saw it, or as it shall be; else nothing at all is set
  receipt    written and flushed before the first set and after the last one
  mutex      one change at a time on this host
  dead-man   a process of its own that sets everything back unless somebody confirms in time

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

# --- Two Pythons: the only place that knows of them -----------------------------------------------------------------------------------

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
    return value.encode("utf-8") if isinstance(value, TEXT) else value


def standard_input():
    return getattr(sys.stdin, "buffer", sys.stdin)


def own_session():
    """Arguments of Popen that give a child its own process group, so that a hung one is killed with all it started."""
    return {"start_new_session": True} if IS_3 else {"preexec_fn": os.setsid}


# --- Figures --------------------------------------------------------------------------------------------------------------------------

VERSION = "1.0.0"
LARGEST_REQUEST = 65536
COMMAND_SECONDS = 20.0  # a set may wait for a driver
MUTEX_SECONDS = 10.0  # how long confirm waits for a step that is about to end
FENCE_SECONDS = 30.0  # how long a fence waits for the one setting that is being written
BEGIN_SECONDS = 90.0  # until begin's own process has compared and said so
PROBE_SECONDS = 1.0  # longer than anybody holds the mutex only to see whether it is free
POLL_SECONDS = 0.2
RECEIPTS_KEPT = 200

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
        """Runs one command. Returns (exit code or None, output text)."""
        path = self.find(words[0])
        if path is None:
            return None, u"no such command: %s" % words[0]
        with open(os.devnull, "rb") as nothing:
            try:
                child = subprocess.Popen(
                    [path] + [str(word) for word in words[1:]],
                    stdin=nothing,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.STDOUT,
                    env=self.environment,
                    close_fds=True,
                    **own_session()
                )
            except (OSError, ValueError) as error:
                return None, u"%s cannot be started: %s" % (words[0], error)
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
        code, said = self.run(["esxcli", "--formatter=xml"] + list(words))
        command = "esxcli " + " ".join(words)
        if code != 0:
            raise Unreadable("%s: %s" % (command, first_line(said)))
        try:
            root = ElementTree.fromstring(as_bytes(said.strip()))
        except ElementTree.ParseError as error:
            raise Unreadable("%s: an answer that is no XML (%s)" % (command, error))
        return [_fields(node) for node in root.iter() if plain(node.tag) == "structure"]


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


class VmkMtu(object):
    identity = re.compile(r"\Avmk[0-9]{1,3}\Z")
    value = re.compile(r"\A[0-9]{3,4}\Z")

    def read(self, commands, identity):
        return _value(_one(commands.rows("network", "ip", "interface", "list"), "Name", identity, identity), "MTU", identity)

    def write(self, commands, identity, value):
        return [["esxcli", "network", "ip", "interface", "set", "-i", identity, "-m", value]]


class SwitchMtu(object):
    identity = re.compile(r"\A[A-Za-z0-9][A-Za-z0-9_.-]{0,63}\Z")
    value = re.compile(r"\A[0-9]{3,4}\Z")

    def read(self, commands, identity):
        return _value(_one(commands.rows("network", "vswitch", "standard", "list"), "Name", identity, identity), "MTU", identity)

    def write(self, commands, identity, value):
        return [["esxcli", "network", "vswitch", "standard", "set", "-v", identity, "-m", value]]


ADAPTER = re.compile(r"\A(?:[0-9a-f]{12}|[0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-9a-f])\Z")


class Pause(object):
    identity = ADAPTER
    value = re.compile(r"\A(?:true|false),(?:true|false),(?:true|false)\Z")

    def read(self, commands, identity):
        name = adapter_name(commands, identity)
        row = _one(commands.rows("network", "nic", "pauseParams", "list"), "NIC", name, name)
        return u",".join(_value(row, field, name).lower() for field in ("AutoNegotiation", "PauseRX", "PauseTX"))

    def write(self, commands, identity, value):
        auto, receive, transmit = value.split(",")
        name = adapter_name(commands, identity)
        return [["esxcli", "network", "nic", "pauseParams", "set", "-n", name, "-a", auto, "-r", receive, "-t", transmit]]


class Ring(object):
    identity = ADAPTER
    value = re.compile(r"\A[0-9]{1,6}\Z")

    def __init__(self, field, option):
        self.field = field
        self.option = option

    def read(self, commands, identity):
        name = adapter_name(commands, identity)
        rows = commands.rows("network", "nic", "ring", "current", "get", "-n", name)
        if len(rows) != 1:
            raise Unreadable("%s: no ring is shown" % name)
        return _value(rows[0], self.field, name)

    def write(self, commands, identity, value):
        name = adapter_name(commands, identity)
        return [["esxcli", "network", "nic", "ring", "current", "set", "-n", name, self.option, value]]


INITIATOR = r"(?:(?:iqn|eui|naa)\.[A-Za-z0-9.:_-]{1,220}|vmhba[0-9]{1,3})"


class InitiatorParameter(object):
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


class TargetParameter(object):
    """Of every portal of a target; portals that differ read as `differs`, which nothing may be set from."""

    identity = re.compile(r"\A" + INITIATOR + r">(?:iqn|eui|naa)\.[A-Za-z0-9.:_-]{1,220}\Z")

    def __init__(self, name, value):
        self.name = name
        self.value = re.compile(r"\A(?:inherit|" + value + r")\Z")

    def read(self, commands, identity):
        name, target, places = portals(commands, identity)
        found = set()
        for place in places:
            rows = commands.rows("iscsi", "adapter", "target", "portal", "param", "get", "-A", name, "-a", place, "-n", target)
            row = _one(rows, "Name", self.name, target)
            inherits = _value(row, "Inherit", target).lower() == "true"
            found.add(u"inherit" if inherits else _value(row, "Current", target))
        return found.pop() if len(found) == 1 else u"differs"

    def write(self, commands, identity, value):
        name, target, places = portals(commands, identity)
        head = ["esxcli", "iscsi", "adapter", "target", "portal", "param", "set"]
        tail = ["-I"] if value == "inherit" else ["-v", value]
        return [head + ["-A", name, "-a", place, "-n", target, "-k", self.name] + tail for place in places]


class Advanced(object):
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


class PathPolicy(object):
    identity = VOLUME
    value = re.compile(r"\A(?:VMW_PSP_RR|VMW_PSP_MRU|VMW_PSP_FIXED|DELL_PSP_EQL_ROUTED)\Z")

    def read(self, commands, identity):
        row = _one(commands.rows("storage", "nmp", "device", "list"), "Device", identity, identity)
        return _value(row, "PathSelectionPolicy", identity)

    def write(self, commands, identity, value):
        return [["esxcli", "storage", "nmp", "device", "set", "-d", identity, "-P", value]]


class RoundRobinLimit(object):
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


def write_setting(commands, address, value):
    """Sets one value. Answers a sentence where a command failed, else None; the value that reads afterwards decides, not this."""
    how, identity = known_setting(address)
    fault = None
    for words in how.write(commands, identity, value):
        code, said = commands.run(words)
        if code != 0:
            fault = "%s: %s" % (" ".join(words), first_line(said))
    commands.forget()
    return fault


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
            return "%s: %s, and %d are asked for; nothing was set" % (name, "unknown" if found[name] is None else found[name], floor[name])
    return None


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
        while data:
            data = data[os.write(handle, data) :]
        os.fsync(handle)
    finally:
        os.close(handle)
    os.rename(temporary, path)
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


def read_json(path):
    """A file of ours; None where there is none. A damaged one is an error: its loss must never look like a fresh start."""
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
    if not isinstance(found, dict):
        raise Refused("failed", "%s is damaged: a person has to look" % path)
    return found


class Lock(object):
    """A lock between processes that ends with its holder. It lies on the RAM disk, where file locks work and a boot frees them."""

    def __init__(self, path):
        self.path = path
        self.handle = None

    def take(self, seconds=0.0):
        """True once it is ours; False where somebody held it all the time."""
        handle = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600)
        end = uptime() + seconds
        while True:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                self.handle = handle
                return True
            except (OSError, IOError) as error:
                if error.errno not in (errno.EAGAIN, errno.EACCES, errno.EINTR):
                    raise
            if uptime() >= end:
                os.close(handle)
                return False
            time.sleep(0.05)

    def free(self):
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
        request = json.loads(data.decode("utf-8"), object_pairs_hook=_no_double)
    except ValueError as error:
        raise Refused("bad_request", "the request is no JSON: %s" % as_text(str(error))[:200])
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


def _no_double(pairs):
    found = {}
    for name, value in pairs:
        if name in found:
            raise ValueError("a key twice: %s" % name[:40])
        found[name] = value
    return found


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

    def read(self, addresses):
        """Address -> value, None where it cannot be read; and the first reason."""
        values, fault = {}, None
        for address in addresses:
            try:
                values[address] = read_setting(self.commands, address)
            except Unreadable as error:
                values[address] = None
                fault = fault or as_text(str(error))
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
        if other is not None and other.get("deadman") is not None and other["deadman"]["state"] == "armed":
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
            if receipt is not None and receipt["state"] == "done":
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
        if probe.take():
            probe.free()
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
        told = []
        if self.pipe is not None:
            # A dead-man comes out of the process that carries out the step: it must not hold up whoever waits for that one's word.
            os.close(self.pipe)
        self.pipe = pipe

        def say(answer):
            if not told:
                told.append(True)
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
                say({"state": "refused", "reason": "failed", "error": "%s: %s" % (type(error).__name__, error)})
        finally:
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
        if receipt is not None and receipt["state"] != "started":
            return self.answer_from(receipt, is_busy=False)
        if receipt is not None and (receipt["step"] != request["step"] or receipt.get("reverting")):
            raise Refused("bad_request", "this operation has begun with another step, or is being taken back")
        self.pass_other_dead_man(request)
        step = request["step"]
        values, fault = self.read([element["setting"] for element in step])
        figures = health(self.commands)
        self.compare(step, values, fault)
        left = [element for element in step if values[element["setting"]] != element["target"]]
        if left and request["health_floor"]:
            under = below(request["health_floor"], figures)
            if under:
                raise Refused("not_allowed", under)
        if receipt is None:
            receipt = {"op_id": request["op_id"], "job_id": request["job_id"], "step": step, "before": values, "wrote": []}
            receipt.update({"mine": [element["setting"] for element in left], "deadman": None})
        receipt.update({"gen": request["gen"], "attempt": request["attempt"], "boot_id": self.boot, "state": "started"})
        receipt.update({"after": None, "error": None})
        # What an earlier attempt had intended and now reads at target was written by it.
        receipt["wrote"] = [name for name in receipt["mine"] if name not in [element["setting"] for element in left]]
        for element in left:
            if element["setting"] not in receipt["mine"]:
                receipt["mine"].append(element["setting"])
        self.save_receipt(receipt)
        self.set_mark(request)
        if left and request["deadman_s"] is not None:
            self.arm(receipt, request["deadman_s"])
        found = self.answer_from(receipt, is_busy=True)
        found["health"] = figures
        say(found)
        receipt["error"] = self.set_each(request, receipt, left, "target")
        values, fault = self.read([element["setting"] for element in step])
        receipt["after"] = values
        receipt["error"] = receipt["error"] or fault
        if all(values[element["setting"]] == element["target"] for element in step):
            receipt.update({"state": "done", "error": None, "wrote": list(receipt["mine"])})
        elif receipt["error"] is None:
            wrong = [element for element in step if values[element["setting"]] != element["target"]][0]
            receipt["error"] = "%s reads %s after it was set to %s" % (wrong["setting"], values[wrong["setting"]], wrong["target"])
        self.save_receipt(receipt)
        self.prune(receipt["op_id"])
        return self.answer_from(receipt, is_busy=False)

    def compare(self, step, values, fault):
        """Raises Refused unless each element reads as seen or target."""
        for element in step:
            now = values[element["setting"]]
            if now is None:
                raise Refused("failed", fault)
            if now not in (element["seen"], element["target"]):
                sentence = "%s reads %s: neither as seen (%s) nor as wanted (%s); nothing was set"
                raise Refused("conflict", sentence % (element["setting"], now, element["seen"], element["target"]))

    def set_each(self, request, receipt, elements, field):
        """Sets elements one by one, each under the fence. Answers why it stopped, None where it did not."""
        for element in elements:
            if not self.fence_lock.take(FENCE_SECONDS):
                return "the fence is held"
            try:
                if request is not None:
                    self.pass_gate(request, True)
                fault = write_setting(self.commands, element["setting"], element[field])
            except Refused as refusal:
                return refusal.sentence
            except Unreadable as error:
                return as_text(str(error))
            finally:
                self.fence_lock.free()
            if fault is not None:
                return fault
            if field == "target":
                receipt["wrote"].append(element["setting"])
                self.save_receipt(receipt)
        return None

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
        if receipt is None or receipt["state"] == "reverted":
            return self.answer_from(receipt)
        if receipt["state"] == "confirmed":
            raise Refused("conflict", "the operation is confirmed: it is undone by a plan, not by a revert")
        return self.revert(receipt, request, say)

    def revert(self, receipt, request, say):
        """Sets the inverse of whatever this operation wrote. The mutex is held. `request` is None for the dead-man."""
        mine = [element for element in receipt["step"] if element["setting"] in receipt["mine"]]
        receipt["reverting"] = True
        self.save_receipt(receipt)
        if request is not None:
            self.set_mark(request)
        say(self.answer_from(receipt, is_busy=True))
        self.commands.forget()
        values, fault = self.read([element["setting"] for element in mine])
        back = []
        for element in mine:
            if values[element["setting"]] == element["target"]:
                back.append(element)
            elif values[element["setting"]] not in (element["inverse"], element["seen"]):
                fault = fault or "%s reads %s: somebody else set it, it stays" % (element["setting"], values[element["setting"]])
        fault = self.set_each(request, receipt, back, "inverse") or fault
        values, unread = self.read([element["setting"] for element in receipt["step"]])
        receipt["after"] = values
        receipt["error"] = fault or unread
        if all(values[element["setting"]] in (element["inverse"], element["seen"]) for element in mine):
            receipt.update({"state": "reverted", "error": None})
        receipt["reverting"] = False
        dead_man = receipt.get("deadman")
        if dead_man is not None and dead_man["state"] == "armed" and receipt["state"] == "reverted":
            dead_man["state"] = "fired" if request is None else "disarmed"
        self.save_receipt(receipt)
        return self.answer_from(receipt, is_busy=False)

    # The dead-man.

    def arm(self, receipt, seconds):
        """Starts a process of its own that takes the step back at its time. Returns once it stands; only then may anything be set."""
        due = int(uptime() + seconds)
        token = as_text(hashlib.sha256(os.urandom(32)).hexdigest())[:16]
        receipt["deadman"] = {"state": "armed", "due_uptime_s": due, "boot_id": self.boot, "token": token}
        self.save_receipt(receipt)
        self.save({"op_id": receipt["op_id"], "boot_id": self.boot}, "armed.json")
        ours, theirs = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(ours)
            self.mutex.free()
            os.setsid()
            if os.fork():
                os._exit(0)
            self.in_the_dark(theirs, lambda say: self.watch(receipt["op_id"], token, due, say))
        os.close(theirs)
        os.waitpid(child, 0)
        stands = os.read(ours, 65536)
        os.close(ours)
        if not stands:
            raise Refused("failed", "the dead-man could not be started; nothing was set")

    def watch(self, op_id, token, due, say):
        """The dead-man's life: wait, look, and at its time take the mutex and set everything back. Once only."""
        say({"state": "none"})
        while True:
            receipt = self.receipt(op_id)
            if not self.is_armed(receipt, token):
                return None
            left = due - uptime()
            if left > 0:
                time.sleep(min(left, POLL_SECONDS if left < 10 else 1.0))
                continue
            if not self.mutex.take(1.0):
                continue
            try:
                receipt = self.receipt(op_id)
                if self.is_armed(receipt, token):
                    self.revert(receipt, None, say)
                    if receipt["state"] != "reverted":
                        # Something of ours cannot be set back now: try again, as long as nobody confirms.
                        due = uptime() + 5.0
                        continue
                return None
            finally:
                self.mutex.free()

    def is_armed(self, receipt, token):
        dead_man = receipt.get("deadman") if receipt is not None else None
        is_ours = dead_man is not None and dead_man["state"] == "armed" and dead_man.get("token") == token
        return is_ours and receipt["state"] in ("started", "done")

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
            raise Refused("not_allowed", "cannot tell whether datastore %s is local: %s" % (name, error))
        if name not in local:
            raise Refused("not_allowed", "datastore %s is not on a local disk: the runner may not live there" % name)


def local_datastores(commands):
    """Names and ids of the datastores all of whose disks are local. Raises Unreadable."""
    disks = dict((row.get("Device"), row.get("IsLocal") == "true") for row in commands.rows("storage", "core", "device", "list"))
    found = {}
    for row in commands.rows("storage", "vmfs", "extent", "list"):
        for name in (row.get("VolumeName"), row.get("VMFSUUID")):
            if name:
                found[name] = found.get(name, True) and disks.get(row.get("DeviceName"), False)
    return [name for name in found if found[name]]


def place(commands):
    """Where a runner may live on this host, and why."""
    try:
        uuids = set(row.get("VMFSUUID") for row in commands.rows("storage", "vmfs", "extent", "list"))
        names = [name for name in local_datastores(commands) if name not in uuids]
    except Unreadable as error:
        return {"folder": "/etc/plumbline", "why": "datastores cannot be read (%s)" % error}
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
        found = {"state": "refused", "reason": "failed", "error": "%s: %s" % (type(error).__name__, error)}
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
