"""Every PowerShell file, parsed by a real grammar in every run, and shown to be what Server 2012 understands.

The Pester suite itself runs where `pwsh` is; where it is not, the last test here prints the skip.
"""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

from tests.agents.windows import powershell
from tests.agents.windows.expected import ROOT, SECTIONS

FOLDER = ROOT / "agents" / "windows"
SHIPPED = [FOLDER / name for name in ("Plumbline-Agent.ps1", "Install-Plumbline.ps1", "Plumbline-Runner.ps1")]
# What a channel runs on a host as it stands: no functions to dot-source, no file of its own there.
SENT = [FOLDER / name for name in ("Call-Runner.ps1", "Send-Probe.ps1", "Start-Agent.ps1")]
RUNNER = FOLDER / "Plumbline-Runner.ps1"
TESTS = sorted((FOLDER / "tests").glob("*.ps1"))
FUNCTIONS = {name: node for path in SHIPPED + TESTS for name, node in powershell.functions_of(path.read_bytes()).items()}
# A stand-in for a cmdlet declares only what the tests need of it.
CALLABLE = {name: node for name, node in FUNCTIONS.items() if name not in powershell.CMDLETS}
OWN = {name for path in SHIPPED for name in powershell.functions_of(path.read_bytes())}
OWN_IN_TESTS = OWN | {name for path in TESTS for name in powershell.functions_of(path.read_bytes())}


def _name(path: Path) -> str:
    return path.name


def test_files_are_where_the_tests_look() -> None:
    assert {path.name for path in SHIPPED + SENT} == {path.name for path in FOLDER.glob("*.ps1")}
    assert {"run.ps1", "StandIn.ps1"} < {path.name for path in TESTS}


@pytest.mark.parametrize("path", SHIPPED + SENT + TESTS, ids=_name)
def test_grammar_understands_the_file(path: Path) -> None:
    assert powershell.parse_faults(path.read_bytes()) == []


@pytest.mark.parametrize("path", SHIPPED + SENT + TESTS, ids=_name)
def test_text_is_plain(path: Path) -> None:
    assert powershell.text_faults(path.read_bytes()) == []


@pytest.mark.parametrize("path", SHIPPED + SENT, ids=_name)
def test_nothing_newer_than_3_0(path: Path) -> None:
    assert powershell.syntax_faults(path.read_bytes(), OWN | set(powershell.functions_of(path.read_bytes()))) == []


@pytest.mark.parametrize("path", TESTS, ids=_name)
def test_tests_have_no_alias(path: Path) -> None:
    assert powershell.test_file_faults(path.read_bytes(), OWN_IN_TESTS) == []


@pytest.mark.parametrize("path", SHIPPED + TESTS, ids=_name)
def test_functions_get_what_they_take(path: Path) -> None:
    source = path.read_bytes()
    # A function that two files define is the file's own one.
    own = {name: node for name, node in powershell.functions_of(source).items() if name in CALLABLE}
    assert powershell.argument_faults(source, CALLABLE | own) == []
    assert powershell.wrapped_list_faults(source, CALLABLE) == []


@pytest.mark.parametrize("path", [*SHIPPED, FOLDER / "tests" / "StandIn.ps1"], ids=_name)
def test_every_variable_is_set_somewhere(path: Path) -> None:
    assert powershell.unset_variable_faults(path.read_bytes()) == []


def test_those_checks_can_fail() -> None:
    source = (
        b"function Get-One {\n    param($A)\n    return , @($A)\n}\nfunction Get-Two { Get-One 1 2; $x = @(Get-One 1); Get-One -B 1; $y }\n"
    )
    functions = powershell.functions_of(source)
    assert [fault.split(": ", 1)[1] for fault in powershell.argument_faults(source, functions)] == [
        "get-one: 2 arguments for 1 parameters",
        "get-one has no -b",
    ]
    assert len(powershell.wrapped_list_faults(source, functions)) == 1
    assert powershell.unset_variable_faults(source) == ["line 5: get-two: $y is never set"]


def test_script_inside_a_string_is_checked_too() -> None:
    scripts = powershell.embedded_scripts(SHIPPED[0].read_bytes())
    assert len(scripts) == 2
    for script in scripts:
        assert powershell.parse_faults(script) == []
        assert powershell.syntax_faults(script, OWN) == []


@pytest.mark.parametrize("path", SHIPPED, ids=_name)
def test_strictness_is_set_and_the_last_line_starts_it(path: Path) -> None:
    source = path.read_text(encoding="ascii")
    assert "Set-StrictMode -Version 3.0\n$ErrorActionPreference = 'Stop'\n" in source
    guard = source.index("if ($MyInvocation.InvocationName -ne '.') {")
    assert source.count("[Environment]::Exit(") == 1
    assert source.index("[Environment]::Exit(") > guard
    assert "Mandatory" not in source  # a dot-sourced file would ask


