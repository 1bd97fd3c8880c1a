"""Outputs in the form of each tool, with our own figures. Functions, so that a test changes what it is about."""

# ruff: noqa: E501 - outputs are as wide as the tools print them
from collections.abc import Sequence

VDBENCH_COLUMNS = (
    "Nov 20, 2026    interval        i/o   MB/sec   bytes   read     resp     read    write     read    write     resp  queue  cpu%  cpu%\n"
    "                               rate  1024**2     i/o    pct     time     resp     resp      max      max   stddev  depth sys+u   sys\n"
)


def vdbench_run(
    *,
    name: str = "rd1",
    rate: float = 8000.0,
    read: float = 66.9,
    block: int = 8192,
    elapsed: int = 1200,
    interval: int = 5,
    finished: bool = True,
) -> str:
    """One run of a summary: two intervals as a sample, then the averages unless it was stopped."""
    last = elapsed // interval
    mib = rate * block / 1024 / 1024

    def line(label: str) -> str:
        return f"10:00:05.000 {label:>11} {rate:10.1f} {mib:8.2f} {block:7d} {read:6.2f}    2.500    2.400    2.700    40.00    50.00    1.200   20.0   6.1   2.1\n"

    begun = f"10:00:00.001 Starting RD={name}; I/O rate: Uncontrolled MAX; elapsed={elapsed}; For loops: None\n\n"
    return begun + VDBENCH_COLUMNS + line("1") + line("2") + (line(f"avg_2-{last}") if finished else "")


def vdbench(*runs: str) -> str:
    """A summary of these runs."""
    head = "Copyright (c) 2000, 2018, Oracle and/or its affiliates. All rights reserved.\nVdbench summary report, created 10:00:00\n\n"
    return head + "\n".join(runs) + "\n10:20:01.000 Vdbench execution completed successfully\n"


BP1057_PARAMETERS = """\
hd=default
hd=one,system=localhost
sd=sd1,host=one,lun=\\\\.\\PhysicalDrive1,size=102400m,threads=5
wd=wd_read,sd=sd*,xfersize=8192,rdpct=100,skew=67
wd=wd_write,sd=sd*,xfersize=8192,rdpct=0,skew=33
wd=seq,sd=sd*,xfersize=262144,rdpct=100,seekpct=sequential
rd=rd1,wd=wd_*,iorate=max,elapsed=1200,interval=5
rd=rd2,wd=seq,iorate=max,elapsed=1200,interval=5
"""


def diskspd_table(name: str, requests: float, *, latency: float = 1.5, block: int = 8192, seconds: float = 60.0) -> str:
    """One of the three tables of requests."""
    count = int(requests * seconds)
    mib = requests * block / 1024 / 1024
    row = f"{count * block:15d} | {count:12d} | {mib:10.2f} | {requests:10.2f} | {latency:8.3f} | {0.4:9.3f}"
    rule = "-" * 100 + "\n"
    heading = "thread |       bytes     |     I/Os     |    MiB/s   |  I/O per s |  AvgLat  | LatStdDev |  file\n"
    return f"{name} IO\n{heading}{rule}     0 | {row} | E:\\io.dat (10GiB)\n{rule}total: {row}\n\n"


def diskspd(
    *, requests: float = 8000.0, write: int = 33, order: str = "random", block: str = "8KiB", duration: int = 60, upto: str = ""
) -> str:
    """The text of one command; `upto` cuts it before the first place where that stands."""
    size = 1024 * int(block.removesuffix("KiB"))
    mix = {0: "performing read test", 100: "performing write test"}.get(
        write, f"performing mix test (read/write ratio: {100 - write}/{write})"
    )
    text = (
        f"\nCommand Line: diskspd.exe -b{block[:-2]} -d{duration} -t4 -o8 -r -w{write} -L E:\\io.dat\n\nInput parameters:\n\n"
        "\ttimespan:   1\n\t-------------\n"
        f"\tduration: {duration}s\n\twarm up time: 5s\n\tcool down time: 0s\n\tmeasuring latency\n\trandom seed: 0\n\tpath: 'E:\\io.dat'\n"
        f"\t\tthink time: 0ms\n\t\t{mix}\n\t\tblock size: {block}\n\t\tusing {order} I/O ({'alignment' if order == 'random' else 'stride'}: {block})\n"
        "\t\tnumber of outstanding I/O operations: 8\n\t\tthreads per file: 4\n\n"
        "System information:\n\n\tcomputer name: WIN-A\n\tstart time: 2026/11/20 10:00:00 UTC\n\n"
        f"Results for timespan 1:\n{'*' * 80}\n\nactual test time:\t{duration}.00s\nthread count:\t\t4\nproc count:\t\t8\n\n"
        "CPU |  Usage |  User  |  Kernel |  Idle\n-------------------------------------------\n   0|  12.00%|   2.00%|   10.00%|  88.00%\n"
        "-------------------------------------------\navg.|  12.00%|   2.00%|   10.00%|  88.00%\n\n"
    )
    reads = requests * (100 - write) / 100
    for name, rate in (("Total", requests), ("Read", reads), ("Write", requests - reads)):
        text += diskspd_table(name, rate, block=size, seconds=duration)
    text += "\n\ntotal:\n  %-ile |  Read (ms) | Write (ms) | Total (ms)\n----------------------------------------------\n"
    for name, value in (("min", 0.1), ("50th", 1.2), ("99th", 4.5), ("max", 50.0)):
        text += f"{name:>7} | {value:10.3f} | {value:10.3f} | {value:10.3f}\n"
    return text[: text.index(upto)] if upto else text


