<#
.SYNOPSIS
Reads how this Windows host is set up for its SAN and sends it to Plumbline as a check-in.

.DESCRIPTION
Collecting never changes the host. What is read: operating system, cluster membership, network adapters with their advanced properties,
offloads, TCP templates and filters, bindings, iSCSI initiator, MPIO, QoS, virtual switches, disks, and do-not-fragment pings from every SAN
address to every portal. Display texts are never looked at, so the language of the host does not matter. The agent writes only its own
state folder, its log, its event log source, and one volatile registry key that names the boot.

Needs Windows Server 2012 or later, Windows PowerShell 3.0, the modules that come with the system, and SYSTEM or an administrator.
Only stands here what 3.0 and .NET Framework 4.5 know. The agreement about sections is agents/schema/windows-sections.yaml.

.PARAMETER Once
Collects and sends now, whatever the schedule says.

.PARAMETER Show
Prints the check-in that would be sent, all bodies included, and sends nothing. Needs no enrolment and touches no state.

.PARAMETER SelfCheck
Says whether this host can run the agent: versions, TLS, folder, enrolment, scheduled task, server, each section.

.PARAMETER StateFolder
The agent's own folder. Default: Plumbline under ProgramData.

.PARAMETER Section
With -Show: only these sections.
#>
param(
    [switch]$Once,
    [switch]$Show,
    [switch]$SelfCheck,
    [string]$StateFolder = '',
    [string[]]$Section = @()
)
Set-StrictMode -Version 3.0
$ErrorActionPreference = 'Stop'
$ProgressPreference = 'SilentlyContinue'

$script:AgentVersion = '1.0.0'
$script:CheckInPath = '/agent/v1/check-in'
$script:ContentType = 'application/vnd.plumbline.check-in+ndjson'
$script:WallMs = 60000                   # the whole run; collecting stops earlier, so that there is time to send
$script:CollectMs = 50000
$script:GrowthLimitBytes = 104857600     # how far the process may grow while it collects
$script:SpoolFileLimit = 200
$script:SpoolByteLimit = 52428800
$script:LogByteLimit = 262144
$script:RejectedKept = 5
$script:RetryBaseSeconds = 30
$script:RetryCapSeconds = 900
$script:HoldSeconds = 3600               # after 401, 403 and a used sequence number
$script:DrainPauseMs = 5000              # between two spooled check-ins
$script:ProbeLimitMs = 8000
$script:ProbePortalLimit = 16

# In the order of agents/schema/windows-sections.yaml. A limit is the most one section may take; all share what is left of CollectMs.
$script:SectionTable = @(
    @{ name = 'system'; function = 'Get-SystemSection'; limit_ms = 15000 }
    @{ name = 'adapters'; function = 'Get-AdapterSection'; limit_ms = 12000 }
    @{ name = 'properties'; function = 'Get-PropertySection'; limit_ms = 12000 }
    @{ name = 'property_catalogue'; function = 'Get-PropertyCatalogueSection'; limit_ms = 8000 }
    @{ name = 'offload'; function = 'Get-OffloadSection'; limit_ms = 8000 }
    @{ name = 'tcp'; function = 'Get-TcpSection'; limit_ms = 8000 }
    @{ name = 'bindings'; function = 'Get-BindingSection'; limit_ms = 8000 }
    @{ name = 'iscsi'; function = 'Get-IscsiSection'; limit_ms = 10000 }
    @{ name = 'mpio'; function = 'Get-MpioSection'; limit_ms = 10000 }
    @{ name = 'qos'; function = 'Get-QosSection'; limit_ms = 6000 }
    @{ name = 'vswitch'; function = 'Get-VSwitchSection'; limit_ms = 6000 }
    @{ name = 'storage'; function = 'Get-StorageSection'; limit_ms = 8000 }
    @{ name = 'probes'; function = 'Get-ProbeSection'; limit_ms = 12000 }
)

$script:Invariant = [Globalization.CultureInfo]::InvariantCulture
$script:PlainText = New-Object Text.RegularExpressions.Regex('\A[\x20-\x21\x23-\x5b\x5d-\x7e]*\z')
$script:Utf8 = New-Object Text.UTF8Encoding($false, $true)    # no mark at the start, throws on bad input
$script:Noted = @{ nuls = 0; surrogates = 0 }                 # what the JSON writer had to mend
# Lists that are sets to the system, which prints them in any order.
$script:SetName = @('Members', 'TeamNics', 'NetAdapterInterfaceDescriptions', 'NetAdapterInterfaceDescription', 'Disks')

# ---- sections and their time limits ----------------------------------------------------------------------------------

function Get-SharedVariable {
    # A new runspace inherits nothing, so what the functions use is handed in by name.
    return @{
        Invariant        = $script:Invariant
        PlainText        = $script:PlainText
        Noted            = $script:Noted
        SetName          = $script:SetName
        PinSource        = $script:PinSource
        ProbeLimitMs     = $script:ProbeLimitMs
        ProbePortalLimit = $script:ProbePortalLimit
    }
}

function New-SectionRunspace {
    param([hashtable]$Variable)
    $state = [Management.Automation.Runspaces.InitialSessionState]::CreateDefault()
    foreach ($function in @(Get-ChildItem -Path 'function:' -ErrorAction Stop)) {
        # Ours come from a file: the host's own do not, and a module's belong to it.
        if ($function.ModuleName -or -not $function.ScriptBlock.File) { continue }
        $entry = New-Object Management.Automation.Runspaces.SessionStateFunctionEntry($function.Name, $function.Definition)
        $state.Commands.Add($entry)
    }
    foreach ($name in @($Variable.Keys)) {
        $entry = New-Object Management.Automation.Runspaces.SessionStateVariableEntry($name, $Variable[$name], '')
        $state.Variables.Add($entry)
    }
    $runspace = [Management.Automation.Runspaces.RunspaceFactory]::CreateRunspace($state)
    $runspace.Open()
    return $runspace
}

$script:SectionWrapper = @'
param($Name, $Context)
Set-StrictMode -Version 3.0
$global:ErrorActionPreference = 'Stop'; $global:ProgressPreference = 'SilentlyContinue'
try {
    $found = @(& $Name $Context)
    if ($found.Count -ne 1 -or $found[0] -isnot [Collections.IDictionary]) {
        throw ('{0} objects instead of one dictionary' -f $found.Count)
    }
    @{ status = 'ok'; data = $found[0]; error = '' }
}
catch {
    $status = 'failed'
    if ($_.Exception -is [Management.Automation.CommandNotFoundException] -or $_.Exception -is [NotSupportedException]) {
        $status = 'unavailable'
    }
    @{ status = $status; data = $null; error = ('{0} ({1})' -f $_.Exception.Message, $_.FullyQualifiedErrorId) }
}
'@

function Invoke-Section {
    # Runs one function in a runspace of its own, for at most LimitMs. Answers status, data, error and took_ms.
    param([string]$Name, [int]$LimitMs, [hashtable]$Context, [hashtable]$Shelf)
    if ($null -eq $Shelf['Runspace']) { $Shelf['Runspace'] = New-SectionRunspace $Shelf['Variable'] }
    $clock = [Diagnostics.Stopwatch]::StartNew()
    $shell = [Management.Automation.PowerShell]::Create()
    $shell.Runspace = $Shelf['Runspace']                      # used again: a module loads once for all sections
    $null = $shell.AddScript($script:SectionWrapper).AddArgument($Name).AddArgument($Context)
    $call = $shell.BeginInvoke()
    if ($call.AsyncWaitHandle.WaitOne($LimitMs)) {
        try {
            $answer = @($shell.EndInvoke($call))[0].PSObject.BaseObject
            $result = [ordered]@{ status = $answer['status']; data = $answer['data']; error = $answer['error'] }
        }
        catch { $result = [ordered]@{ status = 'failed'; data = $null; error = $_.Exception.Message } }
        $shell.Dispose()
    }
    else {
        # A call that hangs inside .NET cannot be stopped, and Stop() or Dispose() would wait for it as well: it is left behind.
        if (-not $shell.BeginStop($null, $null).AsyncWaitHandle.WaitOne(500)) { $Shelf['Hung'] = $Shelf['Hung'] + 1 }
        $Shelf['Runspace'] = $null                            # the next section gets a fresh one
        $result = [ordered]@{ status = 'failed'; data = $null; error = ('no answer within {0} ms' -f $LimitMs) }
    }
    $result['took_ms'] = [long]$clock.ElapsedMilliseconds
    return $result
}

function New-Shelf {
    param([hashtable]$More = @{})
    $variable = Get-SharedVariable
    foreach ($name in @($More.Keys)) { $variable[$name] = $More[$name] }
    return @{ Runspace = $null; Hung = 0; Variable = $variable }
}

function New-Context {
    return @{ Cache = @{}; Live = @{ sessions = @(); storage_jobs = @() } }
}

function Test-MemoryLeft {
    # True while the process has grown by less than the limit since StartBytes; collects garbage before it gives up.
    param([long]$StartBytes, [long]$LimitBytes)
    $process = [Diagnostics.Process]::GetCurrentProcess()
    if ($process.WorkingSet64 - $StartBytes -lt $LimitBytes) { return $true }
    [GC]::Collect()
    $process.Refresh()
    return ($process.WorkingSet64 - $StartBytes -lt $LimitBytes)
}

function Read-Section {
    # Every section of Table, each within its own limit and all within LimitMs. Answers name -> result of Invoke-Section.
    param([object[]]$Table, [hashtable]$Context, [hashtable]$Shelf, [int]$LimitMs)
    $clock = [Diagnostics.Stopwatch]::StartNew()
    $startBytes = [Diagnostics.Process]::GetCurrentProcess().WorkingSet64
    $results = [ordered]@{}
    foreach ($row in $Table) {
        $left = [int][Math]::Min($row['limit_ms'], $LimitMs - $clock.ElapsedMilliseconds)
        if ($left -lt 250) {
            $results[$row['name']] = [ordered]@{ status = 'failed'; data = $null; error = 'no time left'; took_ms = [long]0 }
        }
        elseif (-not (Test-MemoryLeft $startBytes $script:GrowthLimitBytes)) {
            $results[$row['name']] = [ordered]@{ status = 'failed'; data = $null; error = 'no memory left'; took_ms = [long]0 }
        }
        else { $results[$row['name']] = Invoke-Section $row['function'] $left $Context $Shelf }
    }
    return $results
}

# ---- JSON ------------------------------------------------------------------------------------------------------------