@pytest.mark.parametrize(
    ("snippet", "words"),
    [
        ("Get-Item -Path 'x' -ErrorAction Stop", "get-item"),
        ("gci", "alias"),
        ("@(1) | % { $_ }", "alias"),
        ("Write-Host 'x'", "write-host"),
        ("Invoke-Expression 'x'", "invoke-expression"),
        ("ConvertTo-Json @{}", "convertto-json"),
        ("Get-FileHash 'x'", "get-filehash"),
        ("Get-NetAdapter -Name '*'", "without -ErrorAction Stop"),
        ("Get-NetAdapter -Name '*' -ErrorAction SilentlyContinue", "hides its errors"),
        ("Get-NetAdapter -Name '*' -Physical -ErrorAction Stop", "-physical"),
        ("ConvertFrom-Json -InputObject $x -AsHashtable -ErrorAction Stop", "-ashashtable"),
        ("Get-VMSwitchTeam -ErrorAction Stop", "outside a read"),
        ("function Get-TcpRead { Get-VMSwitchTeam -ErrorAction Stop }", "outside a read"),
        ("function Get-TcpRow { @{ 'x' = { Get-VMSwitchTeam -ErrorAction Stop } } }", "outside a read"),
        ("Restart-NetAdapter -Name 'x' -ErrorAction Stop", "-name"),
        ("Set-NetAdapterAdvancedProperty -InputObject $x -RegistryKeyword '*RSS' -ErrorAction Stop", "-registrykeyword"),
        ("$x = [Text.StringBuilder]::new()", ".new()"),
        ("$x.Where({ $_ })", ".Where()"),
        ("$x = [Array]::Empty()", ".Empty()"),
        ("if ($IsWindows) { 1 }", "$IsWindows"),
        ("class X { }", "class is 5.0"),
        ("$a && $b", "7.0"),
        ('$x = "`u{41}"', "6.0"),
    ],
)
def test_checks_can_fail(snippet: str, words: str) -> None:
    faults = powershell.syntax_faults(snippet.encode() + b"\n", OWN)
    assert [fault for fault in faults if words in fault], faults


@pytest.mark.parametrize("snippet", ["$x = $a ?? $b", "$x = if ($a) {", "function { }", "$x = $a ? 1 : 2", "@{ a = }"])
def test_grammar_check_can_fail(snippet: str) -> None:
    assert powershell.parse_faults(snippet.encode() + b"\n")


@pytest.mark.parametrize("source", [b"'\xc3\xb6'\n", b"a\tb\n", b"a\r\n", b"a \n", b"a", b"x" * 141 + b"\n"])
def test_text_check_can_fail(source: bytes) -> None:
    assert powershell.text_faults(source)


def test_guarded_cmdlet_is_allowed_where_its_absence_is_an_answer() -> None:
    read = b"function Get-VSwitchRead { return [ordered]@{ 'x' = { Get-VMSwitchTeam -ErrorAction Stop } } }\n"
    assert powershell.syntax_faults(read, ()) == []


def test_alias_check_of_tests_can_fail() -> None:
    assert powershell.test_file_faults(b"It 'x' { gci }\n", ())
    assert powershell.test_file_faults(b"It 'x' { Write-Host 'x' }\n", ())


AGENT = SHIPPED[0].read_text(encoding="ascii")
_SECTION = re.compile(r"(?m)^    @\{ name = '(\w+)'; limit_ms = (\d+); reads = (?:\((Get-\w+)\)|\[ordered\]@\{)")
_READ = re.compile(r"(?m)^(?: {8}| {12})'([^']+)' = \{|reads = \[ordered\]@\{ '([^']+)' = \{")
SECTION_ROWS = [(name, int(limit), function) for name, limit, function in _SECTION.findall(AGENT)]


# What a runspace runs by its name, and the one function that runs a read there.
RUN_BY_NAME = {name.lower() for name in re.findall(r"Invoke-Function '([\w-]+)'", AGENT)} | {"read-row"}


def _flat(text: str) -> str:
    """One line, comment marks and line breaks gone, so that a list may be wrapped."""
    return re.sub(r"\s+", " ", re.sub(r"(?m)^\s*# ?", "", text)).replace("@( ", "@(")


def _section_text(agent: str, functions: dict[str, str], name: str, function: str) -> str:
    """The text that holds the reads of one section: its function, or its own row of the table."""
    if function:
        return functions.get(function.lower(), "")
    start = agent.index(f"@{{ name = '{name}';")
    following = _SECTION.search(agent, start + 1)
    return agent[start : following.start() if following else agent.index("\n)\n", start)]