def diskspd_xml(
    *, counts: Sequence[int] = (3000, 3000), seconds: float = 10.0, write: int = 0, target: str = "<StrideSize>65536</StrideSize>"
) -> str:
    """One document with a target for each count of reads, 64K each, 10 s by default."""
    threads = "".join(
        f"<Thread><Id>{number}</Id><Target><Path>E:\\io.dat</Path><BytesCount>{count * 65536}</BytesCount><IOCount>{count}</IOCount>"
        f"<ReadBytes>{count * 65536}</ReadBytes><ReadCount>{count}</ReadCount><WriteBytes>0</WriteBytes><WriteCount>0</WriteCount></Target></Thread>\n"
        for number, count in enumerate(counts)
    )
    return (
        "<Results>\n<System><ComputerName>WIN-A</ComputerName><Tool><Version>2.0.21a</Version></Tool><RunTime>2026/11/20 10:00:00 UTC</RunTime></System>\n"
        "<Profile><TimeSpans><TimeSpan><Duration>10</Duration><Warmup>5</Warmup><Targets><Target><BlockSize>65536</BlockSize>"
        f"<RandomAccess>false</RandomAccess>{target}<RequestCount>2</RequestCount><WriteRatio>{write}</WriteRatio></Target></Targets></TimeSpan></TimeSpans></Profile>\n"
        f"<TimeSpan><TestTimeSeconds>{seconds:.2f}</TestTimeSeconds><ThreadCount>{len(counts)}</ThreadCount>\n"
        "<CpuUtilization><CPU><UsagePercent>99.00</UsagePercent></CPU><Average><UsagePercent>7.50</UsagePercent></Average></CpuUtilization>\n"
        "<Latency><AverageTotalMilliseconds>1.250</AverageTotalMilliseconds><Bucket><Percentile>99</Percentile><TotalMilliseconds>5.500</TotalMilliseconds></Bucket></Latency>\n"
        f"{threads}</TimeSpan>\n</Results>\n"
    )


NTTTCP_WINDOWS = """\
C:\\tools>ntttcp.exe -s -m 2,*,10.0.0.2 -l 64K -t 60
Copyright Version 5.40
Network activity progressing...

Thread  Time(s) Throughput(KB/s) Avg B / Compl
======  ======= ================ =============
     0   60.000       500000.000     65536.000
     1   60.000       500000.000     65536.000

#####  Totals:  #####

   Bytes(MEG)    realtime(s) Avg Frame Size Throughput(MB/s)
================ =========== ============== ================
    60000.000000      60.000       1460.000         1000.000

Throughput(Buffers/s) Cycles/Byte       Buffers
===================== =========== =============
            16000.000       2.000    960000.000

DPCs(count/s) Pkts(num/DPC)   Intr(count/s) Pkts(num/intr)
============= ============= =============== ==============
     6000.000         1.000       18000.000          0.500

Packets Sent Packets Received Retransmits Errors Avg. CPU %
============ ================ =========== ====== ==========
     1000000            50000        4700      0     12.500
"""

NTTTCP_LINUX = """\
admin@lin1:~$ ntttcp -s10.0.0.2 -P 4 -t 60
NTTTCP for Linux 1.4.0
---------------------------------------------------------
10:00:00 INFO: 4 threads created
10:01:00 INFO: Test run completed.
10:01:00 INFO: #####  Totals:  #####
10:01:00 INFO: test duration    :60.00 seconds
10:01:00 INFO: total bytes      :60000000000
10:01:00 INFO:   throughput     :8.00Gbps
10:01:00 INFO:   retrans segs   :12
10:01:00 INFO: cpu cores        :8
10:01:00 INFO:   idle           :95.50%
10:01:00 INFO: cpu busy (all)   :36.00%
---------------------------------------------------------
"""

IOMETER = """\
'Test Type,Test Description
0,
'Version
1.1.0
'Time Stamp
2026-11-20 10:00:00:000
'Run Time
'hours      minutes    seconds
0          20         0
'Ramp Up Time (s)
30
'Access specifications
'Access specification name,default assignment
8K mix,1
'size,% of size,% reads,% random,delay,burst,align,reply
8192,100,67,100,0,1,0,0
'End access specifications
'Results
'Target Type,Target Name,Access Specification Name,# Managers,# Workers,# Disks,IOps,Read IOps,Write IOps,MBps (Binary),MBps (Decimal),Average Response Time,Errors,Queue Depth,% CPU Utilization
ALL,All,8K mix,1,4,1,8000.000000,5360.000000,2640.000000,62.500000,65.536000,2.500000,0,16,7.500000
MANAGER,WIN-A,8K mix,,4,1,8000.000000,5360.000000,2640.000000,62.500000,65.536000,2.500000,0,16,7.500000
DISK,1: "SAN DISK",,,,1,8000.000000,5360.000000,2640.000000,62.500000,65.536000,2.500000,0,16,
'Time Stamp
2026-11-20 10:21:00:000
"""