function Add-JsonText {
    param([Text.StringBuilder]$Out, [string]$Text)
    if ($script:PlainText.IsMatch($Text)) {
        $null = $Out.Append('"').Append($Text).Append('"')
        return
    }
    $null = $Out.Append('"')
    for ($i = 0; $i -lt $Text.Length; $i++) {
        $char = $Text[$i]
        $code = [int]$char
        if ($code -eq 0) { $script:Noted['nuls'] = $script:Noted['nuls'] + 1 }
        elseif ($code -eq 34 -or $code -eq 92) { $null = $Out.Append('\').Append($char) }
        elseif ($code -ge 32 -and $code -le 126) { $null = $Out.Append($char) }
        elseif ([char]::IsHighSurrogate($char) -and $i + 1 -lt $Text.Length -and [char]::IsLowSurrogate($Text[$i + 1])) {
            $null = $Out.AppendFormat($script:Invariant, '\u{0:x4}\u{1:x4}', $code, [int]$Text[$i + 1])
            $i++
        }
        elseif ([char]::IsSurrogate($char)) {
            $null = $Out.Append('\ufffd')                     # the door refuses a lone one
            $script:Noted['surrogates'] = $script:Noted['surrogates'] + 1
        }
        else { $null = $Out.AppendFormat($script:Invariant, '\u{0:x4}', $code) }
    }
    $null = $Out.Append('"')
}

function Test-WholeNumber {
    param($Value)
    return ($Value -is [int] -or $Value -is [long] -or $Value -is [uint32] -or $Value -is [uint64] -or $Value -is [int16] -or
        $Value -is [uint16] -or $Value -is [byte] -or $Value -is [sbyte])
}

function Add-JsonValue {
    param([Text.StringBuilder]$Out, $Value, [int]$Depth = 0)
    if ($null -eq $Value) { $null = $Out.Append('null'); return }
    if ($Value -is [string]) { Add-JsonText $Out $Value; return }
    if ($Value -is [bool]) {
        if ($Value) { $null = $Out.Append('true') } else { $null = $Out.Append('false') }
        return
    }
    if ($Value -is [enum]) { Add-JsonText $Out $Value.ToString(); return }
    # A port without link shows 2^64 - 1 as its speed, which is no integer to the door.
    if ($Value -is [uint64] -and $Value -gt [long]::MaxValue) { Add-JsonText $Out $Value.ToString($script:Invariant); return }
    if ((Test-WholeNumber $Value) -or $Value -is [decimal]) { $null = $Out.Append($Value.ToString($script:Invariant)); return }
    if ($Value -is [double] -or $Value -is [single]) {
        if ([double]::IsNaN($Value) -or [double]::IsInfinity($Value)) { $null = $Out.Append('null') }
        else { $null = $Out.Append($Value.ToString('R', $script:Invariant)) }
        return
    }
    if ($Value -is [datetime]) { Add-JsonText $Out (ConvertTo-UtcText $Value); return }
    if ($Depth -ge 16) { throw 'deeper than 16 levels' }
    $comma = ''
    if ($Value -is [Collections.IDictionary]) {
        if ($Value -isnot [Collections.Specialized.OrderedDictionary]) {
            # A plain hashtable has no order of its own.
            $sorted = New-Object 'Collections.Generic.SortedDictionary[string,object]' ([StringComparer]::Ordinal)
            foreach ($pair in $Value.GetEnumerator()) { $sorted.Add([string]$pair.Key, $pair.Value) }
            $Value = $sorted
        }
        $null = $Out.Append('{')
        foreach ($pair in $Value.GetEnumerator()) {           # not .Keys: a key named "Keys" would answer
            $null = $Out.Append($comma)
            $comma = ','
            Add-JsonText $Out ([string]$pair.Key)
            $null = $Out.Append(':')
            Add-JsonValue $Out $pair.Value ($Depth + 1)
        }
        $null = $Out.Append('}')
        return
    }
    if ($Value -is [Collections.IEnumerable]) {
        $null = $Out.Append('[')
        foreach ($item in $Value) {
            $null = $Out.Append($comma)
            $comma = ','
            Add-JsonValue $Out $item ($Depth + 1)
        }
        $null = $Out.Append(']')
        return
    }
    Add-JsonText $Out ([string]::Format($script:Invariant, '{0}', $Value))    # GUID, version: its text, never its members
}

function ConvertTo-StableJson {
    # ASCII, no spaces, keys in their own order: the same bytes on 3.0, 5.1 and 7, which ConvertTo-Json does not give.
    param($Value)
    $out = New-Object Text.StringBuilder
    Add-JsonValue $out $Value
    return $out.ToString()
}

function ConvertTo-UtcText {
    param([datetime]$Time)
    return $Time.ToUniversalTime().ToString('yyyy-MM-ddTHH:mm:ssZ', $script:Invariant)
}

# ---- hashes and bytes ------------------------------------------------------------------------------------------------

function ConvertTo-Hex {
    param([byte[]]$Bytes)
    return [BitConverter]::ToString($Bytes).Replace('-', '').ToLowerInvariant()
}

function ConvertFrom-Hex {
    param([string]$Text)
    $bytes = New-Object byte[] ([int]($Text.Length / 2))
    for ($i = 0; $i -lt $bytes.Length; $i++) { $bytes[$i] = [Convert]::ToByte($Text.Substring(2 * $i, 2), 16) }
    return , $bytes
}

function Get-Sha256Hex {
    param([byte[]]$Bytes)
    try { $hash = [Security.Cryptography.SHA256]::Create() }
    catch { $hash = New-Object Security.Cryptography.SHA256CryptoServiceProvider }    # a FIPS policy refuses the managed one
    try { return ConvertTo-Hex $hash.ComputeHash($Bytes) } finally { $hash.Dispose() }
}

function Get-HmacSha256Hex {
    param([byte[]]$Key, [string]$Text)
    $hmac = New-Object Security.Cryptography.HMACSHA256 -ArgumentList (, $Key)        # without the comma each byte is an argument
    try { return ConvertTo-Hex $hmac.ComputeHash($script:Utf8.GetBytes($Text)) } finally { $hmac.Dispose() }
}

function New-RandomHex {
    param([int]$Length)
    $bytes = New-Object byte[] $Length
    $generator = [Security.Cryptography.RandomNumberGenerator]::Create()
    try { $generator.GetBytes($bytes) } finally { $generator.Dispose() }
    return ConvertTo-Hex $bytes
}

function Get-RandomFraction {
    # 0 <= x < 1, from the system's generator: a herd of hosts restarted together must not draw the same numbers.
    return [Convert]::ToUInt32((New-RandomHex 4), 16) / 4294967296.0
}

function Compress-Bytes {
    param([byte[]]$Bytes)
    $memory = New-Object IO.MemoryStream
    $gzip = New-Object IO.Compression.GZipStream($memory, [IO.Compression.CompressionMode]::Compress, $true)
    try { $gzip.Write($Bytes, 0, $Bytes.Length) } finally { $gzip.Dispose() }         # only Dispose writes the tail
    return , $memory.ToArray()
}

function Get-ScriptHash {
    # Of a script's text before a signature block, CRLF as LF, line ends at its end trimmed: signing does not change it.
    param([string]$Path)
    $text = [Text.Encoding]::ASCII.GetString([IO.File]::ReadAllBytes($Path)).Replace("`r`n", "`n")
    $at = $text.IndexOf('# SIG # Begin signature block', [StringComparison]::Ordinal)
    if ($at -ge 0) { $text = $text.Substring(0, $at) }
    return Get-Sha256Hex $script:Utf8.GetBytes($text.TrimEnd([char]10))
}

# ---- reading without display texts -----------------------------------------------------------------------------------

function Get-Value {
    # The first of these properties that the object has, else null. Its result is never put into @( ), which would wrap a list twice.
    param($InputObject, [string[]]$Name)
    if ($null -ne $InputObject) {
        foreach ($one in $Name) {
            if ($InputObject -is [Collections.IDictionary]) {
                if ($InputObject.Contains($one)) { return , $InputObject[$one] }
                continue
            }
            $property = $InputObject.PSObject.Properties[$one]                        # exact name, no wildcard, does not throw
            if ($null -ne $property) {
                try { return , $property.Value } catch { return $null }
            }
        }
    }
    return $null
}

function ConvertTo-PlainValue {
    # Objects inside a row become all their properties in ordinal order of name; lists stay lists.
    param($Value, [int]$Depth)
    if ($null -eq $Value -or $Value -is [string] -or $Value -is [ValueType]) { return $Value }
    if ($Depth -ge 6) { return [string]::Format($script:Invariant, '{0}', $Value) }
    $found = New-Object 'Collections.Generic.SortedDictionary[string,object]' ([StringComparer]::Ordinal)
    if ($Value -is [Collections.IDictionary]) {
        foreach ($pair in $Value.GetEnumerator()) { $found[[string]$pair.Key] = ConvertTo-PlainValue $pair.Value ($Depth + 1) }
    }
    elseif ($Value -is [Management.Automation.PSCustomObject]) {
        foreach ($property in @($Value.PSObject.Properties)) { $found[$property.Name] = ConvertTo-PlainValue $property.Value ($Depth + 1) }
    }
    elseif ($Value.GetType().FullName -ceq 'Microsoft.Management.Infrastructure.CimInstance') {
        foreach ($property in @($Value.CimInstanceProperties)) {
            $found[$property.Name] = ConvertTo-PlainValue $property.Value ($Depth + 1)
        }
    }
    elseif ($Value -is [Collections.IEnumerable]) {
        $items = New-Object Collections.ArrayList
        foreach ($item in $Value) { $null = $items.Add((ConvertTo-PlainValue $item ($Depth + 1))) }
        return , $items.ToArray()
    }
    else { return [string]::Format($script:Invariant, '{0}', $Value) }
    $plain = [ordered]@{}
    foreach ($pair in $found.GetEnumerator()) { $plain[$pair.Key] = $pair.Value }
    return $plain
}

function Select-Plain {
    # Absent in this release: no key. There and empty: null. Extra gives fields that the object itself does not have.
    param($InputObject, [string[]]$Name, [string[]]$List = @(), [hashtable]$Extra = @{})
    $plain = [ordered]@{}
    foreach ($one in $Name) {
        if ($Extra.ContainsKey($one)) { $value = $Extra[$one] }
        elseif ($InputObject -is [Collections.IDictionary]) {
            if (-not $InputObject.Contains($one)) { continue }
            $value = $InputObject[$one]
        }
        else {
            $property = $InputObject.PSObject.Properties[$one]
            if ($null -eq $property) { continue }
            try { $value = $property.Value } catch { $value = $null }
        }
        if ($List -ccontains $one) {
            $texts = [string[]]@($value | Where-Object { $null -ne $_ } | ForEach-Object { [string]$_ })
            if ($script:SetName -ccontains $one) { [Array]::Sort($texts, [StringComparer]::Ordinal) }
            $plain[$one] = $texts
        }
        else { $plain[$one] = ConvertTo-PlainValue $value 0 }
    }
    return $plain
}

function Get-OrderedRow {
    # Distinct rows in the ordinal order of their own JSON, so that no system's order shows and nothing seems to change.
    param([object[]]$Row)
    $byText = New-Object 'Collections.Generic.SortedDictionary[string,object]' ([StringComparer]::Ordinal)
    foreach ($one in $Row) {
        if ($null -ne $one) { $byText[(ConvertTo-StableJson $one)] = $one }
    }
    return , @($byText.Values)
}

function Read-Table {
    param([scriptblock]$Command, [string[]]$Name, [string[]]$List = @())
    $rows = @(foreach ($object in @(& $Command)) { if ($null -ne $object) { Select-Plain $object $Name $List } })
    return , (Get-OrderedRow $rows)
}

function Test-NothingFound {
    # "No such object" is an answer, "no such command" is not.
    param([Management.Automation.ErrorRecord]$Fault)
    if ($Fault.Exception -is [Management.Automation.CommandNotFoundException]) { return $false }
    return ([string]$Fault.CategoryInfo.Category -ceq 'ObjectNotFound')
}

function Get-Found {
    param([scriptblock]$Command)
    try { return @(& $Command) }
    catch { if (Test-NothingFound $_) { return @() } else { throw } }
}

function Read-Optional {
    # One read among several of a section: its failure does not spoil the others.
    param([scriptblock]$Read)
    try { return [ordered]@{ status = 'ok'; rows = (& $Read) } }
    catch [Management.Automation.CommandNotFoundException] {
        return [ordered]@{ status = 'unavailable'; error = $_.Exception.Message; rows = @() }
    }
    catch [NotSupportedException] {
        return [ordered]@{ status = 'unavailable'; error = $_.Exception.Message; rows = @() }
    }
    catch {
        $id = [string]$_.FullyQualifiedErrorId
        $status = 'failed'
        # No such class, no such namespace, no right to it: the feature is not there for us.
        foreach ($code in '0x80041010', '0x8004100e', '0x80041003') {
            if ($id.IndexOf($code, [StringComparison]::OrdinalIgnoreCase) -ge 0) { $status = 'unavailable' }
        }
        if ([string]$_.CategoryInfo.Category -ceq 'PermissionDenied') { $status = 'unavailable' }
        if ($status -ceq 'failed' -and (Test-NothingFound $_)) { return [ordered]@{ status = 'ok'; rows = @() } }
        return [ordered]@{ status = $status; error = ('{0} ({1})' -f $_.Exception.Message, $id); rows = @() }
    }
}

function Get-Cached {
    # What several sections need is asked once. The result is unrolled: callers write @(Get-Cached ...).
    param([hashtable]$Context, [string]$Key, [scriptblock]$Command)
    $cache = $Context['Cache']
    if (-not $cache.ContainsKey($Key)) { $cache[$Key] = @(& $Command) }
    return $cache[$Key]
}

function Read-Registry {
    # Values of one key below HKEY_LOCAL_MACHINE: name -> {kind, value}; null where there is no such key.
    param([string]$Key)
    $open = [Microsoft.Win32.Registry]::LocalMachine.OpenSubKey($Key)
    if ($null -eq $open) { return $null }
    try {
        $values = @{}
        foreach ($name in $open.GetValueNames()) {
            $values[$name] = [ordered]@{ kind = $open.GetValueKind($name).ToString(); value = $open.GetValue($name) }
        }
        return $values
    }
    finally { $open.Dispose() }
}

function Get-RegistryChild {
    param([string]$Key)
    $names = [string[]]@()
    $open = [Microsoft.Win32.Registry]::LocalMachine.OpenSubKey($Key)
    if ($null -ne $open) {
        try { $names = [string[]]@($open.GetSubKeyNames()) } finally { $open.Dispose() }
    }
    [Array]::Sort($names, [StringComparer]::Ordinal)
    return $names
}

function Get-RegistryData {
    # The bare value, or null where key or value is absent.
    param([string]$Key, [string]$Name)
    $values = Read-Registry $Key
    if ($null -eq $values -or -not $values.ContainsKey($Name)) { return $null }
    return $values[$Name]['value']
}

function Get-OemEncoding {
    # Console tools print in the OEM code page; what it cannot read becomes U+FFFD.
    try { return [Text.Encoding]::GetEncoding([int](Get-RegistryData 'SYSTEM\CurrentControlSet\Control\Nls\CodePage' 'OEMCP')) }
    catch { return New-Object Text.UTF8Encoding($false) }
}

function Invoke-Native {
    # Runs a console program. Argument is built from constants and checked values only.
    param([string]$File, [string]$Argument, [int]$LimitMs)
    $start = New-Object Diagnostics.ProcessStartInfo($File, $Argument)
    $start.UseShellExecute = $false
    $start.CreateNoWindow = $true
    $start.RedirectStandardOutput = $true
    $start.RedirectStandardError = $true
    $start.StandardOutputEncoding = Get-OemEncoding
    $process = [Diagnostics.Process]::Start($start)
    $out = $process.StandardOutput.ReadToEndAsync()
    $null = $process.StandardError.ReadToEndAsync()           # both are read, or a full pipe blocks the program
    if (-not $process.WaitForExit($LimitMs)) {
        $process.Kill()
        throw ('{0} gave no answer within {1} ms' -f $File, $LimitMs)
    }
    if (-not $out.Wait(2000)) { throw ('{0} left its output open' -f $File) }
    return [ordered]@{ code = $process.ExitCode; text = $out.Result }
}

function Invoke-MpClaim {
    param([string]$Argument)
    $file = [Environment]::SystemDirectory + '\mpclaim.exe'
    if (-not [IO.File]::Exists($file)) { throw (New-Object NotSupportedException('mpclaim.exe is not there')) }
    return (Invoke-Native $file $Argument 3000)['text']
}

function Test-Echo {
    # True when an echo of this payload, sent from Source with the do-not-fragment bit, came back. ping.exe also ends with 0 when a
    # router answers that it cannot deliver; only a true reply shows TTL=, which no language translates.
    param([string]$Source, [string]$Portal, [int]$Payload)
    $file = [Environment]::SystemDirectory + '\PING.EXE'
    $argument = '-n 1 -w 500 -f -l {0} -S {1} {2}' -f $Payload, $Source, $Portal
    for ($try = 1; $try -le 2; $try++) {
        $answer = Invoke-Native $file $argument 3000
        if ($answer['code'] -eq 0 -and $answer['text'].IndexOf('TTL=', [StringComparison]::Ordinal) -ge 0) { return $true }
    }
    return $false
}

function Get-StoreCertificate {
    # SHA-256 and end of a certificate of the machine's own store, by thumbprint; null where it is not there.
    param([string]$Thumbprint)
    $store = New-Object Security.Cryptography.X509Certificates.X509Store('My', 'LocalMachine')
    $store.Open([Security.Cryptography.X509Certificates.OpenFlags]::ReadOnly)
    try {
        foreach ($certificate in $store.Certificates) {
            if ($certificate.Thumbprint -eq $Thumbprint) {
                return [ordered]@{ sha256 = (Get-Sha256Hex $certificate.RawData); not_after = (ConvertTo-UtcText $certificate.NotAfter) }
            }
        }
    }
    finally { $store.Close() }
    return $null
}

function Get-Engine {
    return [ordered]@{
        PSVersion  = $PSVersionTable.PSVersion.ToString()
        CLRVersion = [Environment]::Version.ToString()
        Is64Bit    = [Environment]::Is64BitProcess
    }
}

# ---- sections --------------------------------------------------------------------------------------------------------
# One function each. A read is one entry of the section: name -> {status, error?, rows}.

function Get-SystemSection {
    param([hashtable]$Context)
    $body = [ordered]@{}
    $body['Win32_OperatingSystem'] = Read-Optional {
        Read-Table { Get-CimInstance -ClassName 'Win32_OperatingSystem' -OperationTimeoutSec 10 -ErrorAction Stop } @(
            'Caption', 'Version', 'BuildNumber', 'ProductType', 'OSLanguage', 'OperatingSystemSKU')
    }
    $body['Win32_ComputerSystem'] = Read-Optional {
        Read-Table { Get-CimInstance -ClassName 'Win32_ComputerSystem' -OperationTimeoutSec 10 -ErrorAction Stop } @(
            'Name', 'Domain', 'PartOfDomain', 'Manufacturer', 'Model', 'NumberOfLogicalProcessors', 'TotalPhysicalMemory')
    }
    $body['registry:CurrentVersion'] = Read-Optional {
        $values = Read-Registry 'SOFTWARE\Microsoft\Windows NT\CurrentVersion'
        $row = [ordered]@{}
        foreach ($one in 'ProductName', 'CurrentBuild', 'UBR', 'EditionID', 'InstallationType', 'ReleaseId', 'DisplayVersion') {
            if ($null -ne $values -and $values.ContainsKey($one)) { $row[$one] = $values[$one]['value'] }
        }
        Get-OrderedRow @($row)
    }
    $body['registry:KernelDebugger'] = Read-Optional {
        # Fields DebuggerEnabled, AllowFlowControlUnderDebugger. With a debugger NDIS forces flow control off unless the second value is
        # set.
        $options = [string](Get-RegistryData 'SYSTEM\CurrentControlSet\Control' 'SystemStartOptions')
        $row = [ordered]@{ DebuggerEnabled = ($options.Split(' ') -ccontains 'DEBUG') }
        $allowed = Get-RegistryData 'SYSTEM\CurrentControlSet\Services\NDIS\Parameters' 'AllowFlowControlUnderDebugger'
        if ($null -ne $allowed) { $row['AllowFlowControlUnderDebugger'] = $allowed }
        Get-OrderedRow @($row)
    }
    $body['registry:PendingReboot'] = Read-Optional {
        # Fields ComponentBasedServicing, WindowsUpdate, FileRenames.
        $current = 'SOFTWARE\Microsoft\Windows\CurrentVersion\'
        $renames = Get-RegistryData 'SYSTEM\CurrentControlSet\Control\Session Manager' 'PendingFileRenameOperations'
        $row = [ordered]@{
            ComponentBasedServicing = ($null -ne (Read-Registry ($current + 'Component Based Servicing\RebootPending')))
            WindowsUpdate           = ($null -ne (Read-Registry ($current + 'WindowsUpdate\Auto Update\RebootRequired')))
            FileRenames             = ($null -ne $renames)
        }
        Get-OrderedRow @($row)
    }
    $body['registry:Uninstall'] = Read-Optional {
        $rows = @(foreach ($view in 'SOFTWARE\Microsoft\', 'SOFTWARE\WOW6432Node\Microsoft\') {
            $key = $view + 'Windows\CurrentVersion\Uninstall'
            foreach ($child in @(Get-RegistryChild $key)) {
                $values = Read-Registry ($key + '\' + $child)
                if ($null -eq $values -or -not (Test-StorageProduct $values)) { continue }
                $row = [ordered]@{}
                foreach ($one in 'DisplayName', 'DisplayVersion', 'Publisher') {
                    if ($values.ContainsKey($one)) { $row[$one] = $values[$one]['value'] }
                }
                $row
            }
        })
        Get-OrderedRow $rows
    }
    $body['Get-WindowsFeature'] = Read-Optional {
        $names = 'Multipath-IO', 'Data-Center-Bridging', 'Failover-Clustering', 'Hyper-V', 'FS-FileServer'
        Read-Table { Get-WindowsFeature -Name $names -ErrorAction Stop } @('Name', 'InstallState')
    }
    # A host without the cluster service has no cluster: that is an answer, not a failure.
    $body['Get-Cluster'] = Read-Optional {
        Read-Table { $null = Get-Service -Name 'ClusSvc' -ErrorAction Stop; Get-Cluster -ErrorAction Stop } @('Name', 'Id')
    }
    $body['Get-ClusterNode'] = Read-Optional {
        Read-Table { $null = Get-Service -Name 'ClusSvc' -ErrorAction Stop; Get-ClusterNode -ErrorAction Stop } @('Name', 'State')
    }
    $body['Get-ClusterStorageSpacesDirect'] = Read-Optional {
        Read-Table { $null = Get-Service -Name 'ClusSvc' -ErrorAction Stop; Get-ClusterStorageSpacesDirect -ErrorAction Stop } @(
            'State')
    }
    $body['WSMan:Listener'] = Read-Optional {
        # Fields Transport, Port, CertificateSha256, NotAfter. Read from the registry: the WSMan drive would start or ask for the service.
        $key = 'SOFTWARE\Microsoft\Windows\CurrentVersion\WSMAN\Listener'
        $rows = @(foreach ($child in @(Get-RegistryChild $key)) {
            $values = Read-Registry ($key + '\' + $child)
            $row = [ordered]@{ Transport = $child.Substring($child.LastIndexOf('+') + 1) }
            if ($null -ne $values -and $values.ContainsKey('Port')) { $row['Port'] = $values['Port']['value'] }
            if ($null -ne $values -and $values.ContainsKey('certThumbprint')) {
                $thumbprint = ([string]$values['certThumbprint']['value']).Replace(' ', '')
                $certificate = Get-StoreCertificate $thumbprint
                if ($null -ne $certificate) {
                    $row['CertificateSha256'] = $certificate['sha256']
                    $row['NotAfter'] = $certificate['not_after']
                }
            }
            $row
        })
        Get-OrderedRow $rows
    }
    $body['PowerShell'] = Read-Optional { Read-Table { Get-Engine } @('PSVersion', 'CLRVersion', 'Is64Bit') }
    return $body
}

function Test-StorageProduct {
    # Products of storage and adapter vendors, by the names that vendors give them in every language.
    param([hashtable]$Value)
    if (-not $Value.ContainsKey('DisplayName')) { return $false }
    $text = [string]$Value['DisplayName']['value']
    if ($Value.ContainsKey('Publisher')) { $text = $text + ' ' + [string]$Value['Publisher']['value'] }
    foreach ($word in 'broadcom', 'cavium', 'chelsio', 'emulex', 'equallogic', 'host integration', 'intel(r) ethernet', 'intel(r) network',
        'marvell', 'mellanox', 'netxtreme', 'nvidia networking', 'proset', 'qlogic', 'unified wire') {
        if ($text.IndexOf($word, [StringComparison]::OrdinalIgnoreCase) -ge 0) { return $true }
    }
    return $false
}

function Get-Adapter {
    # Every adapter but the hidden virtual ones (WAN miniports, tunnels). Callers write @(Get-Adapter $Context).
    param([hashtable]$Context)
    return @(Get-Cached $Context 'adapters' {
        Get-NetAdapter -Name '*' -IncludeHidden -ErrorAction Stop |
            Where-Object { -not ((Get-Value $_ 'Hidden') -and (Get-Value $_ 'Virtual')) }
    })
}

function Get-AdapterSection {
    param([hashtable]$Context)
    $body = [ordered]@{}
    $body['Get-NetAdapter'] = Read-Optional {
        Read-Table { Get-Adapter $Context } @(
            'Name', 'InterfaceDescription', 'InterfaceGuid', 'ifIndex', 'InterfaceIndex', 'PermanentAddress', 'MacAddress', 'AdminStatus',
            'ifOperStatus', 'MediaConnectionState', 'Speed', 'MtuSize', 'DriverFileName', 'DriverVersion', 'DriverDate', 'DriverProvider',
            'NdisVersion', 'PnPDeviceID', 'ComponentID', 'Virtual', 'Hidden', 'HardwareInterface', 'ConnectorPresent', 'VlanID')
    }
    $body['Get-NetAdapterHardwareInfo'] = Read-Optional {
        Read-Table { Get-NetAdapterHardwareInfo -Name '*' -ErrorAction Stop } @(
            'Name', 'InstanceID', 'Segment', 'Bus', 'Device', 'Function', 'Slot', 'NumaNode', 'PciExpressCurrentLinkWidth')
    }
    $body['Get-NetIPAddress'] = Read-Optional {
        Read-Table { Get-Cached $Context 'addresses' { Get-NetIPAddress -ErrorAction Stop } } @(
            'InterfaceIndex', 'InterfaceAlias', 'IPAddress', 'PrefixLength', 'AddressFamily', 'PrefixOrigin', 'SkipAsSource')
    }
    $body['Get-NetIPInterface'] = Read-Optional {
        Read-Table { Get-Cached $Context 'interfaces' { Get-NetIPInterface -ErrorAction Stop } } @(
            'InterfaceIndex', 'InterfaceAlias', 'AddressFamily', 'NlMtu', 'Dhcp', 'ConnectionState')
    }
    $body['Get-NetRoute'] = Read-Optional {
        Read-Table {
            Get-NetRoute -ErrorAction Stop | Where-Object { '0.0.0.0/0', '::/0' -ccontains $_.DestinationPrefix }
        } @('InterfaceIndex', 'DestinationPrefix', 'NextHop', 'RouteMetric')
    }
    $body['Get-NetLbfoTeam'] = Read-Optional {
        Read-Table { Get-NetLbfoTeam -ErrorAction Stop } @(
            'Name', 'Members', 'TeamNics', 'TeamingMode', 'LoadBalancingAlgorithm', 'Status') @('Members', 'TeamNics')
    }
    $body['Get-NetLbfoTeamMember'] = Read-Optional {
        Read-Table { Get-NetLbfoTeamMember -ErrorAction Stop } @(
            'Name', 'InterfaceDescription', 'Team', 'AdministrativeMode', 'OperationalStatus', 'FailureReason')
    }
    $body['Win32_SCSIController'] = Read-Optional {
        # An iSCSI offload engine shows here and not as an adapter. The driver comes from the registry: Win32_PnPSignedDriver takes seconds.
        $rows = @(foreach ($controller in @(Get-CimInstance -ClassName 'Win32_SCSIController' -OperationTimeoutSec 10 -ErrorAction Stop)) {
            $extra = @{}
            $driver = Get-RegistryData ('SYSTEM\CurrentControlSet\Enum\' + $controller.PNPDeviceID) 'Driver'
            if ($null -ne $driver) {
                $version = Get-RegistryData ('SYSTEM\CurrentControlSet\Control\Class\' + $driver) 'DriverVersion'
                $file = Get-RegistryData ('SYSTEM\CurrentControlSet\Control\Class\' + $driver) 'InfPath'
                if ($null -ne $version) { $extra['DriverVersion'] = $version }
                if ($null -ne $file) { $extra['InfName'] = $file }
            }
            Select-Plain $controller @(
                'Name', 'PNPDeviceID', 'DriverName', 'Manufacturer', 'DriverVersion', 'InfName') @() $extra
        })
        Get-OrderedRow $rows
    }
    return $body
}

function Get-AdvancedProperty {
    # All advanced properties of all adapters. Callers write @(Get-AdvancedProperty $Context).
    param([hashtable]$Context)
    return @(Get-Cached $Context 'properties' { Get-NetAdapterAdvancedProperty -Name '*' -AllProperties -ErrorAction Stop })
}

function Get-InterfaceGuid {
    # The setting classes name an adapter as {GUID} or {GUID}::what.
    param($InputObject)
    return ([string](Get-Value $InputObject 'InstanceID') -split '::')[0]
}

function Get-PropertySection {
    param([hashtable]$Context)
    $body = [ordered]@{}
    $body['Get-NetAdapterAdvancedProperty'] = Read-Optional {
        $adapters = New-Object 'Collections.Generic.SortedDictionary[string,object]' ([StringComparer]::Ordinal)
        foreach ($property in @(Get-AdvancedProperty $Context)) {
            $guid = Get-InterfaceGuid $property
            if (-not $adapters.ContainsKey($guid)) {
                $adapters[$guid] = New-Object 'Collections.Generic.SortedDictionary[string,object]' ([StringComparer]::Ordinal)
            }
            $texts = @($property.RegistryValue | Where-Object { $null -ne $_ } | ForEach-Object { [string]$_ })
            $adapters[$guid][[string]$property.RegistryKeyword] = $texts
        }
        # Fields InterfaceGuid, properties.
        $rows = @(foreach ($pair in $adapters.GetEnumerator()) { [ordered]@{ InterfaceGuid = $pair.Key; properties = $pair.Value } })
        Get-OrderedRow $rows
    }
    return $body
}

function Get-PropertyCatalogueSection {
    # What a driver offers, one row a driver, without anything of this host, so that hosts with the same driver send the same bytes.
    param([hashtable]$Context)
    $body = [ordered]@{}
    $body['Get-NetAdapterAdvancedProperty'] = Read-Optional {
        $drivers = @{}
        foreach ($adapter in @(Get-Adapter $Context)) {
            $drivers[[string]$adapter.InterfaceGuid] = [ordered]@{
                ComponentID = (Get-Value $adapter 'ComponentID'); DriverVersion = (Get-Value $adapter 'DriverVersion'); keywords = $null
            }
        }
        $catalogues = New-Object 'Collections.Generic.SortedDictionary[string,object]' ([StringComparer]::Ordinal)
        foreach ($property in @(Get-AdvancedProperty $Context)) {
            $guid = Get-InterfaceGuid $property
            # -AllProperties also lists plain registry values of the driver: they have no display name and offer nothing.
            if (-not $drivers.ContainsKey($guid) -or -not [string](Get-Value $property 'DisplayName')) { continue }
            $offer = Select-Plain $property @(
                'DisplayName', 'DisplayParameterType', 'DefaultRegistryValue', 'NumericParameterBaseValue', 'NumericParameterMinValue',
                'NumericParameterMaxValue', 'NumericParameterStepValue', 'Optional', 'RegistryDataType', 'ValidRegistryValues',
                'ValidDisplayValues') @('ValidRegistryValues', 'ValidDisplayValues')
            # Fields ComponentID, DriverVersion, keywords.
            $key = ConvertTo-StableJson $drivers[$guid]
            if (-not $catalogues.ContainsKey($key)) {
                $drivers[$guid]['keywords'] = New-Object 'Collections.Generic.SortedDictionary[string,object]' ([StringComparer]::Ordinal)
                $catalogues[$key] = $drivers[$guid]
                # The key of this driver's other ports stays the one without keywords.
                $drivers[$guid] = [ordered]@{
                    ComponentID = $catalogues[$key]['ComponentID']; DriverVersion = $catalogues[$key]['DriverVersion']; keywords = $null
                }
            }
            $keywords = $catalogues[$key]['keywords']
            $keyword = [string]$property.RegistryKeyword
            # Two ports may differ in a figure: the smaller text stands, so that the order of the ports does not show.
            if (-not $keywords.ContainsKey($keyword) -or
                [string]::CompareOrdinal((ConvertTo-StableJson $offer), (ConvertTo-StableJson $keywords[$keyword])) -lt 0) {
                $keywords[$keyword] = $offer
            }
        }
        Get-OrderedRow @($catalogues.Values)
    }
    return $body
}

function Get-OffloadSection {
    param([hashtable]$Context)
    $body = [ordered]@{}
    $body['Get-NetAdapterRss'] = Read-Optional {
        Read-Table { Get-NetAdapterRss -Name '*' -ErrorAction Stop } @(
            'Name', 'InstanceID', 'Enabled', 'NumberOfReceiveQueues', 'Profile', 'BaseProcessorGroup', 'BaseProcessorNumber',
            'MaxProcessorGroup', 'MaxProcessorNumber', 'MaxProcessors')
    }
    $body['Get-NetAdapterRsc'] = Read-Optional {
        Read-Table { Get-NetAdapterRsc -Name '*' -ErrorAction Stop } @(
            'Name', 'InstanceID', 'IPv4Enabled', 'IPv6Enabled', 'IPv4OperationalState', 'IPv6OperationalState', 'IPv4FailureReason',
            'IPv6FailureReason')
    }
    $body['Get-NetAdapterLso'] = Read-Optional {
        Read-Table { Get-NetAdapterLso -Name '*' -ErrorAction Stop } @('Name', 'InstanceID', 'V1IPv4Enabled', 'IPv4Enabled', 'IPv6Enabled')
    }
    $body['Get-NetAdapterChecksumOffload'] = Read-Optional {
        Read-Table { Get-NetAdapterChecksumOffload -Name '*' -ErrorAction Stop } @(
            'Name', 'InstanceID', 'IpIPv4Enabled', 'TcpIPv4Enabled', 'TcpIPv6Enabled', 'UdpIPv4Enabled', 'UdpIPv6Enabled')
    }
    $body['Get-NetAdapterRdma'] = Read-Optional {
        Read-Table { Get-NetAdapterRdma -Name '*' -ErrorAction Stop } @(
            'Name', 'InstanceID', 'Enabled', 'Operational', 'RdmaTechnology', 'MaxQueuePairCount')
    }
    $body['Get-NetOffloadGlobalSetting'] = Read-Optional {
        Read-Table { Get-NetOffloadGlobalSetting -ErrorAction Stop } @(
            'ReceiveSideScaling', 'ReceiveSegmentCoalescing', 'Chimney', 'TaskOffload', 'NetworkDirect', 'NetworkDirectAcrossIPSubnets',
            'PacketCoalescingFilter')
    }
    return $body
}

function Get-PortalConnection {
    # Live TCP connections to iSCSI portals. Callers write @(Get-PortalConnection $Context).
    param([hashtable]$Context)
    return @(Get-Cached $Context 'connections' {
        Get-Found { Get-NetTCPConnection -RemotePort 3260 -State 'Established' -ErrorAction Stop }
    })
}

function Get-TcpSection {
    param([hashtable]$Context)
    $body = [ordered]@{}
    $body['Get-NetTCPSetting'] = Read-Optional {
        Read-Table { Get-NetTCPSetting -ErrorAction Stop } @(
            'SettingName', 'MinRtoMs', 'InitialCongestionWindowMss', 'CongestionProvider', 'CwndRestart', 'DelayedAckTimeoutMs',
            'DelayedAckFrequency', 'MemoryPressureProtection', 'AutoTuningLevelLocal', 'AutoTuningLevelGroupPolicy',
            'AutoTuningLevelEffective', 'EcnCapability', 'Timestamps', 'InitialRtoMs', 'ScalingHeuristics', 'AutomaticUseCustom',
            'NonSackRttResiliency', 'ForceWS', 'MaxSynRetransmissions')
    }
    $body['Get-NetTransportFilter'] = Read-Optional {
        Read-Table { Get-NetTransportFilter -ErrorAction Stop } @(
            'SettingName', 'Protocol', 'LocalPortStart', 'LocalPortEnd', 'RemotePortStart', 'RemotePortEnd', 'DestinationPrefix')
    }
    $body['Get-NetTCPConnection'] = Read-Optional {
        Read-Table { Get-PortalConnection $Context } @('LocalAddress', 'RemoteAddress', 'RemotePort', 'AppliedSetting')
    }
    $body['registry:Tcpip/Parameters/Interfaces'] = Read-Optional {
        # Fields InterfaceGuid, TcpAckFrequency, TcpNoDelay, TcpDelAckTicks. Absent and 0 differ: the way back from absent is to delete.
        $key = 'SYSTEM\CurrentControlSet\Services\Tcpip\Parameters\Interfaces'
        $rows = @(foreach ($child in @(Get-RegistryChild $key)) {
            $values = Read-Registry ($key + '\' + $child)
            $row = [ordered]@{ InterfaceGuid = $child }
            foreach ($one in 'TcpAckFrequency', 'TcpNoDelay', 'TcpDelAckTicks') {
                if ($null -ne $values -and $values.ContainsKey($one)) {
                    $row[$one] = [ordered]@{ state = 'present'; kind = $values[$one]['kind']; value = $values[$one]['value'] }
                }
                else { $row[$one] = [ordered]@{ state = 'absent' } }
            }
            $row
        })
        Get-OrderedRow $rows
    }
    return $body
}

function Get-BindingSection {
    param([hashtable]$Context)
    $body = [ordered]@{}
    $body['Get-NetAdapterBinding'] = Read-Optional {
        Read-Table { Get-NetAdapterBinding -Name '*' -ErrorAction Stop } @(
            'Name', 'InstanceID', 'InterfaceDescription', 'ComponentID', 'Enabled')
    }
    $body['Win32_NetworkAdapterConfiguration'] = Read-Optional {
        Read-Table {
            Get-CimInstance -ClassName 'Win32_NetworkAdapterConfiguration' -OperationTimeoutSec 10 -ErrorAction Stop |
                Where-Object { $null -ne (Get-Value $_ 'TcpipNetbiosOptions') }
        } @('SettingID', 'InterfaceIndex', 'TcpipNetbiosOptions')
    }
    return $body
}

function Test-Initiator {
    $service = @(Get-Service -Name 'MSiSCSI' -ErrorAction Stop)
    return ([string]$service[0].Status -ceq 'Running')
}

function Assert-Initiator {
    # Without its service the initiator's cmdlets fail or say nothing; neither is "no sessions".
    if (-not (Test-Initiator)) { throw (New-Object NotSupportedException('the service MSiSCSI is not running')) }
}

function Get-SessionPair {
    # Every session with its connections, asked once. Callers write @(Get-SessionPair $Context).
    param([hashtable]$Context)
    Assert-Initiator
    return @(Get-Cached $Context 'sessions' {
        foreach ($session in @(Get-Found { Get-IscsiSession -ErrorAction Stop })) {
            @{ session = $session; connections = @(Get-Found { Get-IscsiConnection -IscsiSession $session -ErrorAction Stop }) }
        }
    })
}

function Get-ConnectionAddress {
    # A connection's two ends: the cmdlet's properties have other names in its documentation than on hosts.
    param($Connection)
    return @{
        InitiatorAddress = (Get-Value $Connection @('InitiatorAddress', 'InitiatorNodeAddress'))
        TargetAddress    = (Get-Value $Connection @('TargetAddress', 'TargetNodeAddress'))
    }
}

function Get-ConnectionRow {
    # One row a connection, with the local address of its TCP connection. Callers write @(Get-ConnectionRow $Context).
    param([hashtable]$Context)
    $local = @{}
    foreach ($tcp in @(Get-PortalConnection $Context)) {
        $local[('{0} {1}' -f (Get-Value $tcp 'LocalPort'), (Get-Value $tcp 'RemoteAddress'))] = Get-Value $tcp 'LocalAddress'
    }
    foreach ($pair in @(Get-SessionPair $Context)) {
        foreach ($connection in $pair['connections']) {
            $extra = Get-ConnectionAddress $connection
            $extra['TargetNodeAddress'] = Get-Value $pair['session'] 'TargetNodeAddress'
            $extra['LocalAddress'] = $local[('{0} {1}' -f (Get-Value $connection 'InitiatorPortNumber'), $extra['TargetAddress'])]
            Select-Plain $connection @(
                'TargetNodeAddress', 'InitiatorAddress', 'TargetAddress', 'TargetPortNumber', 'LocalAddress') @() $extra
        }
    }
}

function Get-IscsiSection {
    param([hashtable]$Context)
    $body = [ordered]@{}
    $body['Get-Service'] = Read-Optional {
        # StartType is a property of newer frameworks only; the registry has it everywhere.
        $start = Get-RegistryData 'SYSTEM\CurrentControlSet\Services\MSiSCSI' 'Start'
        $rows = @(foreach ($service in @(Get-Service -Name 'MSiSCSI' -ErrorAction Stop)) {
            $extra = @{}
            if ($null -ne $start -and $null -eq $service.PSObject.Properties['StartType']) {
                $extra['StartType'] = @{ 2 = 'Automatic'; 3 = 'Manual'; 4 = 'Disabled' }[[int]$start]
            }
            Select-Plain $service @('Name', 'Status', 'StartType') @() $extra
        })
        Get-OrderedRow $rows
    }
    $body['Get-InitiatorPort'] = Read-Optional {
        Read-Table { Get-InitiatorPort -ErrorAction Stop } @('InstanceName', 'NodeAddress', 'PortAddress', 'ConnectionType')
    }
    $body['Get-IscsiTarget'] = Read-Optional {
        Read-Table { Assert-Initiator; Get-IscsiTarget -ErrorAction Stop } @('NodeAddress', 'IsConnected')
    }
    $body['Get-IscsiTargetPortal'] = Read-Optional {
        Read-Table { Assert-Initiator; Get-IscsiTargetPortal -ErrorAction Stop } @(
            'TargetPortalAddress', 'TargetPortalPortNumber', 'InitiatorPortalAddress', 'InitiatorInstanceName', 'IsHeaderDigest',
            'IsDataDigest')
    }
    $body['Get-IscsiSession'] = Read-Optional {
        $rows = @(foreach ($pair in @(Get-SessionPair $Context)) {
            $session = $pair['session']
            $portals = [string[]]@(foreach ($connection in $pair['connections']) { (Get-ConnectionAddress $connection)['TargetAddress'] })
            [Array]::Sort($portals, [StringComparer]::Ordinal)
            $disks = @(Get-Found { Get-Disk -iSCSISession $session -ErrorAction Stop } | ForEach-Object { $_.UniqueId })
            $extra = @{ TargetPortalAddress = $null; Disks = $disks }
            if ($portals.Length -gt 0) { $extra['TargetPortalAddress'] = $portals[0] }
            $fields = @(
                'InitiatorNodeAddress', 'InitiatorInstanceName', 'InitiatorPortalAddress', 'TargetNodeAddress', 'TargetPortalAddress',
                'IsConnected', 'IsMultipathEnabled', 'IsPersistent', 'NumberOfConnections', 'IsHeaderDigest', 'IsDataDigest', 'Disks')
            Select-Plain $session $fields @('Disks') $extra
        })
        Get-OrderedRow $rows
    }
    $body['Get-IscsiConnection'] = Read-Optional { Get-OrderedRow @(Get-ConnectionRow $Context) }
    $body['MSiSCSIInitiator_SessionClass'] = Read-Optional {
        Assert-Initiator
        $class = 'MSiSCSIInitiator_SessionClass'
        $sessions = @(Get-CimInstance -Namespace 'root/wmi' -ClassName $class -OperationTimeoutSec 8 -ErrorAction Stop)
        $rows = @(foreach ($session in $sessions) {
            $ends = @(Get-ListItem $session 'ConnectionInformation' |
                    ForEach-Object { Select-Plain $_ @('InitiatorAddress', 'TargetAddress', 'TargetPort') })
            $devices = @(Get-ListItem $session 'Devices' |
                    ForEach-Object { Select-Plain $_ @('ScsiLun', 'ScsiPathId', 'ScsiPortNumber', 'ScsiTargetId') })
            $extra = @{ ConnectionInformation = (Get-OrderedRow $ends); Devices = (Get-OrderedRow $devices) }
            Select-Plain $session @('InitiatorName', 'TargetName', 'ConnectionInformation', 'Devices') @() $extra
        })
        Get-OrderedRow $rows
    }
    $null = Read-Optional {
        # Identifiers and ports change at every login, so they stand apart from the digested body.
        $rows = @(foreach ($pair in @(Get-SessionPair $Context)) {
            $ends = @(foreach ($connection in $pair['connections']) {
                Select-Plain $connection @('ConnectionIdentifier', 'InitiatorAddress', 'InitiatorPortNumber', 'TargetAddress',
                    'TargetPortNumber') @() (Get-ConnectionAddress $connection)
            })
            $row = Select-Plain $pair['session'] @('SessionIdentifier', 'TargetNodeAddress')
            $row['connections'] = Get-OrderedRow $ends
            $row
        })
        $Context['Live']['sessions'] = Get-OrderedRow $rows
    }
    return $body
}

function Get-ListItem {
    # The items of a list property, one by one. Callers write @(Get-ListItem ...).
    param($InputObject, [string]$Name)
    $value = Get-Value $InputObject $Name
    foreach ($item in @($value)) { if ($null -ne $item) { $item } }
}

function Get-MpioSection {
    param([hashtable]$Context)
    $body = [ordered]@{}
    $body['Get-MPIOSetting'] = Read-Optional {
        Read-Table { Get-MPIOSetting -ErrorAction Stop } @(
            'PathVerificationState', 'PathVerificationPeriod', 'PDORemovePeriod', 'RetryCount', 'RetryInterval',
            'UseCustomPathRecoveryTime', 'CustomPathRecoveryTime', 'DiskTimeoutValue')
    }
    $body['Get-MSDSMGlobalDefaultLoadBalancePolicy'] = Read-Optional {
        # Fields Policy.
        $policies = @(Get-MSDSMGlobalDefaultLoadBalancePolicy -ErrorAction Stop)
        $rows = @(foreach ($policy in $policies) { [ordered]@{ Policy = [string]$policy } })
        Get-OrderedRow $rows
    }
    $body['Get-MSDSMAutomaticClaimSettings'] = Read-Optional {
        Read-Table { Get-MSDSMAutomaticClaimSettings -ErrorAction Stop } @('iSCSI', 'SAS')
    }
    $body['MPIO_DISK_INFO'] = Read-Optional {
        Read-Table { Get-CimInstance -Namespace 'root/wmi' -ClassName 'MPIO_DISK_INFO' -OperationTimeoutSec 8 -ErrorAction Stop } @(
            'InstanceName', 'NumberDrives', 'DriveInfo')
    }
    $body['DSM_QueryLBPolicy_V2'] = Read-Optional {
        $disks = @(Get-CimInstance -Namespace 'root/wmi' -ClassName 'DSM_QueryLBPolicy_V2' -OperationTimeoutSec 8 -ErrorAction Stop)
        $rows = @(foreach ($disk in $disks) {
            # The policy is an object with the paths inside it.
            $policy = Get-Value $disk 'LoadBalancePolicy'
            $extra = @{}
            if ($null -ne $policy -and $policy -isnot [ValueType]) {
                $extra = @{ LoadBalancePolicy = (Get-Value $policy 'LoadBalancePolicy'); DSM_Paths = (Get-Value $policy 'DSM_Paths') }
            }
            Select-Plain $disk @('InstanceName', 'LoadBalancePolicy', 'DSM_Paths') @() $extra
        })
        Get-OrderedRow $rows
    }
    $body['MPIO_PATH_INFORMATION'] = Read-Optional {
        Read-Table { Get-CimInstance -Namespace 'root/wmi' -ClassName 'MPIO_PATH_INFORMATION' -OperationTimeoutSec 8 -ErrorAction Stop } @(
            'InstanceName', 'NumberPaths', 'PathList')
    }
    $body['MPIO_GET_DESCRIPTOR'] = Read-Optional {
        Read-Table { Get-CimInstance -Namespace 'root/wmi' -ClassName 'MPIO_GET_DESCRIPTOR' -OperationTimeoutSec 8 -ErrorAction Stop } @(
            'InstanceName', 'DeviceName', 'NumberPdos', 'PdoInformation')
    }
    $body['mpclaim'] = Read-Optional {
        # Fields argument, text. Kept as printed, a second witness; which disks there are comes from MPIO_DISK_INFO.
        $numbers = New-Object 'Collections.Generic.SortedDictionary[int,object]'
        foreach ($row in $body['MPIO_DISK_INFO']['rows']) {
            foreach ($drive in @(Get-ListItem $row 'DriveInfo')) {
                $match = [regex]::Match([string](Get-Value $drive 'Name'), '[0-9]{1,4}\z')
                if ($match.Success -and $numbers.Count -lt 64) { $numbers[[int]$match.Value] = $true }
            }
        }
        $rows = @([ordered]@{ argument = '-s -d'; text = (Invoke-MpClaim '-s -d') })
        foreach ($number in @($numbers.Keys)) {
            $argument = '-s -d ' + $number.ToString($script:Invariant)
            $rows += [ordered]@{ argument = $argument; text = (Invoke-MpClaim $argument) }
        }
        , $rows
    }
    return $body
}

function Get-QosSection {
    param([hashtable]$Context)
    $body = [ordered]@{}
    $body['Get-NetAdapterQos'] = Read-Optional {
        Read-Table { Get-NetAdapterQos -Name '*' -ErrorAction Stop } @(
            'Name', 'InstanceID', 'Enabled', 'Capabilities', 'OperationalTrafficClasses', 'OperationalFlowControl',
            'OperationalClassifications')
    }
    $body['Get-NetQosPolicy'] = Read-Optional {
        Read-Table { Get-NetQosPolicy -PolicyStore 'ActiveStore' -ErrorAction Stop } @(
            'Name', 'Owner', 'NetworkProfile', 'Precedence', 'Template', 'NetDirectPortMatchCondition', 'PriorityValue8021Action',
            'DSCPAction', 'MinBandwidthWeightAction', 'ThrottleRateAction', 'IPPortMatchCondition', 'IPProtocolMatchCondition',
            'AppPathNameMatchCondition')
    }
    $body['Get-NetQosTrafficClass'] = Read-Optional {
        Read-Table { Get-NetQosTrafficClass -ErrorAction Stop } @('Name', 'Algorithm', 'Bandwidth', 'Priority', 'PolicySet') @('Priority')
    }
    $body['Get-NetQosFlowControl'] = Read-Optional {
        Read-Table { Get-NetQosFlowControl -ErrorAction Stop } @('Priority', 'Enabled', 'PolicySet', 'IfAlias')
    }
    $body['Get-NetQosDcbxSetting'] = Read-Optional {
        Read-Table { Get-NetQosDcbxSetting -ErrorAction Stop } @('Willing', 'PolicySet', 'IfAlias')
    }
    return $body
}

function Get-VSwitchSection {
    param([hashtable]$Context)
    $body = [ordered]@{}
    $body['Get-VMSwitch'] = Read-Optional {
        Read-Table { Get-VMSwitch -ErrorAction Stop } @(
            'Name', 'Id', 'SwitchType', 'EmbeddedTeamingEnabled', 'AllowManagementOS', 'NetAdapterInterfaceDescriptions',
            'BandwidthReservationMode', 'IovEnabled', 'SoftwareRscEnabled') @('NetAdapterInterfaceDescriptions')
    }
    $body['Get-VMSwitchTeam'] = Read-Optional {
        Read-Table { Get-VMSwitchTeam -ErrorAction Stop } @(
            'Name', 'TeamingMode', 'LoadBalancingAlgorithm', 'NetAdapterInterfaceDescription') @('NetAdapterInterfaceDescription')
    }
    $body['Get-VMNetworkAdapter'] = Read-Optional {
        $rows = @(foreach ($adapter in @(Get-VMNetworkAdapter -ManagementOS -ErrorAction Stop)) {
            $extra = @{}
            $vlan = Get-Value $adapter 'VlanSetting'
            if ($null -ne $vlan) { $extra['VlanId'] = Get-Value $vlan 'AccessVlanId' }
            Select-Plain $adapter @(
                'Name', 'SwitchName', 'MacAddress', 'DeviceId', 'IsManagementOs', 'IovWeight', 'VlanId') @() $extra
        })
        Get-OrderedRow $rows
    }
    $body['Get-VMNetworkAdapterTeamMapping'] = Read-Optional {
        $rows = @(foreach ($mapping in @(Get-VMNetworkAdapterTeamMapping -ManagementOS -ErrorAction Stop)) {
            # ParentAdapter is an object: its name is what joins.
            $extra = @{}
            $name = Get-Value (Get-Value $mapping 'ParentAdapter') 'Name'
            if ($null -ne $name) { $extra['ParentAdapter'] = $name }
            Select-Plain $mapping @('NetAdapterName', 'ParentAdapter') @() $extra
        })
        Get-OrderedRow $rows
    }
    return $body
}

function Get-StorageSection {
    param([hashtable]$Context)
    $body = [ordered]@{}
    $body['Get-Disk'] = Read-Optional {
        Read-Table { Get-Cached $Context 'disks' { Get-Disk -ErrorAction Stop } } @(
            'Number', 'UniqueId', 'SerialNumber', 'FriendlyName', 'Manufacturer', 'Model', 'BusType', 'Size', 'IsBoot', 'IsSystem',
            'IsClustered', 'OperationalStatus', 'Path')
    }
    $body['Get-VirtualDisk'] = Read-Optional {
        Read-Table { Get-VirtualDisk -ErrorAction Stop } @(
            'FriendlyName', 'UniqueId', 'HealthStatus', 'OperationalStatus', 'ResiliencySettingName')
    }
    $body['Get-SmbMultichannelConnection'] = Read-Optional {
        Read-Table { Get-SmbMultichannelConnection -ErrorAction Stop } @(
            'ServerName', 'ClientIpAddress', 'ServerIpAddress', 'ClientInterfaceIndex', 'ClientRdmaCapable', 'ServerRdmaCapable',
            'CurrentChannels', 'Selected')
    }
    # A storage job that is not finished closes the gate of any step that costs a path. Which ones there are is a setting; how far they are
    # changes on every read.
    $body['Get-StorageJob'] = Read-Optional {
        Read-Table { Get-Cached $Context 'storage_jobs' { Get-StorageJob -ErrorAction Stop } } @('Name', 'JobState')
    }
    $jobs = Read-Optional {
        Read-Table { Get-Cached $Context 'storage_jobs' { Get-StorageJob -ErrorAction Stop } } @('Name', 'JobState', 'PercentComplete')
    }
    $Context['Live']['storage_jobs'] = $jobs['rows']
    return $body
}

function Get-ProbeSource {
    # Address -> GUID and L3 MTU of its adapter, for every address that carries an iSCSI connection; both null where Windows has no such
    # adapter.
    param([hashtable]$Context, [object[]]$Connection)
    $sources = New-Object 'Collections.Generic.SortedDictionary[string,object]' ([StringComparer]::Ordinal)
    $addresses = @(Get-Cached $Context 'addresses' { Get-NetIPAddress -ErrorAction Stop })
    $interfaces = @(Get-Cached $Context 'interfaces' { Get-NetIPInterface -ErrorAction Stop })
    foreach ($row in $Connection) {
        $address = [string]$row['LocalAddress']
        if ($address -ceq '') { $address = [string]$row['InitiatorAddress'] }
        if ($address -ceq '' -or $address -ceq '0.0.0.0' -or $sources.ContainsKey($address)) { continue }
        $found = @{ guid = $null; mtu = 1500 }
        foreach ($one in $addresses) {
            if ([string]$one.IPAddress -cne $address) { continue }
            foreach ($adapter in @(Get-Adapter $Context)) {
                if ($adapter.InterfaceIndex -eq $one.InterfaceIndex) { $found['guid'] = [string]$adapter.InterfaceGuid }
            }
            foreach ($interface in $interfaces) {
                if ($interface.InterfaceIndex -eq $one.InterfaceIndex -and [string]$interface.AddressFamily -ceq 'IPv4') {
                    $found['mtu'] = [long]$interface.NlMtu
                }
            }
        }
        $sources[$address] = $found
    }
    return $sources
}

function Get-ProbeOutcome {
    # What came back of one size: outcome, and a reason where the ping was not run.
    param([string]$Source, [string]$Portal, [int]$Size, $Guid, [Diagnostics.Stopwatch]$Clock)
    if ($null -eq $Guid) { return @{ outcome = 'not_run'; reason = 'Windows shows no adapter with this address' } }
    $ip = [Net.IPAddress]::None
    foreach ($text in $Source, $Portal) {
        if (-not [Net.IPAddress]::TryParse($text, [ref]$ip)) { return @{ outcome = 'not_run'; reason = 'not an address' } }
        if ([string]$ip.AddressFamily -cne 'InterNetwork') { return @{ outcome = 'not_run'; reason = 'IPv6 is not probed' } }
    }
    if ($Clock.ElapsedMilliseconds -gt $script:ProbeLimitMs) { return @{ outcome = 'not_run'; reason = 'no time left' } }
    # 20 bytes of IP and 8 of ICMP header make a payload an L3 size.
    if (Test-Echo $Source $Portal ($Size - 28)) { return @{ outcome = 'ok' } }
    if (Test-Echo $Source $Portal 32) { return @{ outcome = 'too_big' } }
    return @{ outcome = 'silent' }
}

function Get-ProbeSection {
    param([hashtable]$Context)
    $body = [ordered]@{}
    $body['ping'] = Read-Optional {
        # Fields source, interface_guid, portal, size, outcome, reason.
        $rows = @()
        if (Test-Initiator) {
            $connections = @(Get-ConnectionRow $Context)
            $portals = New-Object 'Collections.Generic.SortedDictionary[string,object]' ([StringComparer]::Ordinal)
            foreach ($row in $connections) { $portals[[string]$row['TargetAddress']] = $true }
            foreach ($portal in @(Get-Found { Get-IscsiTargetPortal -ErrorAction Stop })) {
                $portals[[string]$portal.TargetPortalAddress] = $true
            }
            $clock = [Diagnostics.Stopwatch]::StartNew()
            $sources = Get-ProbeSource $Context $connections
            $rows = @(foreach ($source in $sources.GetEnumerator()) {
                $sizes = @(1500)
                if ($source.Value['mtu'] -ne 1500) { $sizes = @($source.Value['mtu'], 1500) }
                foreach ($portal in @($portals.Keys | Select-Object -First $script:ProbePortalLimit)) {
                    foreach ($size in $sizes) {
                        $row = [ordered]@{ source = $source.Key; interface_guid = $source.Value['guid']; portal = $portal; size = $size }
                        $answer = Get-ProbeOutcome $source.Key $portal $size $source.Value['guid'] $clock
                        $row['outcome'] = $answer['outcome']
                        if ($answer.ContainsKey('reason')) { $row['reason'] = $answer['reason'] }
                        $row
                    }
                }
            })
        }
        Get-OrderedRow $rows
    }
    return $body
}

# ---- counters --------------------------------------------------------------------------------------------------------

function Get-UptimeSecond {
    # The performance counter starts with the system and does not follow the clock.
    return [long][Math]::Floor([Diagnostics.Stopwatch]::GetTimestamp() / [Diagnostics.Stopwatch]::Frequency)
}

function Get-RawClass {
    # A raw performance class: its names are not translated, those of Get-Counter are. Empty where the class is missing.
    param([string]$Name)
    $read = Read-Optional { , @(Get-CimInstance -ClassName $Name -OperationTimeoutSec 8 -ErrorAction Stop) }
    return $read['rows']
}

function Get-CounterSample {
    # What has to be read twice, at the start and at the end: idle time, and the latency of disks.
    param([hashtable]$Context)
    $sample = @{ processor = $null; disks = @{} }
    foreach ($row in @(Get-RawClass 'Win32_PerfRawData_PerfOS_Processor')) {
        if ([string]$row.Name -ceq '_Total') { $sample['processor'] = $row }
    }
    foreach ($row in @(Get-RawClass 'Win32_PerfRawData_PerfDisk_PhysicalDisk')) {
        # "3 F:": the number of the disk and the letters on it.
        $sample['disks'][([string]$row.Name).Split(' ')[0]] = $row
    }
    return $sample
}

function New-Series {
    param([string]$Subject, [string]$Name, $Value, [string]$Kind = 'total')
    return [ordered]@{ subject = $Subject; name = $Name; value = [decimal]$Value; kind = $Kind }
}

function Get-AdapterSeries {
    param([hashtable]$Context)
    $macs = @{}
    foreach ($adapter in @(Get-Adapter $Context)) {
        if (Get-Value $adapter 'Virtual') { continue }        # a team shows the address of one of its members
        $macs[[string]$adapter.InterfaceGuid] = ([string](Get-Value $adapter 'PermanentAddress')).Replace('-', '').ToLowerInvariant()
    }
    $byMac = New-Object 'Collections.Generic.SortedDictionary[string,object]' ([StringComparer]::Ordinal)
    foreach ($row in @(Get-Found { Get-NetAdapterStatistics -Name '*' -ErrorAction Stop })) {
        $mac = [string]$macs[(Get-InterfaceGuid $row)]
        if ($mac -cne '') { $byMac[$mac] = $row }
    }
    foreach ($pair in $byMac.GetEnumerator()) {
        $row = $pair.Value
        $subject = 'adapter/' + $pair.Key
        New-Series $subject 'bytes_received' $row.ReceivedBytes
        New-Series $subject 'bytes_sent' $row.SentBytes
        $received = [decimal]$row.ReceivedUnicastPackets + $row.ReceivedMulticastPackets + $row.ReceivedBroadcastPackets
        $sent = [decimal]$row.SentUnicastPackets + $row.SentMulticastPackets + $row.SentBroadcastPackets
        New-Series $subject 'packets_received' $received
        New-Series $subject 'packets_sent' $sent
        New-Series $subject 'drops_received' $row.ReceivedDiscardedPackets
        New-Series $subject 'drops_sent' $row.OutboundDiscardedPackets
        New-Series $subject 'errors_received' $row.ReceivedPacketErrors
        New-Series $subject 'errors_sent' $row.OutboundPacketErrors
    }
}

function Get-HostSeries {
    param($First, $Second)
    $sent = [decimal]0
    $again = [decimal]0
    $isKnown = $false
    foreach ($class in 'Win32_PerfRawData_Tcpip_TCPv4', 'Win32_PerfRawData_Tcpip_TCPv6') {
        foreach ($row in @(Get-RawClass $class)) {
            $sent += $row.SegmentsSentPersec                  # raw: a total, whatever its name says
            $again += $row.SegmentsRetransmittedPersec
            $isKnown = $true
        }
    }
    if ($isKnown) {
        New-Series 'host/' 'tcp_segments_sent' $sent
        New-Series 'host/' 'tcp_segments_retransmitted' $again
    }
    if ($null -ne $First -and $null -ne $Second) {
        # The class counts idle time: what is not idle is load.
        $passed = [decimal]$Second.Timestamp_Sys100NS - $First.Timestamp_Sys100NS
        $idle = [decimal]$Second.PercentProcessorTime - $First.PercentProcessorTime
        if ($passed -gt 0) {
            $load = [Math]::Floor(($passed - $idle) * 100 / $passed)
            New-Series 'host/' 'cpu_percent' ([Math]::Max([decimal]0, [Math]::Min([decimal]100, $load))) 'gauge'
        }
    }
}

function Get-WrappedDifference {
    # Between two readings of a 32-bit counter that may have started again once.
    param($First, $Second)
    $difference = ([decimal]$Second - [decimal]$First) % 4294967296
    if ($difference -lt 0) { $difference += 4294967296 }
    return $difference
}

function Get-VolumeId {
    # NAA or EUI as ESXi writes them, so that one volume has one id on every host; else the serial.
    param([string]$UniqueId, [string]$Serial)
    $text = $UniqueId.Trim().ToLowerInvariant()
    if ([regex]::IsMatch($text, '\A(naa|eui)\.')) { return $text }
    if ([regex]::IsMatch($text, '\A(6[0-9a-f]{31}|[235][0-9a-f]{15})\z')) { return 'naa.' + $text }
    if ([regex]::IsMatch($text, '\A([0-9a-f]{16}|[0-9a-f]{32})\z')) { return 'eui.' + $text }
    if ($Serial.Trim() -cne '') { return $Serial.Trim() }
    return $UniqueId.Trim()
}

function Get-VolumeSeries {
    param([hashtable]$Context, [hashtable]$First, [hashtable]$Second)
    $byId = New-Object 'Collections.Generic.SortedDictionary[string,object]' ([StringComparer]::Ordinal)
    foreach ($disk in @(Get-Cached $Context 'disks' { Get-Disk -ErrorAction Stop })) {
        # BusType as text, or as its number where the type file is not loaded.
        if ('iSCSI', 'Spaces', 'Storage Spaces', 'Fibre Channel', '6', '9', '16' -ccontains [string]$disk.BusType) {
            $byId[(Get-VolumeId ([string]$disk.UniqueId) ([string]$disk.SerialNumber))] = [string]$disk.Number
        }
    }
    foreach ($pair in $byId.GetEnumerator()) {
        if (-not $Second.ContainsKey($pair.Value)) { continue }
        $row = $Second[$pair.Value]
        $subject = 'volume/' + $pair.Key.Replace('%', '%25').Replace('/', '%2F')
        New-Series $subject 'read_bytes' $row.DiskReadBytesPersec
        New-Series $subject 'write_bytes' $row.DiskWriteBytesPersec
        New-Series $subject 'reads' $row.DiskReadsPersec
        New-Series $subject 'writes' $row.DiskWritesPersec
        if (-not $First.ContainsKey($pair.Value)) { continue }
        $old = $First[$pair.Value]
        $reads = Get-WrappedDifference $old.AvgDisksecPerRead_Base $row.AvgDisksecPerRead_Base
        $writes = Get-WrappedDifference $old.AvgDisksecPerWrite_Base $row.AvgDisksecPerWrite_Base
        if ($reads -gt 0) {
            $ticks = Get-WrappedDifference $old.AvgDisksecPerRead $row.AvgDisksecPerRead
            New-Series $subject 'read_latency_us' ([Math]::Floor($ticks * 1000000 / ([decimal]$row.Frequency_PerfTime * $reads))) 'gauge'
        }
        if ($writes -gt 0) {
            $ticks = Get-WrappedDifference $old.AvgDisksecPerWrite $row.AvgDisksecPerWrite
            New-Series $subject 'write_latency_us' ([Math]::Floor($ticks * 1000000 / ([decimal]$row.Frequency_PerfTime * $writes))) 'gauge'
        }
    }
}

function Get-CounterList {
    # All series; a part that cannot be read is left out.
    param([hashtable]$Context)
    $first = $Context['FirstSample']
    $second = Get-CounterSample $Context
    $parts = @(
        (Read-Optional { , @(Get-AdapterSeries $Context) })
        (Read-Optional { , @(Get-HostSeries $first['processor'] $second['processor']) })
        (Read-Optional { , @(Get-VolumeSeries $Context $first['disks'] $second['disks']) })
    )
    $series = New-Object Collections.ArrayList
    foreach ($part in $parts) { foreach ($one in $part['rows']) { $null = $series.Add($one) } }
    return @{ series = $series.ToArray() }
}

# ---- check-in --------------------------------------------------------------------------------------------------------

function New-CheckIn {
    # Line 1 and the bodies (name -> text) of a check-in. About holds boot, made_at, took_ms, runner, runner_before, runner_after, rejected,
    # thinned.
    param([Collections.IDictionary]$Result, [hashtable]$Live, [Collections.IDictionary]$Counter, [hashtable]$About)
    $script:Noted['nuls'] = 0                                 # rows were written once already, to be put in order
    $script:Noted['surrogates'] = 0
    $bodies = [ordered]@{}
    $sections = [ordered]@{}
    foreach ($pair in $Result.GetEnumerator()) {
        $one = [ordered]@{}
        if ($pair.Value['status'] -ceq 'ok') {
            $bodies[$pair.Key] = ConvertTo-StableJson $pair.Value['data']
            $one['sha256'] = Get-Sha256Hex $script:Utf8.GetBytes($bodies[$pair.Key])
        }
        $one['status'] = $pair.Value['status']
        $one['took_ms'] = $pair.Value['took_ms']
        if ($pair.Value['status'] -cne 'ok') {
            # The door takes at most 2000 characters.
            $reason = [string]$pair.Value['error']
            if ($reason -ceq '') { $reason = 'no reason given' }
            $one['error'] = $reason.Substring(0, [Math]::Min(1000, $reason.Length))
        }
        $sections[$pair.Key] = $one
    }
    $envelope = [ordered]@{
        v             = 1
        boot          = $About['boot']
        made_at       = $About['made_at']
        agent         = [ordered]@{
            platform = 'windows'; version = $script:AgentVersion; runner = $About['runner']; took_ms = $About['took_ms']
        }
        sections      = $sections
        live          = [ordered]@{
            sessions            = $Live['sessions']
            storage_jobs        = $Live['storage_jobs']
            nuls_removed        = $script:Noted['nuls']
            surrogates_replaced = $script:Noted['surrogates']
        }
        counters      = $Counter
        runner_before = $About['runner_before']
        runner_after  = $About['runner_after']
        rejected      = $About['rejected']
        thinned       = $About['thinned']
    }
    return @{ line = (ConvertTo-StableJson $envelope); bodies = $bodies; sections = $sections }
}

function ConvertTo-CheckInBytes {
    param([string]$Line, [string[]]$Body)
    $text = New-Object Text.StringBuilder
    $null = $text.Append($Line).Append("`n")
    foreach ($one in $Body) { $null = $text.Append($one).Append("`n") }
    return , $script:Utf8.GetBytes($text.ToString())
}

function Get-Signature {
    # Lower-case hex of HMAC-SHA256 over method, path, identity, order, time, encoding and the body as on the wire.
    param([Collections.IDictionary]$Field, [string]$SecretHex, [string]$Encoding, [byte[]]$Wire)
    $text = "plumbline-1`nPOST`n" + $script:CheckInPath + "`n"
    foreach ($name in 'host', 'epoch', 'seq', 'id', 'generation', 'sent_at') { $text = $text + [string]$Field[$name] + "`n" }
    $text = $text + $Encoding + "`n" + (Get-Sha256Hex $Wire) + "`n"
    return Get-HmacSha256Hex (ConvertFrom-Hex $SecretHex) $text
}

function Get-BootName {
    # A GUID in a volatile key of our own: a restart removes it. The time of the last boot would move with the clock.
    $key = [Microsoft.Win32.Registry]::LocalMachine.CreateSubKey('SOFTWARE\Plumbline\Boot',
        [Microsoft.Win32.RegistryKeyPermissionCheck]::Default, [Microsoft.Win32.RegistryOptions]::Volatile)
    try {
        $name = [string]$key.GetValue('Name')
        if (-not [regex]::IsMatch($name, '\A[0-9a-f]{32}\z')) {
            $name = New-RandomHex 16
            $key.SetValue('Name', $name)
        }
        return $name
    }
    finally { $key.Dispose() }
}

function Get-UtcNow { return [datetime]::UtcNow }

function Get-UnixSecond {
    param([datetime]$Time)
    return [long][Math]::Floor(($Time - (New-Object datetime(1970, 1, 1, 0, 0, 0, [DateTimeKind]::Utc))).TotalSeconds)
}

function Get-RunnerHash {
    param([string]$ProgramFolder)
    $path = [IO.Path]::Combine($ProgramFolder, 'Plumbline-Runner.ps1')
    if ($ProgramFolder -and [IO.File]::Exists($path)) { return Get-ScriptHash $path }
    return $null
}

function Get-RunnerMark {
    # The runner's last act on this host, as it left it in runner\last.json: op id and fence generation; null where it cannot be told.
    param([string]$Folder)
    $path = [IO.Path]::Combine($Folder, 'runner', 'last.json')
    if (-not $Folder -or -not [IO.File]::Exists($path)) { return $null }
    try { $last = ConvertFrom-Json -InputObject ([IO.File]::ReadAllText($path)) -ErrorAction Stop } catch { return $null }
    $operation = Get-Value $last 'op_id'
    $generation = Get-Value $last 'gen'
    if ($operation -isnot [string] -or -not (Test-WholeNumber $generation)) { return $null }
    return [ordered]@{ op_id = $operation; gen = [long]$generation }
}

function Invoke-Collection {
    # Reads everything and answers line, bodies and sections of New-CheckIn. Table: which sections; Shelf: of New-Shelf.
    param([object[]]$Table, [hashtable]$Shelf, [hashtable]$About, [string]$Folder)
    $clock = [Diagnostics.Stopwatch]::StartNew()
    $context = New-Context
    $about = @{} + $About
    $about['runner_before'] = Get-RunnerMark $Folder
    $first = Invoke-Section 'Get-CounterSample' 5000 $context $Shelf
    $context['FirstSample'] = @{ processor = $null; disks = @{} }
    if ($first['status'] -ceq 'ok') { $context['FirstSample'] = $first['data'] }
    $results = Read-Section $Table $context $Shelf ($script:CollectMs - [int]$clock.ElapsedMilliseconds)
    $series = @()
    $last = Invoke-Section 'Get-CounterList' 5000 $context $Shelf
    if ($last['status'] -ceq 'ok') { $series = @($last['data']['series']) }
    if ($about['drop']) { Remove-LargestBody $results }
    $now = Get-UtcNow
    $counter = [ordered]@{ at = (ConvertTo-UtcText $now); uptime_s = (Get-UptimeSecond); series = $series }
    $about['made_at'] = ConvertTo-UtcText $now
    $about['runner_after'] = Get-RunnerMark $Folder
    $about['took_ms'] = [long]$clock.ElapsedMilliseconds
    return New-CheckIn $results $context['Live'] $counter $about
}

function Remove-LargestBody {
    # After the server said that a check-in is too big, the next one leaves its largest body out.
    param([Collections.IDictionary]$Result)
    $largest = ''
    $length = -1
    foreach ($pair in $Result.GetEnumerator()) {
        if ($pair.Value['status'] -cne 'ok') { continue }
        $own = (ConvertTo-StableJson $pair.Value['data']).Length
        if ($own -gt $length) {
            $length = $own
            $largest = $pair.Key
        }
    }
    if ($largest -cne '') {
        $Result[$largest]['status'] = 'failed'
        $Result[$largest]['data'] = $null
        $Result[$largest]['error'] = 'too big'
    }
}

# ---- files -----------------------------------------------------------------------------------------------------------

function Write-FileSafely {
    # Written beside, flushed to the disk, then put in place: a reader sees the old bytes or the new ones. Full paths only.
    param([string]$Path, [byte[]]$Bytes)
    $temporary = $Path + '.tmp'
    $stream = New-Object IO.FileStream($temporary, [IO.FileMode]::Create, [IO.FileAccess]::Write, [IO.FileShare]::None)
    try {
        $stream.Write($Bytes, 0, $Bytes.Length)
        $stream.Flush($true)
    }
    finally { $stream.Dispose() }
    for ($try = 1; ; $try++) {
        try {
            if ([IO.File]::Exists($Path)) { [IO.File]::Replace($temporary, $Path, [NullString]::Value) }
            else { [IO.File]::Move($temporary, $Path) }
            return
        }
        catch {
            if ($try -ge 5) { throw }
            Start-Sleep -Milliseconds 200                     # a virus scanner holds it
        }
    }
}

function Get-Place {
    # Every path of the agent's state folder; makes the folders.
    param([string]$Folder)
    $place = @{
        folder     = $Folder
        credential = [IO.Path]::Combine($Folder, 'credential.json')
        state      = [IO.Path]::Combine($Folder, 'state.json')
        counter    = [IO.Path]::Combine($Folder, 'counter')
        lock       = [IO.Path]::Combine($Folder, 'agent.lock')
        log        = [IO.Path]::Combine($Folder, 'agent.log')
        spool      = [IO.Path]::Combine($Folder, 'spool')
        bodies     = [IO.Path]::Combine($Folder, 'bodies')
        rejected   = [IO.Path]::Combine($Folder, 'rejected')
    }
    foreach ($name in 'folder', 'spool', 'bodies', 'rejected') { $null = [IO.Directory]::CreateDirectory($place[$name]) }
    return $place
}

function Open-Lock {
    # The open handle is the lock; the system frees it when the process ends, however it ends. Null: another instance has it.
    param([string]$Path)
    try { return New-Object IO.FileStream($Path, [IO.FileMode]::OpenOrCreate, [IO.FileAccess]::ReadWrite, [IO.FileShare]::None) }
    catch {
        $cause = $_.Exception.GetBaseException()
        if ($cause.GetType() -eq [IO.IOException]) { return $null }    # the exact type: "no such folder" is a subclass of it
        throw
    }
}

function Step-Counter {
    # The next sequence number, on disk before it is used.
    param([string]$Path)
    $value = [long]0
    if ([IO.File]::Exists($Path)) {
        $text = [IO.File]::ReadAllText($Path)
        if (-not [regex]::IsMatch($text, '\A[0-9]{1,18}\z')) { throw ('counter file damaged: {0}' -f $Path) }    # never again from 0
        $value = [long]$text
    }
    $value++
    Write-FileSafely $Path $script:Utf8.GetBytes($value.ToString($script:Invariant))
    return $value
}

function Get-SpoolName {
    param([long]$Epoch, [long]$Seq)
    return ('{0:d10}-{1:d19}.checkin' -f $Epoch, $Seq)
}

function Get-SpoolFile {
    # Full paths, oldest first by epoch and sequence number: no clock is involved.
    param([string]$Folder)
    $names = [string[]]@([IO.Directory]::GetFiles($Folder) | Where-Object { $_ -cmatch '[\\/][0-9]{10}-[0-9]{19}\.checkin\z' })
    [Array]::Sort($names, [StringComparer]::Ordinal)
    return , $names
}

function Get-SpoolOrder {
    # Epoch and sequence number of a spool file.
    param([string]$Path)
    $parts = [IO.Path]::GetFileNameWithoutExtension($Path).Split('-')
    return @{ epoch = [long]$parts[0]; seq = [long]$parts[1] }
}

function Read-SpoolFile {
    # line, and bodies by digest.
    param([string]$Path)
    $lines = $script:Utf8.GetString([IO.File]::ReadAllBytes($Path)).Split([char]10)
    $bodies = @{}
    for ($i = 1; $i -lt $lines.Length; $i++) {
        if ($lines[$i].Length -gt 0) { $bodies[(Get-Sha256Hex $script:Utf8.GetBytes($lines[$i]))] = $lines[$i] }
    }
    return @{ line = $lines[0]; bodies = $bodies }
}

function Get-LineDigest {
    # Section -> digest, of a line 1.
    param([string]$Line)
    $digests = [ordered]@{}
    $parsed = ConvertFrom-Json -InputObject $Line -ErrorAction Stop
    foreach ($property in @($parsed.sections.PSObject.Properties)) {
        $sha256 = Get-Value $property.Value 'sha256'
        if ($null -ne $sha256) { $digests[$property.Name] = [string]$sha256 }
    }
    return $digests
}

function Get-SpoolDigest {
    # The digests that a spool file's line 1 names, in its order, without reading more than that line. Callers write @(Get-SpoolDigest ...).
    param([string]$Path)
    $reader = New-Object IO.StreamReader($Path, $script:Utf8)
    try { $line = [string]$reader.ReadLine() } finally { $reader.Dispose() }
    foreach ($match in [regex]::Matches($line, '"sha256":"([0-9a-f]{64})"')) { $match.Groups[1].Value }
}

function Get-SpoolVictim {
    # Which spooled check-in goes when the spool is full: index into Print (oldest first; one text of all digests each). The one nearest
    # the middle that tells nothing new, else the oldest; never the newest, and never the oldest while another will do.
    param([string[]]$Print)
    $best = 0
    $distance = [int]::MaxValue
    for ($i = 1; $i -lt $Print.Length - 1; $i++) {
        $own = [Math]::Abs(2 * $i - ($Print.Length - 1))
        if ($Print[$i] -ceq $Print[$i - 1] -and $own -lt $distance) {
            $best = $i
            $distance = $own
        }
    }
    return $best
}

function Limit-Spool {
    # Keeps the spool within its limits; answers how many check-ins it thinned.
    param([string]$Folder, [int]$FileLimit, [long]$ByteLimit)
    $thinned = 0
    $files = New-Object Collections.ArrayList
    $prints = New-Object Collections.ArrayList
    $total = [long]0
    foreach ($path in (Get-SpoolFile $Folder)) { $total += (New-Object IO.FileInfo($path)).Length }
    $found = Get-SpoolFile $Folder
    if ($found.Length -le $FileLimit -and $total -le $ByteLimit) { return 0 }
    foreach ($path in $found) {
        $null = $files.Add($path)
        $null = $prints.Add([string]::Join(' ', [string[]]@(Get-SpoolDigest $path)))
    }
    while ($files.Count -gt 1 -and ($files.Count -gt $FileLimit -or $total -gt $ByteLimit)) {
        $at = Get-SpoolVictim ([string[]]$prints.ToArray())
        $total -= (New-Object IO.FileInfo([string]$files[$at])).Length
        [IO.File]::Delete([string]$files[$at])
        $files.RemoveAt($at)
        $prints.RemoveAt($at)
        $thinned++
    }
    return $thinned
}

function Update-SpoolEpoch {
    # After a new enrolment the spool is numbered anew, in its own order, and sent.
    param([hashtable]$Place, [long]$Epoch)
    foreach ($path in (Get-SpoolFile $Place['spool'])) {
        if ((Get-SpoolOrder $path)['epoch'] -eq $Epoch) { continue }
        $name = Get-SpoolName $Epoch (Step-Counter $Place['counter'])
        [IO.File]::Move($path, [IO.Path]::Combine($Place['spool'], $name))
    }
}

function Save-Body {
    # Keeps the bodies that the server may ask for: those of this check-in and of spooled ones.
    param([hashtable]$Place, [Collections.IDictionary]$Body)
    $wanted = @{}
    foreach ($pair in $Body.GetEnumerator()) {
        $bytes = $script:Utf8.GetBytes($pair.Value)
        $digest = Get-Sha256Hex $bytes
        $wanted[$digest] = $true
        $path = [IO.Path]::Combine($Place['bodies'], $digest)
        if (-not [IO.File]::Exists($path)) { Write-FileSafely $path $bytes }
    }
    foreach ($path in (Get-SpoolFile $Place['spool'])) {
        foreach ($digest in @(Get-SpoolDigest $path)) { $wanted[$digest] = $true }
    }
    foreach ($path in [IO.Directory]::GetFiles($Place['bodies'])) {
        if (-not $wanted.ContainsKey([IO.Path]::GetFileName($path))) { [IO.File]::Delete($path) }
    }
}

function Add-SpoolFile {
    # Puts a check-in into the spool with every body that has no receipt yet, so that it depends on no other. Answers its path.
    param([hashtable]$Place, [hashtable]$CheckIn, [hashtable]$Receipted, [long]$Epoch)
    $lines = @(foreach ($pair in $CheckIn['bodies'].GetEnumerator()) {
        if ([string]$Receipted[$pair.Key] -cne $CheckIn['sections'][$pair.Key]['sha256']) { $pair.Value }
    })
    Save-Body $Place $CheckIn['bodies']
    $path = [IO.Path]::Combine($Place['spool'], (Get-SpoolName $Epoch (Step-Counter $Place['counter'])))
    $bytes = ConvertTo-CheckInBytes $CheckIn['line'] $lines
    Write-FileSafely $path $bytes
    return $path
}

function Move-ToRejected {
    # A check-in that the server refuses for good. The last few are kept for a person to look at.
    param([hashtable]$Place, [string]$Path)
    $target = [IO.Path]::Combine($Place['rejected'], [IO.Path]::GetFileName($Path))
    if ([IO.File]::Exists($target)) { [IO.File]::Delete($target) }
    [IO.File]::Move($Path, $target)
    $kept = Get-SpoolFile $Place['rejected']
    for ($i = 0; $i -lt $kept.Length - $script:RejectedKept; $i++) { [IO.File]::Delete($kept[$i]) }
}

function Read-State {
    # What the agent remembers between runs. A damaged file costs a resent body, nothing more.
    param([string]$Path)
    $state = @{
        rejected = 0; thinned = 0; failures = 0; not_before = [long]0; set_at = [long]0; last_collected = [long](-1); drop = $false
        receipted = @{}
    }
    if (-not [IO.File]::Exists($Path)) { return $state }
    try {
        $parsed = ConvertFrom-Json -InputObject ([IO.File]::ReadAllText($Path)) -ErrorAction Stop
        foreach ($name in 'rejected', 'thinned', 'failures') { $state[$name] = [int](Get-Value $parsed $name) }
        foreach ($name in 'not_before', 'set_at', 'last_collected') { $state[$name] = [long](Get-Value $parsed $name) }
        $state['drop'] = ((Get-Value $parsed 'drop') -eq $true)
        foreach ($property in @((Get-Value $parsed 'receipted').PSObject.Properties)) {
            $state['receipted'][$property.Name] = [string]$property.Value
        }
    }
    catch { Write-AgentLog ([IO.Path]::GetDirectoryName($Path)) ('state file damaged, starting it anew: {0}' -f $_.Exception.Message) }
    return $state
}

function Save-State {
    param([string]$Path, [hashtable]$State)
    Write-FileSafely $Path $script:Utf8.GetBytes((ConvertTo-StableJson $State))
}

function Read-Credential {
    # Server, host id, epoch, generation, secret, pin, proxy, interval: what enrolment left. Null where the host is not enrolled.
    param([string]$Path)
    if (-not [IO.File]::Exists($Path)) { return $null }
    $parsed = ConvertFrom-Json -InputObject ([IO.File]::ReadAllText($Path)) -ErrorAction Stop
    $credential = [ordered]@{}
    foreach ($name in 'server', 'host_id', 'secret', 'ca_pin', 'proxy') { $credential[$name] = [string](Get-Value $parsed $name) }
    foreach ($name in 'epoch', 'generation', 'interval_seconds') { $credential[$name] = [long](Get-Value $parsed $name) }
    if (-not [regex]::IsMatch($credential['secret'], '\A[0-9a-f]{64}\z') -or $credential['host_id'] -ceq '') {
        throw ('credential file damaged: {0}' -f $Path)
    }
    return $credential
}

function Save-Credential {
    param([string]$Path, [Collections.IDictionary]$Credential)
    Write-FileSafely $Path $script:Utf8.GetBytes((ConvertTo-StableJson $Credential))
}

function Write-AgentLog {
    param([string]$Folder, [string]$Message)
    $path = [IO.Path]::Combine($Folder, 'agent.log')
    try {
        if ([IO.File]::Exists($path) -and (New-Object IO.FileInfo($path)).Length -gt $script:LogByteLimit) {
            if ([IO.File]::Exists($path + '.1')) { [IO.File]::Delete($path + '.1') }
            [IO.File]::Move($path, $path + '.1')
        }
        [IO.File]::AppendAllText($path, (ConvertTo-UtcText (Get-UtcNow)) + ' ' + $Message + "`r`n", [Text.Encoding]::UTF8)
    }
    catch { return }                                          # a full disk must not stop the collecting
}

function Write-AgentEvent {
    # To the log and the event log: what a person has to know.
    param([string]$Folder, [int]$Id, [string]$Message)
    Write-AgentLog $Folder $Message
    try { [Diagnostics.EventLog]::WriteEntry('Plumbline', $Message, [Diagnostics.EventLogEntryType]::Warning, $Id) }
    catch { return }                                          # the source is made by the installer
}

# ---- wire ------------------------------------------------------------------------------------------------------------

function Read-Bounded {
    param([IO.Stream]$Stream, [int]$Limit, [int]$LimitMs)
    $memory = New-Object IO.MemoryStream
    $buffer = New-Object byte[] 8192
    $clock = [Diagnostics.Stopwatch]::StartNew()
    while (($count = $Stream.Read($buffer, 0, $buffer.Length)) -gt 0) {
        $memory.Write($buffer, 0, $count)
        if ($memory.Length -gt $Limit -or $clock.ElapsedMilliseconds -gt $LimitMs) { throw 'answer too long or too slow' }
    }
    return , $memory.ToArray()
}

$script:PinSource = @'
using System; using System.Net.Security; using System.Security.Cryptography; using System.Security.Cryptography.X509Certificates;
public sealed class PlumblinePin {
    readonly string pin;
    public PlumblinePin(string pin) { this.pin = pin; }
    bool Check(object sender, X509Certificate leaf, X509Chain chain, SslPolicyErrors errors) {
        if (leaf == null || chain == null || chain.ChainElements.Count == 0) return false;
        if ((errors & ~SslPolicyErrors.RemoteCertificateChainErrors) != 0) return false;
        foreach (X509ChainStatus s in chain.ChainStatus)
            if (s.Status != X509ChainStatusFlags.NoError && s.Status != X509ChainStatusFlags.UntrustedRoot) return false;
        using (SHA256 h = SHA256.Create())
            return BitConverter.ToString(h.ComputeHash(chain.ChainElements[chain.ChainElements.Count - 1].Certificate.RawData))
                .Replace("-", "").ToLowerInvariant() == pin;
    }
    public RemoteCertificateValidationCallback Callback { get { return new RemoteCertificateValidationCallback(Check); } }
}
'@

function New-PinCheck {
    # A compiled class, because a script block as callback runs on a thread without a runspace and throws.
    param([string]$Sha256)
    if (-not ('PlumblinePin' -as [type])) { Add-Type -TypeDefinition $script:PinSource -ErrorAction Stop }
    return (New-Object PlumblinePin($Sha256.ToLowerInvariant())).Callback
}

function Enable-Tls12 {
    # 0 means "as the system says" and stays; anything else gets TLS 1.2 added, nothing is taken away.
    $now = [Net.ServicePointManager]::SecurityProtocol
    if ([int]$now -ne 0) { [Net.ServicePointManager]::SecurityProtocol = $now -bor [Net.SecurityProtocolType]::Tls12 }
}

function Send-Request {
    # One POST. Request: uri, header, body, content_type, timeout_ms, proxy, ca_pin. Answers code, retry_after, text, for 4xx and 5xx too.
    param([hashtable]$Request)
    Enable-Tls12
    $web = [Net.HttpWebRequest][Net.WebRequest]::Create($Request['uri'])
    $web.Method = 'POST'
    $web.UserAgent = 'plumbline-agent'
    $web.AllowAutoRedirect = $false
    $web.KeepAlive = $false
    $web.ContentType = $Request['content_type']
    $web.Timeout = $Request['timeout_ms']
    $web.ReadWriteTimeout = $Request['timeout_ms']
    $web.ServicePoint.Expect100Continue = $false
    $web.Proxy = $null                                        # neither the system's nor the environment's
    if ($Request['proxy']) { $web.Proxy = New-Object Net.WebProxy($Request['proxy']) }
    if ($Request['ca_pin']) { $web.ServerCertificateValidationCallback = New-PinCheck $Request['ca_pin'] }
    foreach ($pair in $Request['header'].GetEnumerator()) { $web.Headers.Add([string]$pair.Key, [string]$pair.Value) }
    $body = [byte[]]$Request['body']
    $web.ContentLength = $body.Length
    $response = $null
    try {
        $stream = $web.GetRequestStream()
        try { $stream.Write($body, 0, $body.Length) } finally { $stream.Dispose() }
        try { $response = $web.GetResponse() }
        catch {
            # 4xx and 5xx come as exceptions that carry the answer.
            $fault = $_.Exception
            while ($fault -and $fault -isnot [Net.WebException]) { $fault = $fault.InnerException }
            if ($null -eq $fault -or $null -eq $fault.Response) { throw }
            $response = $fault.Response
        }
        $answer = Read-Bounded $response.GetResponseStream() 65536 $Request['timeout_ms']
        $text = [Text.Encoding]::UTF8.GetString($answer)
        return [ordered]@{ code = [int]$response.StatusCode; retry_after = [string]$response.Headers['Retry-After']; text = $text }
    }
    finally {
        if ($response) { $response.Dispose() }
        $web.Abort()
    }
}

function Invoke-Post {
    # Send-Request in a runspace with a limit of its own, because name resolution knows none. Code 0: no answer, text says why.
    param([hashtable]$Request, [hashtable]$Shelf)
    $result = Invoke-Section 'Send-Request' ($Request['timeout_ms'] + 5000) $Request $Shelf
    if ($result['status'] -ceq 'ok') { return $result['data'] }
    return [ordered]@{ code = 0; retry_after = ''; text = $result['error'] }
}

function ConvertFrom-RetryAfter {
    # Seconds of a Retry-After header, as a number or a date; 0 where it says nothing.
    param([string]$Text, [datetime]$UtcNow)
    if ([regex]::IsMatch($Text, '\A[0-9]{1,6}\z')) { return [int][Math]::Min(86400, [long]$Text) }
    $when = [datetime]::MinValue
    $style = [Globalization.DateTimeStyles]::AdjustToUniversal
    if (-not [datetime]::TryParseExact($Text, 'r', $script:Invariant, $style, [ref]$when)) { return 0 }
    return [int][Math]::Min(86400, [Math]::Max(0, [Math]::Ceiling(($when - $UtcNow).TotalSeconds)))
}

function Get-RetryWait {
    # Seconds before the next try: a draw between 0 and the capped power of two, after what the server asked for. Fraction: 0 <= x < 1.
    param([int]$Failures, [int]$RetryAfter, [double]$Fraction)
    $ceiling = [Math]::Min($script:RetryCapSeconds, $script:RetryBaseSeconds * [Math]::Pow(2, [Math]::Min(20, $Failures)))
    return [long][Math]::Ceiling($RetryAfter + $Fraction * $ceiling)
}

function Get-HoldWait {
    # About an hour, for answers that only a person can change.
    param([double]$Fraction)
    return [long]($script:HoldSeconds + [Math]::Floor($Fraction * 600))
}

function ConvertFrom-AnswerText {
    # The answer's JSON object, or null: a proxy's page is no answer.
    param([string]$Text)
    try { $parsed = ConvertFrom-Json -InputObject $Text -ErrorAction Stop } catch { return $null }
    if ($parsed -isnot [Management.Automation.PSCustomObject]) { return $null }
    return $parsed
}

function Resolve-Answer {
    # What an answer of the door means. act is accepted, want, rejected, hold or retry; the rest depends on it. Looks at nothing else.
    param([Collections.IDictionary]$Answer, [long]$Seq, [string]$Digest)
    $parsed = ConvertFrom-AnswerText $Answer['text']
    switch ($Answer['code']) {
        200 {
            # Only an answer that names this very check-in is its receipt.
            if ($null -eq $parsed -or (Get-Value $parsed 'seq') -ne $Seq -or [string](Get-Value $parsed 'digest') -cne $Digest -or
                -not [string](Get-Value $parsed 'receipt')) { return @{ act = 'retry'; why = 'an answer without a receipt' } }
            return @{ act = 'accepted'; answer = $parsed }
        }
        401 { return @{ act = 'hold'; why = 'the server refuses our signature' } }
        403 { return @{ act = 'hold'; why = 'the server says that this host is retired or quarantined' } }
        409 {
            if ($null -ne $parsed -and $null -ne $parsed.PSObject.Properties['want']) {
                return @{ act = 'want'; want = [string[]]@(Get-ListItem $parsed 'want' | ForEach-Object { [string]$_ }) }
            }
            if ($null -ne $parsed -and $null -ne $parsed.PSObject.Properties['seq_used']) {
                return @{ act = 'hold'; why = 'our sequence number was used before: a clone or a restored disk; enrol this host again' }
            }
        }
        413 { return @{ act = 'rejected'; drop = $true; why = 'too big for the server' } }
        422 { return @{ act = 'rejected'; drop = $false; why = 'refused by the server' } }
    }
    if ($Answer['code'] -eq 0) { return @{ act = 'retry'; why = ('no answer: {0}' -f $Answer['text']) } }
    return @{ act = 'retry'; why = ('answer {0}' -f $Answer['code']) }
}

function New-CheckInRequest {
    # The request for one spooled check-in: a new id, compressed, signed over the bytes as they go on the wire.
    param([Collections.IDictionary]$Credential, [long]$Seq, [byte[]]$Bytes, [int]$TimeoutMs)
    $wire = Compress-Bytes $Bytes
    $field = [ordered]@{
        host = $Credential['host_id']; epoch = $Credential['epoch']; seq = $Seq; id = (New-RandomHex 16)
        generation = $Credential['generation']; sent_at = (ConvertTo-UtcText (Get-UtcNow))
    }
    $header = [ordered]@{
        'Plumbline-Host'       = $field['host']
        'Plumbline-Epoch'      = $field['epoch']
        'Plumbline-Seq'        = $field['seq']
        'Plumbline-Id'         = $field['id']
        'Plumbline-Generation' = $field['generation']
        'Plumbline-Sent-At'    = $field['sent_at']
        'Plumbline-Signature'  = (Get-Signature $field $Credential['secret'] 'gzip' $wire)
        'Content-Encoding'     = 'gzip'
    }
    return @{
        uri = $Credential['server'].TrimEnd('/') + $script:CheckInPath; header = $header; body = $wire; content_type = $script:ContentType
        timeout_ms = $TimeoutMs; proxy = $Credential['proxy']; ca_pin = $Credential['ca_pin']
    }
}

function Send-SpoolFile {
    # Sends one spooled check-in, with the bodies that the server asks for. Answers a result of Resolve-Answer.
    param([hashtable]$Place, [Collections.IDictionary]$Credential, [string]$Path, [hashtable]$Shelf, [int]$TimeoutMs)
    $order = Get-SpoolOrder $Path
    try {
        $checkIn = Read-SpoolFile $Path
        $named = Get-LineDigest $checkIn['line']
    }
    catch { return @{ act = 'rejected'; drop = $false; why = 'the spool file is damaged'; digests = @{}; retry_after = '' } }
    $digest = Get-Sha256Hex $script:Utf8.GetBytes($checkIn['line'])
    $bodies = [string[]]@($checkIn['bodies'].Values)
    for ($try = 1; $try -le 2; $try++) {
        $bytes = ConvertTo-CheckInBytes $checkIn['line'] $bodies
        $answer = Invoke-Post (New-CheckInRequest $Credential $order['seq'] $bytes $TimeoutMs) $Shelf
        $result = Resolve-Answer $answer $order['seq'] $digest
        $result['retry_after'] = [string]$answer['retry_after']
        $result['digests'] = $named
        if ($result['act'] -cne 'want') { return $result }
        $more = Get-WantedBody $Place $named $checkIn['bodies'] $result['want']
        if ($null -eq $more) {
            return @{ act = 'rejected'; drop = $false; why = 'the server asks for a body that is gone'; digests = $named; retry_after = '' }
        }
        $bodies = [string[]]@($bodies + $more)
    }
    return @{ act = 'retry'; why = 'the server asks for bodies again and again'; digests = $named; retry_after = '' }
}

function Get-WantedBody {
    # Texts of wanted sections that are not in the check-in yet; null where one is no longer there.
    param([hashtable]$Place, [Collections.IDictionary]$Named, [hashtable]$Had, [string[]]$Want)
    $more = New-Object Collections.ArrayList
    foreach ($section in $Want) {
        if (-not $Named.Contains($section)) { return $null }
        $digest = [string]$Named[$section]
        if ($Had.ContainsKey($digest)) { continue }
        $path = [IO.Path]::Combine($Place['bodies'], $digest)
        if (-not [IO.File]::Exists($path)) { return $null }
        $text = $script:Utf8.GetString([IO.File]::ReadAllBytes($path))
        $null = $more.Add($text)
        $Had[$digest] = $text
    }
    return , $more.ToArray()
}

# ---- one run ---------------------------------------------------------------------------------------------------------

function Get-Phase {
    # Seconds into each interval at which this host checks in: fixed by its id, so that restarts do not align the fleet.
    param([string]$HostId, [long]$Interval)
    $number = [Convert]::ToUInt32((Get-Sha256Hex $script:Utf8.GetBytes($HostId)).Substring(0, 8), 16)
    return [long]([long]$number % $Interval)
}

function Test-Due {
    # True when Now lies in another interval than Last did, whichever way the clock was moved. Seconds since 1970; -1: never collected.
    param([long]$Now, [long]$Last, [long]$Interval, [long]$Phase)
    if ($Last -lt 0) { return $true }
    return ([Math]::Floor(($Now - $Phase) / $Interval) -ne [Math]::Floor(($Last - $Phase) / $Interval))
}

function Test-SendAllowed {
    # False while an earlier answer asks to wait. A clock that was moved does not lock the agent out.
    param([long]$Now, [hashtable]$State)
    if ($Now -ge $State['not_before'] -or $Now -lt $State['set_at']) { return $true }
    return ($State['not_before'] - $Now -gt 93600)
}

function Set-Wait {
    param([hashtable]$State, [long]$Now, [long]$Wait)
    $State['set_at'] = $Now
    $State['not_before'] = $Now + $Wait
}

function Update-AfterReceipt {
    # What a receipt changes: receipted digests, sections asked for later, a new secret.
    param([hashtable]$Place, [hashtable]$State, [Collections.IDictionary]$Credential, [hashtable]$Result)
    $State['failures'] = 0
    $State['not_before'] = [long]0
    foreach ($pair in $Result['digests'].GetEnumerator()) { $State['receipted'][$pair.Key] = $pair.Value }
    foreach ($section in @(Get-ListItem $Result['answer'] 'want_later')) { $State['receipted'].Remove([string]$section) }
    $next = Get-Value $Result['answer'] 'next_seconds'
    $isChanged = $false
    if ((Test-WholeNumber $next) -and $next -ge 60 -and $next -le 86400 -and $next -ne $Credential['interval_seconds']) {
        $Credential['interval_seconds'] = [long]$next
        $isChanged = $true
    }
    $secret = Get-Value $Result['answer'] 'secret'
    $generation = Get-Value $Result['answer'] 'generation'
    if ($null -ne $secret -and $secret -isnot [string]) {
        $generation = Get-Value $secret 'generation'
        $secret = Get-Value $secret 'secret'
    }
    if ($secret -is [string] -and [regex]::IsMatch($secret, '\A[0-9a-f]{64}\z')) {
        # An old secret stays good until the new one is first used, so a crash before this write costs nothing.
        if (-not (Test-WholeNumber $generation)) { $generation = $Credential['generation'] + 1 }
        $Credential['secret'] = $secret
        $Credential['generation'] = [long]$generation
        $isChanged = $true
    }
    if ($isChanged) { Save-Credential $Place['credential'] $Credential }
}

function Send-Spool {
    # Drains the spool, oldest first, one in flight, until it is empty, an answer says wait, or LimitMs is over. Answers what happened last.
    param([hashtable]$Place, [Collections.IDictionary]$Credential, [hashtable]$State, [hashtable]$Shelf, [int]$LimitMs)
    $clock = [Diagnostics.Stopwatch]::StartNew()
    $act = 'nothing'
    foreach ($path in (Get-SpoolFile $Place['spool'])) {
        $now = Get-UnixSecond (Get-UtcNow)
        if (-not (Test-SendAllowed $now $State)) { return 'waiting' }
        if ($act -cne 'nothing') {
            if ($clock.ElapsedMilliseconds + $script:DrainPauseMs + 2000 -gt $LimitMs) { return $act }
            Start-Sleep -Milliseconds $script:DrainPauseMs
        }
        $left = [int][Math]::Max(3000, [Math]::Min(15000, $LimitMs - $clock.ElapsedMilliseconds))
        $result = Send-SpoolFile $Place $Credential $path $Shelf $left
        $act = $result['act']
        $now = Get-UnixSecond (Get-UtcNow)
        if ($act -ceq 'accepted') {
            Update-AfterReceipt $Place $State $Credential $result
            Save-State $Place['state'] $State                 # before the file goes: a body counted twice is harmless, one lost is not
            [IO.File]::Delete($path)
            continue
        }
        if ($act -ceq 'rejected') {
            $State['rejected'] = $State['rejected'] + 1
            if ($result['drop']) { $State['drop'] = $true }
            Save-State $Place['state'] $State
            Move-ToRejected $Place $path
            Write-AgentEvent $Place['folder'] 104 ('check-in {0}: {1}' -f [IO.Path]::GetFileName($path), $result['why'])
            continue
        }
        if ($act -ceq 'hold') {
            Set-Wait $State $now (Get-HoldWait (Get-RandomFraction))
            Write-AgentEvent $Place['folder'] 103 ('holding back: {0}' -f $result['why'])
        }
        else {
            $after = ConvertFrom-RetryAfter $result['retry_after'] (Get-UtcNow)
            Set-Wait $State $now (Get-RetryWait $State['failures'] $after (Get-RandomFraction))
            $State['failures'] = $State['failures'] + 1
            Write-AgentLog $Place['folder'] ('not sent, trying again later: {0}' -f $result['why'])
        }
        Save-State $Place['state'] $State
        return $act
    }
    return $act
}

function Invoke-Run {
    # One start by the scheduler: collect when it is time, then drain the spool. Answers the exit code.
    param([hashtable]$Place, [bool]$IsForced, [string]$ProgramFolder, [hashtable]$Shelf, [hashtable]$PostShelf)
    $clock = [Diagnostics.Stopwatch]::StartNew()
    $credential = Read-Credential $Place['credential']
    if ($null -eq $credential) {
        Write-AgentEvent $Place['folder'] 101 'this host is not enrolled: run Install-Plumbline.ps1'
        return 2
    }
    foreach ($folder in $Place['folder'], $Place['spool'], $Place['bodies']) {
        foreach ($path in [IO.Directory]::GetFiles($folder, '*.tmp')) { [IO.File]::Delete($path) }
    }
    $state = Read-State $Place['state']
    Update-SpoolEpoch $Place $credential['epoch']
    $now = Get-UnixSecond (Get-UtcNow)
    $interval = [Math]::Max([long]60, [long]$credential['interval_seconds'])
    if ($IsForced -or (Test-Due $now $state['last_collected'] $interval (Get-Phase $credential['host_id'] $interval))) {
        $about = @{
            boot = (Get-BootName); runner = (Get-RunnerHash $ProgramFolder); rejected = $state['rejected']; thinned = $state['thinned']
            drop = $state['drop']
        }
        $checkIn = Invoke-Collection $script:SectionTable $Shelf $about $Place['folder']
        $null = Add-SpoolFile $Place $checkIn $state['receipted'] $credential['epoch']
        $state['rejected'] = 0
        $state['drop'] = $false
        $state['last_collected'] = $now
        $state['thinned'] = Limit-Spool $Place['spool'] $script:SpoolFileLimit $script:SpoolByteLimit
        Save-State $Place['state'] $state
    }
    if ($IsForced) { $state['not_before'] = [long]0 }
    $null = Send-Spool $Place $credential $state $PostShelf ($script:WallMs - [int]$clock.ElapsedMilliseconds)
    return 0
}

function Invoke-Show {
    # The whole check-in as it would go out the first time, printed; nothing is sent and no state is touched.
    param([string[]]$Wanted, [string]$ProgramFolder, [string]$Folder, [hashtable]$Shelf)
    $names = @($Wanted | ForEach-Object { $_.Split(',') })    # -File hands "a,b" over as one text
    $table = @($script:SectionTable | Where-Object { $names.Length -eq 0 -or $names -ccontains $_['name'] })
    $about = @{ boot = (Get-BootName); runner = (Get-RunnerHash $ProgramFolder); rejected = 0; thinned = 0; drop = $false }
    $checkIn = Invoke-Collection $table $Shelf $about $Folder
    $bytes = ConvertTo-CheckInBytes $checkIn['line'] ([string[]]@($checkIn['bodies'].Values))
    [Console]::Out.Write($script:Utf8.GetString($bytes))
    [Console]::Out.Flush()
    return 0
}

function Get-SelfCheck {
    # name, passed, text of every condition. Reaching the server means any answer of its own: unsigned, it can only refuse.
    param([hashtable]$Place, [hashtable]$Shelf, [hashtable]$PostShelf)
    $engine = Get-Engine
    @{ name = 'PowerShell'; passed = ([int]$engine['PSVersion'].Split('.')[0] -ge 3); text = $engine['PSVersion'] }
    @{ name = '64 bit'; passed = [bool]$engine['Is64Bit']; text = [string]$engine['Is64Bit'] }
    foreach ($view in 'SOFTWARE\Microsoft\.NETFramework\v4.0.30319', 'SOFTWARE\Wow6432Node\Microsoft\.NETFramework\v4.0.30319') {
        $strong = Get-RegistryData $view 'SchUseStrongCrypto'
        $text = 'SchUseStrongCrypto = {0}; Server 2012 also needs KB3140245' -f $strong
        @{ name = ('strong TLS, {0}' -f $view); passed = ($strong -eq 1); text = $text }
    }
    $credential = Read-Credential $Place['credential']
    @{ name = 'enrolled'; passed = ($null -ne $credential); text = $Place['credential'] }
    if ($null -ne $credential) {
        $request = @{
            uri = $credential['server'].TrimEnd('/') + $script:CheckInPath; header = @{}; body = (New-Object byte[] 0)
            content_type = $script:ContentType; timeout_ms = 10000; proxy = $credential['proxy']; ca_pin = $credential['ca_pin']
        }
        $answer = Invoke-Post $request $PostShelf
        $isReached = ($answer['code'] -ge 400 -and $answer['code'] -lt 500)
        @{ name = 'server'; passed = $isReached; text = ('{0}: {1} {2}' -f $credential['server'], $answer['code'], $answer['text']) }
    }
    $results = Read-Section $script:SectionTable (New-Context) $Shelf $script:CollectMs
    foreach ($pair in $results.GetEnumerator()) {
        $text = '{0} ms' -f $pair.Value['took_ms']
        if ($pair.Value['error']) { $text = $pair.Value['error'] }
        @{ name = ('section {0}' -f $pair.Key); passed = ($pair.Value['status'] -ceq 'ok'); text = $text }
    }
}

function Invoke-SelfCheck {
    param([hashtable]$Place, [hashtable]$Shelf, [hashtable]$PostShelf)
    $code = 0
    foreach ($one in @(Get-SelfCheck $Place $Shelf $PostShelf)) {
        $word = 'ok'
        if (-not $one['passed']) {
            $word = 'NO'
            $code = 1
        }
        [Console]::Out.WriteLine(('{0}  {1}: {2}' -f $word, $one['name'], $one['text']))
    }
    return $code
}

function Invoke-Main {
    # Parses nothing and decides little: which of the three modes, and one instance at a time.
    param([bool]$IsOnce, [bool]$IsShow, [bool]$IsSelfCheck, [string]$Folder, [string[]]$Wanted, [string]$ProgramFolder)
    try { [Diagnostics.Process]::GetCurrentProcess().PriorityClass = [Diagnostics.ProcessPriorityClass]::BelowNormal }
    catch { $null = $_ }                                      # without the right to it we go on at the given priority
    if (-not $Folder) { $Folder = [IO.Path]::Combine([Environment]::GetFolderPath('CommonApplicationData'), 'Plumbline') }
    $Folder = [IO.Path]::GetFullPath($Folder)
    if ($IsShow) { return Invoke-Show $Wanted $ProgramFolder $Folder (New-Shelf) }
    $place = Get-Place $Folder
    if ($IsSelfCheck) { return Invoke-SelfCheck $place (New-Shelf) (New-Shelf) }
    $lock = Open-Lock $place['lock']
    if ($null -eq $lock) { return 0 }
    try { return Invoke-Run $place $IsOnce $ProgramFolder (New-Shelf) (New-Shelf) }
    catch {
        Write-AgentEvent $Folder 102 ('the run failed: {0}' -f $_.Exception.Message)
        return 1
    }
    finally { $lock.Dispose() }
}

# Dot-sourced, this file defines everything and starts nothing. A section that hangs would keep a plain exit waiting.
if ($MyInvocation.InvocationName -ne '.') {
    [Environment]::Exit((Invoke-Main $Once.IsPresent $Show.IsPresent $SelfCheck.IsPresent $StateFolder $Section $PSScriptRoot))
}
