# What an SSH channel runs on an ESXi host, whatever it wants of the plumbline runner there: a fixed text. Standard input brings one line of
# JSON {act, folder, sha256} and then the rest: the request (ask), the text of the runner (install, place), nothing (check_in).
# The runner is hashed and run from the same bytes, so nothing can change in between. No single quote may stand in this text.
import hashlib
import json
import os
import subprocess
import sys

stream = getattr(sys.stdin, "buffer", sys.stdin)
head = json.loads(stream.readline().decode("ascii"))
folder = os.environ.get("PLUMBLINE_ROOT", "") + head["folder"]
path = os.path.join(folder, "host_runner.py")


def digest(data):
    return hashlib.sha256(data.replace(b"\r\n", b"\n").rstrip(b"\n")).hexdigest()


def end(word):
    sys.stdout.write(json.dumps({"call": word}, sort_keys=True)[:-1] + ", \"end\": \"plumbline\"}\n")
    sys.stdout.flush()
    os._exit(0)


def run(data, arguments):
    sys.argv = [path] + arguments
    exec(compile(data, path, "exec"), {"__name__": "__main__", "__file__": path})


if head["act"] == "ask":
    if not os.path.isfile(path):
        end("not_installed")
    with open(path, "rb") as file:
        data = file.read()
    if digest(data) != head["sha256"]:
        end("altered")
    run(data, [])
elif head["act"] == "check_in":
    agent = os.path.join(folder, "host_agent.py")
    if not os.path.isfile(agent):
        end("not_installed")
    with open(os.devnull, "r+b") as nothing:
        code = subprocess.call([sys.executable, agent, "--once"], stdin=nothing, stdout=nothing, stderr=nothing)
    end("checked_in" if code == 0 else "not_delivered")
else:
    data = stream.read()
    if digest(data) != head["sha256"]:
        end("damaged")
    if head["act"] == "place":
        run(data, ["--place"])
    elif head["act"] == "install":
        if not os.path.isdir(folder):
            os.makedirs(folder, 0o700)
        handle = os.open(path + ".tmp", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o700)
        while data:
            data = data[os.write(handle, data) :]
        os.fsync(handle)
        os.close(handle)
        os.rename(path + ".tmp", path)
        end("installed")