def section_faults(agent: str, sections: dict[str, dict[str, dict[str, list[str]]]]) -> list[str]:
    """What of the agreement the agent does not read, in the agreed order of sections, reads and fields."""
    functions = {name: powershell.text_of(node) for name, node in powershell.functions_of(agent.encode()).items()}
    rows = _SECTION.findall(agent)
    faults = []
    if [row[0] for row in rows] != list(sections):
        faults.append("sections or their order differ")
    for section, _, function in rows:
        text = _section_text(agent, functions, section, function)
        starts = [(match.start(), match.group(1) or match.group(2)) for match in _READ.finditer(text)]
        if [name for _, name in starts] != list(sections.get(section, {})):
            faults.append(f"{section}: reads or their order differ")
            continue
        for at, (start, read) in enumerate(starts):
            window = text[start : starts[at + 1][0] if at + 1 < len(starts) else len(text)]
            flat = _flat(" ".join([window, *(functions[name] for name in sorted(_reached(window, functions)))]))
            for kind in ("fields", "keyword_fields", "list"):
                wanted = sections[section][read].get(kind)
                if not wanted:
                    continue
                quoted = ", ".join(f"'{name}'" for name in wanted) + ")"
                if ("@(" + quoted if kind == "list" else quoted) not in flat and f"Fields {', '.join(wanted)}." not in flat:
                    faults.append(f"{section}/{read}: {kind} or their order differ")
    return faults


def _reached(window: str, functions: dict[str, str]) -> set[str]:
    """Functions that a read calls, and those that they call."""
    found: set[str] = set()
    waiting = [window]
    for _ in range(3):
        called = {name.lower() for text in waiting for name in re.findall(r"[A-Z]\w+-[A-Z]\w+", text)} & set(functions) - found
        found |= called
        waiting = [functions[name] for name in called]
    return found


def test_agent_reads_what_was_agreed_in_that_order() -> None:
    assert section_faults(AGENT, SECTIONS) == []


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("'InstallState'", "'State'", "system/Get-WindowsFeature: fields"),
        ("'Get-NetAdapterLso' = {", "'Get-NetAdapterLSO' = {", "offload: reads"),
        ("'TeamNics')", "'TeamNics', 'Name')", "adapters/Get-NetLbfoTeam: list"),
        ("name = 'qos'", "name = 'qqos'", "sections"),
        ("'IsConnected', 'IsPersistent'", "'IsPersistent', 'IsConnected'", "iscsi/Get-IscsiSession: fields"),
    ],
)
def test_agreement_check_can_fail(old: str, new: str, words: str) -> None:
    assert old in AGENT
    faults = section_faults(AGENT.replace(old, new), SECTIONS)
    assert [fault for fault in faults if words in fault], faults


def test_what_runs_apart_is_handed_what_it_uses() -> None:
    """A section runs in a runspace that inherits no variable: each `$script:` one it may reach must be shared by name."""
    agent = powershell.functions_of(AGENT.encode())
    texts = {name: powershell.text_of(node) for name, node in agent.items()}
    calls = {name: {called for _, called, _ in powershell._commands(node)} & set(agent) for name, node in agent.items()}
    # What a row of the table calls runs apart as well, and so does a read that is handed over as text.
    table = AGENT[AGENT.index("$script:SectionTable = @(") :].split("\n)\n")[0]
    waiting = [name.lower() for name in re.findall(r"Get-\w+", table) if name.lower() in agent]
    waiting += sorted(RUN_BY_NAME)
    reached: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            waiting += calls[name]
    used = {variable for name in reached for variable in re.findall(r"\$script:(\w+)", texts[name])}
    shared = set(re.findall(r"(?m)^\s+(\w+)\s+= \$script:", texts["get-sharedvariable"]))
    assert len(reached) > 40
    assert used == shared


def test_no_function_is_forgotten() -> None:
    agent = powershell.functions_of(AGENT.encode())
    called = {name for path in SHIPPED for _, name, _ in powershell._commands(powershell.parse(path.read_bytes()))}
    assert set(agent) - called - RUN_BY_NAME == set()


def test_section_limits_are_bounded() -> None:
    assert len(SECTION_ROWS) == 13
    assert all(12_000 <= limit <= 20_000 for _, limit, _ in SECTION_ROWS)
    # A read for itself, and all sections together: sections that hang do not add up.
    assert re.findall(r"(?m)^\$script:(ReadLimitMs|CollectMs)\s+= (\d+)", AGENT) == [("CollectMs", "50000"), ("ReadLimitMs", "8000")]


