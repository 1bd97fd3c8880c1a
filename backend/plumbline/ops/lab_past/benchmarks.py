"""What DiskSpd printed on a lab host: sequential reads of 256 KiB, the workload on which the papers show flow control best."""

from datetime import datetime

_BLOCK = 256 * 1024
_SECONDS = 60
_RULE = "-" * 100 + "\n"
_HEADING = "thread |       bytes     |     I/Os     |    MiB/s   |  I/O per s |  AvgLat  | LatStdDev |  file\n"


def diskspd_output(host: str, at: datetime, requests: float) -> bytes:
    """One run of a minute that began at `at` and reached so many requests a second."""
    latency = 32_000 / requests
    return (
        "\nCommand Line: diskspd.exe -b256K -d60 -t4 -o8 -si -w0 -L E:\\io.dat\n\nInput parameters:\n\n"
        f"\ttimespan:   1\n\t-------------\n\tduration: {_SECONDS}s\n\twarm up time: 5s\n\tcool down time: 0s\n\tmeasuring latency\n"
        "\trandom seed: 0\n\tpath: 'E:\\io.dat'\n\t\tthink time: 0ms\n\t\tperforming read test\n\t\tblock size: 256KiB\n"
        "\t\tusing interlocked sequential I/O (stride: 256KiB)\n\t\tnumber of outstanding I/O operations: 8\n\t\tthreads per file: 4\n\n"
        f"System information:\n\n\tcomputer name: {host}\n\tstart time: {at:%Y/%m/%d %H:%M:%S} UTC\n\n"
        f"Results for timespan 1:\n{'*' * 80}\n\nactual test time:\t{_SECONDS}.00s\nthread count:\t\t4\nproc count:\t\t8\n\n"
        "CPU |  Usage |  User  |  Kernel |  Idle\n-------------------------------------------\n"
        "   0|  14.00%|   2.00%|   12.00%|  86.00%\n-------------------------------------------\n"
        "avg.|  14.00%|   2.00%|   12.00%|  86.00%\n\n"
        + _table("Total", requests, latency)
        + _table("Read", requests, latency)
        + _table("Write", 0, 0)
        + "\n\ntotal:\n  %-ile |  Read (ms) | Write (ms) | Total (ms)\n----------------------------------------------\n"
        + "".join(
            f"{name:>7} | {latency * share:10.3f} |        N/A | {latency * share:10.3f}\n"
            for name, share in (("min", 0.2), ("50th", 0.9), ("99th", 3.1), ("max", 9.0))
        )
    ).encode()


def _table(name: str, requests: float, latency: float) -> str:
    count = round(requests * _SECONDS)
    mib = requests * _BLOCK / 1024**2
    row = f"{count * _BLOCK:15d} | {count:12d} | {mib:10.2f} | {requests:10.2f} | {latency:8.3f} | {latency / 5:9.3f}"
    return f"{name} IO\n{_HEADING}{_RULE}     0 | {row} | E:\\io.dat (100GiB)\n{_RULE}total: {row}\n\n"