def test_collecting_changes_nothing() -> None:
    """No verb that changes a host is called anywhere in the agent."""
    names = {name for _, name, _ in powershell._commands(powershell.parse(AGENT.encode()))} - OWN
    harmless = {"get", "new", "convertfrom", "foreach", "where", "select"}
    assert {name for name in names if name.split("-")[0] not in harmless} == {"set-strictmode", "start-sleep", "add-type"}


def test_pester_suite_passes() -> None:
    pwsh = shutil.which("pwsh")
    if pwsh is None:
        pytest.skip("pwsh is not on PATH: the Pester suite of the Windows agent was not run")
    ran = subprocess.run([pwsh, "-NoProfile", "-File", str(FOLDER / "tests" / "run.ps1")], capture_output=True, text=True, timeout=280)
    assert ran.returncode == 0, ran.stdout[-4000:] + ran.stderr[-2000:]


def runner_settings(source: bytes) -> dict[str, tuple[str, str, list[str]]]:
    """What the runner's table says: kind.key -> (pattern of ids, pattern of values, keywords), read from its text."""
    text = powershell.text_of(powershell.functions_of(source)["get-settingtable"])
    whole = source.decode("ascii")
    named = dict(re.findall(r"(?m)^\$script:(\w+) = '([^']*)'$", whole)) | dict(re.findall(r"(?m)^    \$(\w+) = '([^']*)'$", text))

    def plain(word: str) -> str:
        return word[1:-1] if word.startswith("'") else named[word.removeprefix("$").removeprefix("script:")]

    found: dict[str, tuple[str, str, list[str]]] = {}
    for key, value, keywords in re.findall(r"@\('([\w.]+)', ('[^']*'|\$\w+), @\(([^)]*)\)\)", text):
        found[key] = (named["AdapterId"], plain(value), re.findall(r"'([^']+)'", keywords))
    bases = {
        name: dict(re.findall(r"(\w+) = ('[^']*'|\$[\w:]+)", body)) for name, body in re.findall(r"\$(\w+) = @\{ (id = [^}]*) \}", text)
    }
    for key, base, body in re.findall(r"\$table\['([\w.]+)'\] = (?:\$(\w+) \+ )?@\{\s*([^}]*(?:\{[^}]*\}[^}]*)*)\}\n", text):
        row = bases.get(base, {}) | dict(re.findall(r"(\w+) = ('[^']*'|\$[\w:]+)", body))
        found[key] = (plain(row["id"]), plain(row["value"]), re.findall(r"'(\*\w+)'", body))
    for component in re.findall(r"'(ms_\w+)'", text):
        found[f"adapter.binding.{component}"] = (named["AdapterId"], "True|False", [])
    for key in re.findall(r"'(host\.tcp\.\w+)' = '\w+'", text):
        found[key] = ("", "Enabled|Disabled", [])
    return found


def test_the_runner_changes_exactly_what_the_agreement_lists() -> None:
    agreement = yaml.safe_load((ROOT / "agents" / "schema" / "runner-settings.yaml").read_text())
    wanted = {
        key: (agreement["ids"][entry["id"]], entry["value"], entry.get("keywords", [])) for key, entry in agreement["windows"].items()
    }
    assert runner_settings(RUNNER.read_bytes()) == wanted


def test_that_comparison_can_fail() -> None:
    good = RUNNER.read_bytes()
    for old, new in (
        (b"'[0-4]'", b"'[0-9]'"),
        (b"'*RSSProfile'", b"'RSSProfile'"),
        (b"'ms_pacer'", b"'ms_tcpip'"),
        (b"'None|FOO|", b"'FOO|"),
    ):
        assert old in good
        assert runner_settings(good.replace(old, new)) != runner_settings(good)


def test_only_the_runner_changes_anything() -> None:
    """Cmdlets that change a host stand in the runner and nowhere else, and nothing there runs text that arrived."""
    for path in SHIPPED + SENT:
        names = {name for _, name, _ in powershell._commands(powershell.parse(path.read_bytes()))}
        changing = {name for name in names & set(powershell.CHANGING) if not name.startswith("get-")}
        assert (changing != set()) == (path == RUNNER), path.name
    text = RUNNER.read_text("ascii")
    for word in ("scriptblock", "Invoke-Expression", "iex ", "AddScript", "Invoke-Command", "& $"):
        assert word not in text, word


def test_no_function_of_the_runner_is_forgotten() -> None:
    own = set(powershell.functions_of(RUNNER.read_bytes()))
    called = {name for _, name, _ in powershell._commands(powershell.parse(RUNNER.read_bytes()))}
    assert own - called == set()


def test_what_a_channel_sends_stays_short() -> None:
    for path in SENT:
        assert len(path.read_bytes()) < 2500, path.name
