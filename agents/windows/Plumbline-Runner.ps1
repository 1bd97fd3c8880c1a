<#
.SYNOPSIS
Plumbline's runner for Windows Server: carries out one step of an approved plan, or undoes it, and leaves a receipt.

.DESCRIPTION
One file, Windows PowerShell 3.0, inbox modules only. It takes one request (agents/schema/runner.schema.json) and prints one answer. It
knows a closed list of settings (agents/schema/runner-settings.yaml, part windows); nothing that arrives is ever run, only compared with
strict patterns and handed to a cmdlet as one argument.

What keeps a host safe, whoever asks, however often, however late: a fence (the highest generation and attempt seen), the name of the boot
and an uptime up to which a request is good, compare and set of every value, a receipt on disk before the first set and after the last one,
one change at a time, and a dead-man that sets everything back unless somebody confirms in time. `begin` and `revert` go on in a scheduled
task of SYSTEM, because a WinRM session takes its children with it when the adapter under it restarts.

There is no fence until a first `fence` made one, and without one everything else is refused: a lost fence must never look like a low one.

Files, in ProgramData\Plumbline\runner (SYSTEM and administrators alone): fence.json, armed.json, last.json, receipts, work. A file
`observe-only` beside this script makes every change answer "refused by the host's owner".

.PARAMETER Request
The request, JSON as base64.

.PARAMETER Path
Where this file lies, for whoever runs its text instead of the file.

.PARAMETER Work
Name of a waiting request that this process shall carry out: what the scheduled task says.

.PARAMETER DeadMan
Operation whose dead-man this process is: what the scheduled task says.
#>
param(
    [string]$Request = '',
    [string]$Path = '',
    [string]$Work = '',
    [string]$DeadMan = '',
    [string]$StateFolder = ''
)
Set-StrictMode -Version 3.0
$ErrorActionPreference = 'Stop'

$script:RunnerVersion = '1.0.0'
$script:Invariant = [Globalization.CultureInfo]::InvariantCulture
$script:Utf8 = New-Object Text.UTF8Encoding($false, $true)    # no mark at the start, throws on bad input
$script:OwnerWords = "refused by the host's owner"
$script:LongestRequest = 88000                                # base64 of 64 kB
$script:BeginMs = 45000                                       # until the task has compared and said so
$script:MutexMs = 10000
$script:ProbeMs = 1000                                        # longer than anybody holds the mutex only to see whether it is free
$script:FenceMs = 30000
$script:LinkMs = 120000                                       # how long an adapter may take to come back
$script:Verb = @('fence', 'read', 'begin', 'confirm', 'receipt', 'revert')
$script:Field = @('v', 'verb', 'host_id', 'job_id', 'op_id', 'nonce', 'gen', 'attempt', 'boot_id', 'not_after_uptime_s', 'step', 'restart',
    'deadman_s', 'health_floor')
$script:Figure = @('sessions', 'paths_healthy', 'least_paths', 'volumes', 'adapters_up')
$script:AdapterId = '[0-9a-f]{12}|[0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-9a-f]'
$script:InterfaceId = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'
$script:TuningLevel = 'Disabled|HighlyRestricted|Restricted|Normal|Experimental'
$script:InterfaceKey = 'SYSTEM\CurrentControlSet\Services\Tcpip\Parameters\Interfaces\'

# ---- what can be set: the closed list ---------------------------------------------------------------------------------

function Get-SettingTable {
    # kind.key -> what its id and values look like, and how it is read and written. A driver's keywords stand in the order of preference.
    $table = New-Object Collections.Hashtable                 # keys compared letter by letter
    $flag = '[01]'
    $keyword = @(                                             # commas: a list of lists, not one list
        @('adapter.mtu', '[0-9]{2,5}', @('*JumboPacket', 'MaxFrameSize')),
        @('adapter.flow_control', '[0-4]', @('*FlowControl')),
        @('adapter.receive_buffers', '[0-9]{1,6}', @('*ReceiveBuffers')),
        @('adapter.transmit_buffers', '[0-9]{1,6}', @('*TransmitBuffers')),
        @('adapter.interrupt_moderation', $flag, @('*InterruptModeration')),
        @('adapter.rss', $flag, @('*RSS')),
        @('adapter.rss_queues', '[0-9]{1,3}', @('*NumRssQueues')),
        @('adapter.rss_profile', '[1-5]', @('*RSSProfile')),
        @('adapter.rsc_ipv4', $flag, @('*RscIPv4')),
        @('adapter.rsc_ipv6', $flag, @('*RscIPv6')),
        @('adapter.lso_ipv4', $flag, @('*LsoV2IPv4', '*LsoV1IPv4')),
        @('adapter.lso_ipv6', $flag, @('*LsoV2IPv6')),
        @('adapter.checksum_ip_ipv4', '[0-3]', @('*IPChecksumOffloadIPv4')),
        @('adapter.checksum_tcp_ipv4', '[0-3]', @('*TCPChecksumOffloadIPv4', '*TCPUDPChecksumOffloadIPv4')),
        @('adapter.checksum_tcp_ipv6', '[0-3]', @('*TCPChecksumOffloadIPv6', '*TCPUDPChecksumOffloadIPv6')),
        @('adapter.checksum_udp_ipv4', '[0-3]', @('*UDPChecksumOffloadIPv4', '*TCPUDPChecksumOffloadIPv4')),
        @('adapter.checksum_udp_ipv6', '[0-3]', @('*UDPChecksumOffloadIPv6', '*TCPUDPChecksumOffloadIPv6')),
        @('adapter.tcp_connection_offload', $flag, @('*TCPConnectionOffloadIPv4')),
        @('adapter.rdma', $flag, @('*NetworkDirect')),
        @('adapter.qos', $flag, @('*QOS'))
    )
    foreach ($row in $keyword) { $table[$row[0]] = @{ id = $script:AdapterId; value = $row[1]; kind = 'keyword'; keywords = $row[2] } }
    $table['vnic.rdma'] = @{ id = $script:InterfaceId; value = $flag; kind = 'keyword'; keywords = @('*NetworkDirect') }
    foreach ($component in 'ms_msclient', 'ms_server', 'ms_tcpip6', 'ms_lltdio', 'ms_rspndr', 'ms_pacer') {
        $table['adapter.binding.' + $component] = @{
            id = $script:AdapterId; value = 'True|False'; kind = 'binding'; component = $component
        }
    }
    $table['adapter.netbios'] = @{ id = $script:AdapterId; value = '[012]'; kind = 'netbios' }
    $registry = @{ id = $script:AdapterId; kind = 'registry' }
    $table['adapter.delayed_ack_registry'] = $registry + @{ value = 'absent|[0-9]{1,3}'; name = 'TcpAckFrequency' }
    $table['adapter.nagle_registry'] = $registry + @{ value = 'absent|[01]'; name = 'TcpNoDelay' }
    $offload = @{ 'host.tcp.rss' = 'ReceiveSideScaling'; 'host.tcp.rsc' = 'ReceiveSegmentCoalescing'
        'host.tcp.task_offload' = 'TaskOffload'; 'host.tcp.network_direct' = 'NetworkDirect' }
    foreach ($pair in $offload.GetEnumerator()) {
        $table[$pair.Key] = @{ id = ''; value = 'Enabled|Disabled'; kind = 'offload'; field = $pair.Value }
    }
    $table['host.tcp.chimney'] = @{ id = ''; value = 'Enabled|Disabled|Automatic'; kind = 'offload'; field = 'Chimney' }
    $table['host.tcp.auto_tuning'] = @{ id = ''; value = $script:TuningLevel; kind = 'tuning' }
    $template = 'DatacenterCustom|InternetCustom|Datacenter|Internet|Compat'
    $named = @{ id = $template; kind = 'template' }
    $table['tcp_template.auto_tuning'] = $named + @{ value = $script:TuningLevel; field = 'AutoTuningLevelLocal' }
    $table['tcp_template.delayed_ack_frequency'] = $named + @{ value = '[0-9]{1,3}'; field = 'DelayedAckFrequency' }
    $table['transport_filter.template'] = @{
        id = 'TCP,[0-9]{1,5}-[0-9]{1,5},[0-9]{1,5}-[0-9]{1,5},(?:\*|[0-9a-fA-F.:]{2,39}/[0-9]{1,3})'
        value = 'absent|DatacenterCustom|InternetCustom'; kind = 'filter'
    }
    $table['host.qos.dcbx_willing'] = @{ id = ''; value = 'True|False'; kind = 'willing' }
    $table['qos_policy.rule'] = @{ id = '[A-Za-z0-9_-]{1,64}'; value = 'absent|[0-9]{1,5}:[0-7]'; kind = 'policy' }
    $table['qos_class.share'] = @{
        id = '[A-Za-z0-9_-]{1,64}'; value = 'absent|(?:ets|strict):[0-9]{1,3}:[0-7](?:,[0-7])*'; kind = 'class'
    }
    $table['host.mpio.policy'] = @{ id = ''; value = 'None|FOO|RR|LQD|LB'; kind = 'mpio' }
    return $table
}

# ---- small things ------------------------------------------------------------------------------------------------------

function Test-Text {
    # -match ignores case, follows the culture and takes a newline at the end.
    param($Value, [string]$Pattern)
    return ($Value -is [string]) -and [regex]::IsMatch($Value, '\A(?:' + $Pattern + ')\z')
}

function Test-Whole {
    param($Value, [long]$Low, [long]$High)
    return (($Value -is [int]) -or ($Value -is [long])) -and $Value -ge $Low -and $Value -le $High
}

function New-Refusal {
    # An error that an answer is made of: reason is a word of the schema.
    param([string]$Reason, [string]$Sentence)
    $refusal = New-Object InvalidOperationException($Sentence)
    $refusal.Data['plumbline'] = $Reason
    return $refusal
}

function Get-RefusalReason {
    # The reason of an error that New-Refusal made, however deep it is wrapped; failed for any other.
    param($ErrorRecord)
    $one = $ErrorRecord.Exception
    while ($null -ne $one) {
        if ($one.Data.Contains('plumbline')) { return [string]$one.Data['plumbline'] }
        $one = $one.InnerException
    }
    return 'failed'
}

function Get-Property {
    # A property that the object may lack; then null.
    param($InputObject, [string]$Name)
    if ($null -eq $InputObject) { return $null }
    $property = $InputObject.PSObject.Properties[$Name]
    if ($null -eq $property) { return $null }
    return $property.Value
}

function Test-NothingFound {
    # "No such object" is an answer, not a failure.
    param($ErrorRecord)
    return [string]$ErrorRecord.CategoryInfo.Category -ceq 'ObjectNotFound'
}

function ConvertTo-Hex {
    param([byte[]]$Bytes)
    return [BitConverter]::ToString($Bytes).Replace('-', '').ToLowerInvariant()
}

function New-RandomHex {
    param([int]$Count)
    $bytes = New-Object byte[] $Count
    $source = [Security.Cryptography.RandomNumberGenerator]::Create()
    try { $source.GetBytes($bytes) } finally { $source.Dispose() }
    return ConvertTo-Hex $bytes
}

function Add-JsonText {
    param([Text.StringBuilder]$Out, [string]$Text)
    $null = $Out.Append('"')
    foreach ($char in $Text.ToCharArray()) {
        $code = [int]$char
        if ($code -eq 34 -or $code -eq 92) { $null = $Out.Append('\').Append($char) }
        elseif ($code -ge 32 -and $code -le 126) { $null = $Out.Append($char) }
        elseif ([char]::IsSurrogate($char)) { $null = $Out.Append('?') }
        else { $null = $Out.AppendFormat($script:Invariant, '\u{0:x4}', $code) }
    }
    $null = $Out.Append('"')
}

function Add-JsonValue {
    # Text, whole numbers, booleans, null, lists and dictionaries: all that an answer or a file of ours holds.
    param([Text.StringBuilder]$Out, $Value, [int]$Depth = 0)
    if ($Depth -gt 12) { throw 'deeper than 12 levels' }
    $comma = ''
    if ($null -eq $Value) { $null = $Out.Append('null') }
    elseif ($Value -is [string]) { Add-JsonText $Out $Value }
    elseif ($Value -is [bool]) { $null = $Out.Append($Value.ToString().ToLowerInvariant()) }
    elseif ($Value -is [int] -or $Value -is [long]) { $null = $Out.Append($Value.ToString($script:Invariant)) }
    elseif ($Value -is [Collections.IDictionary]) {
        $null = $Out.Append('{')
        foreach ($pair in $Value.GetEnumerator()) {
            $null = $Out.Append($comma)
            $comma = ','
            Add-JsonText $Out ([string]$pair.Key)
            $null = $Out.Append(':')
            Add-JsonValue $Out $pair.Value ($Depth + 1)
        }
        $null = $Out.Append('}')
    }
    elseif ($Value -is [Management.Automation.PSCustomObject]) {
        $plain = [ordered]@{}
        foreach ($property in $Value.PSObject.Properties) { $plain[$property.Name] = $property.Value }
        Add-JsonValue $Out $plain $Depth
    }
    elseif ($Value -is [Collections.IEnumerable]) {
        $null = $Out.Append('[')
        foreach ($item in $Value) {
            $null = $Out.Append($comma)
            $comma = ','
            Add-JsonValue $Out $item ($Depth + 1)
        }
        $null = $Out.Append(']')
    }
    else { Add-JsonText $Out ([string]::Format($script:Invariant, '{0}', $Value)) }
}

function ConvertTo-StableJson {
    param($Value)
    $out = New-Object Text.StringBuilder
    Add-JsonValue $out $Value
    return $out.ToString()
}

# ---- what only Windows has, each behind one function --------------------------------------------------------------------

function Get-BootName {
    # The agent's: a GUID in a volatile key of our own, which a restart removes.
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

function Get-UptimeSecond { return [long][Math]::Floor([Diagnostics.Stopwatch]::GetTimestamp() / [Diagnostics.Stopwatch]::Frequency) }

function Get-InterfaceRegistry {
    # A DWORD of an interface's TCP/IP key as text, absent where it is not there: absent and 0 differ.
    param([string]$Guid, [string]$Name)
    $key = [Microsoft.Win32.Registry]::LocalMachine.OpenSubKey($script:InterfaceKey + $Guid)
    if ($null -eq $key) { return 'absent' }
    try { $value = $key.GetValue($Name) } finally { $key.Dispose() }
    if ($null -eq $value) { return 'absent' }
    return ([int]$value).ToString($script:Invariant)
}

function Set-InterfaceRegistry {
    param([string]$Guid, [string]$Name, [string]$Value)
    $key = [Microsoft.Win32.Registry]::LocalMachine.OpenSubKey($script:InterfaceKey + $Guid, $true)
    if ($null -eq $key) { throw ('interface {0} has no TCP/IP key' -f $Guid) }
    try {
        if ($Value -ceq 'absent') { $key.DeleteValue($Name, $false) }
        else { $key.SetValue($Name, [int]$Value, [Microsoft.Win32.RegistryValueKind]::DWord) }
    }
    finally { $key.Dispose() }
}

function New-RunnerTaskXml {
    # A task of SYSTEM that runs this file. The dead-man's begins again with the host.
    param([string]$Script, [string]$Argument, [bool]$IsAtBoot)
    $trigger = ''
    if ($IsAtBoot) { $trigger = '<BootTrigger><Enabled>true</Enabled></BootTrigger>' }
    $line = '-NoProfile -NonInteractive -ExecutionPolicy RemoteSigned -File "{0}" {1}' -f $Script, $Argument
    return @"
<?xml version="1.0" encoding="UTF-16"?>
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <RegistrationInfo><Description>One step of an approved Plumbline plan.</Description></RegistrationInfo>
  <Triggers>$trigger</Triggers>
  <Principals><Principal id="Author"><UserId>S-1-5-18</UserId><RunLevel>HighestAvailable</RunLevel></Principal></Principals>
  <Settings>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <ExecutionTimeLimit>PT4H</ExecutionTimeLimit>
    <Priority>5</Priority>
    <Enabled>true</Enabled>
  </Settings>
  <Actions Context="Author">
    <Exec>
      <Command>$([Security.SecurityElement]::Escape($env:SystemRoot))\System32\WindowsPowerShell\v1.0\powershell.exe</Command>
      <Arguments>$([Security.SecurityElement]::Escape($line))</Arguments>
    </Exec>
  </Actions>
</Task>
"@
}

function Start-Detached {
    # The one function that knows the scheduler.
    param([string]$Name, [string]$Script, [string]$Argument, [bool]$IsAtBoot)
    $null = Register-ScheduledTask -TaskName $Name -Xml (New-RunnerTaskXml $Script $Argument $IsAtBoot) -Force -ErrorAction Stop
    Start-ScheduledTask -TaskName $Name -ErrorAction Stop
}

function Remove-Detached {
    param([string]$Name)
    try { Unregister-ScheduledTask -TaskName $Name -Confirm:$false -ErrorAction Stop }
    catch { if (-not (Test-NothingFound $_)) { throw } }
}

function Invoke-Netsh {
    # netsh takes a level of auto-tuning where the cmdlet of 2012 edits custom templates only. The argument is made of constants.
    param([string]$Argument)
    $start = New-Object Diagnostics.ProcessStartInfo([Environment]::SystemDirectory + '\netsh.exe', $Argument)
    $start.UseShellExecute = $false
    $start.CreateNoWindow = $true
    $start.RedirectStandardOutput = $true
    $process = [Diagnostics.Process]::Start($start)
    $text = $process.StandardOutput.ReadToEndAsync()
    if (-not $process.WaitForExit(20000)) {
        $process.Kill()
        throw 'netsh gave no answer within 20 s'
    }
    if ($process.ExitCode -ne 0) { throw ('netsh ended with {0}: {1}' -f $process.ExitCode, $text.Result.Trim()) }
}

# ---- reading and setting -------------------------------------------------------------------------------------------------

function Get-AdapterOf {
    # The adapter of a permanent MAC without separators, a PCI location or an interface GUID. Names change, these do not.
    param([string]$Id)
    $found = @()
    $places = @{}
    if ($Id.Contains(':')) {
        foreach ($row in @(Get-NetAdapterHardwareInfo -Name '*' -ErrorAction Stop)) {
            $place = '{0:x4}:{1:x2}:{2:x2}.{3:x}' -f [int]$row.Segment, [int]$row.Bus, [int]$row.Device, [int]$row.Function
            $places[[string]$row.Name] = $place
        }
    }
    foreach ($row in @(Get-NetAdapter -Name '*' -IncludeHidden -ErrorAction Stop)) {
        $mac = [regex]::Replace([string](Get-Property $row 'PermanentAddress'), '[^0-9A-Fa-f]', '').ToLowerInvariant()
        $guid = ([string](Get-Property $row 'InterfaceGuid')).Trim('{', '}').ToLowerInvariant()
        if ($Id -ceq $mac -or $Id -ceq $guid -or $Id -ceq $places[[string]$row.Name]) { $found += $row }
    }
    if ($found.Count -ne 1) { throw ('adapter {0}: {1} of that id on this host' -f $Id, $found.Count) }
    return $found[0]
}

function Get-CmdletName {
    # A name as -Name takes it: brackets in it are no wildcards.
    param($Adapter)
    return [Management.Automation.WildcardPattern]::Escape([string]$Adapter.Name)
}

function Get-KeywordRow {
    # The first of the keywords that the adapter's driver has. Their case differs between drivers.
    param($Adapter, [string[]]$Keyword)
    $rows = @(Get-NetAdapterAdvancedProperty -Name (Get-CmdletName $Adapter) -AllProperties -ErrorAction Stop)
    foreach ($wanted in $Keyword) {
        foreach ($row in $rows) {
            if ([string]::Equals([string]$row.RegistryKeyword, $wanted, [StringComparison]::OrdinalIgnoreCase)) { return $row }
        }
    }
    throw ('the driver of {0} offers none of {1}' -f $Adapter.Name, [string]::Join(', ', $Keyword))
}

function Get-FilterOf {
    # The parts of a transport filter's id.
    param([string]$Id)
    $parts = $Id.Split(',')
    $local = $parts[1].Split('-')
    $remote = $parts[2].Split('-')
    return @{ local_start = [int]$local[0]; local_end = [int]$local[1]; remote_start = [int]$remote[0]; remote_end = [int]$remote[1]
        prefix = $parts[3] }
}

function Get-TransportFilterRow {
    # Filters of people with exactly this tuple; those that Windows brings are not ours to change.
    param([hashtable]$Tuple)
    foreach ($row in @(Get-NetTransportFilter -ErrorAction Stop)) {
        $ports = @($row.LocalPortStart, $row.LocalPortEnd, $row.RemotePortStart, $row.RemotePortEnd)
        $wanted = @($Tuple['local_start'], $Tuple['local_end'], $Tuple['remote_start'], $Tuple['remote_end'])
        if ([string]::Join(',', $ports) -ceq [string]::Join(',', $wanted) -and [string]$row.Protocol -ceq 'TCP' -and
            [string]$row.DestinationPrefix -ceq $Tuple['prefix'] -and [string]$row.SettingName -cne 'Automatic') { $row }
    }
}

function Get-NamedRow {
    # The one object of a name, null where there is none.
    param([object[]]$Row, [string]$Name)
    foreach ($one in $Row) { if ([string]$one.Name -ceq $Name) { return $one } }
    return $null
}

function Get-TemplateField {
    param([string]$Name, [string]$Field)
    foreach ($row in @(Get-NetTCPSetting -SettingName $Name -ErrorAction Stop)) {
        if ([string]$row.SettingName -ceq $Name) { return [string](Get-Property $row $Field) }
    }
    throw ('this release has no TCP template {0}' -f $Name)
}

function Read-AdapterValue {
    # How: a row of the setting table, of a kind that belongs to an adapter.
    param([hashtable]$How, [string]$Id)
    $adapter = Get-AdapterOf $Id
    $guid = [string]$adapter.InterfaceGuid
    switch -CaseSensitive ($How['kind']) {
        'keyword' { return [string]@((Get-KeywordRow $adapter $How['keywords']).RegistryValue)[0] }
        'binding' {
            $rows = @(Get-NetAdapterBinding -Name (Get-CmdletName $adapter) -ErrorAction Stop)
            foreach ($row in $rows) { if ([string]$row.ComponentID -ceq $How['component']) { return ([bool]$row.Enabled).ToString() } }
            throw ('{0} is not offered on {1}' -f $How['component'], $adapter.Name)
        }
        'netbios' {
            foreach ($row in @(Get-CimInstance -ClassName 'Win32_NetworkAdapterConfiguration' -OperationTimeoutSec 15 -ErrorAction Stop)) {
                if ([string]$row.SettingID -eq $guid) { return ([int]$row.TcpipNetbiosOptions).ToString($script:Invariant) }
            }
            throw ('{0} has no IP configuration' -f $adapter.Name)
        }
        'registry' { return Get-InterfaceRegistry $guid $How['name'] }
    }
}

function Read-HostValue {
    # How: a row of the setting table, of a kind that belongs to no adapter.
    param([hashtable]$How, [string]$Id)
    switch -CaseSensitive ($How['kind']) {
        'offload' {
            $text = [string](Get-Property @(Get-NetOffloadGlobalSetting -ErrorAction Stop)[0] $How['field'])
            if ($text -ceq '') { throw ('this release has no {0}' -f $How['field']) }
            return $text
        }
        'tuning' { return Get-TemplateField 'Internet' 'AutoTuningLevelLocal' }
        'template' { return Get-TemplateField $Id $How['field'] }
        'filter' {
            $rows = @(Get-TransportFilterRow (Get-FilterOf $Id))
            if ($rows.Count -eq 0) { return 'absent' }
            if ($rows.Count -gt 1) { throw ('{0} transport filters of the same tuple' -f $rows.Count) }
            return [string]$rows[0].SettingName
        }
        'willing' { return ([bool]@(Get-NetQosDcbxSetting -ErrorAction Stop)[0].Willing).ToString() }
        'policy' {
            $row = Get-NamedRow @(Get-NetQosPolicy -ErrorAction Stop) $Id
            if ($null -eq $row) { return 'absent' }
            return '{0}:{1}' -f [int]$row.NetDirectPortMatchCondition, [int]$row.PriorityValue8021Action
        }
        'class' {
            $row = Get-NamedRow @(Get-NetQosTrafficClass -ErrorAction Stop) $Id
            if ($null -eq $row) { return 'absent' }
            $priorities = [int[]]@($row.Priority)
            [Array]::Sort($priorities)
            return '{0}:{1}:{2}' -f ([string]$row.Algorithm).ToLowerInvariant(), [int]$row.Bandwidth, [string]::Join(',', $priorities)
        }
        'mpio' { return [string]@(Get-MSDSMGlobalDefaultLoadBalancePolicy -ErrorAction Stop)[0] }
    }
}

function Read-SettingValue {
    param([hashtable]$How, [string]$Id)
    if ('keyword', 'binding', 'netbios', 'registry' -ccontains $How['kind']) { return Read-AdapterValue $How $Id }
    return Read-HostValue $How $Id
}

function Set-AdapterValue {
    param([hashtable]$How, [string]$Id, [string]$Value)
    $adapter = Get-AdapterOf $Id
    $name = Get-CmdletName $adapter
    switch -CaseSensitive ($How['kind']) {
        'keyword' {
            $keyword = [string](Get-KeywordRow $adapter $How['keywords']).RegistryKeyword
            Set-NetAdapterAdvancedProperty -Name $name -RegistryKeyword $keyword -RegistryValue $Value -NoRestart -ErrorAction Stop
        }
        'binding' {
            Set-NetAdapterBinding -Name $name -ComponentID $How['component'] -Enabled ($Value -ceq 'True') -ErrorAction Stop
        }
        'netbios' {
            foreach ($row in @(Get-CimInstance -ClassName 'Win32_NetworkAdapterConfiguration' -OperationTimeoutSec 15 -ErrorAction Stop)) {
                if ([string]$row.SettingID -ne [string]$adapter.InterfaceGuid) { continue }
                $argument = @{ TcpipNetbiosOptions = [uint32]$Value }
                $answer = Invoke-CimMethod -InputObject $row -MethodName 'SetTcpipNetbios' -Arguments $argument -ErrorAction Stop
                # 1: done, and asks for a restart; the value is in force for NetBIOS at once.
                if (0, 1 -notcontains [int]$answer.ReturnValue) { throw ('SetTcpipNetbios answered {0}' -f $answer.ReturnValue) }
            }
        }
        'registry' { Set-InterfaceRegistry ([string]$adapter.InterfaceGuid) $How['name'] $Value }
    }
}

function Set-TransportFilter {
    param([string]$Id, [string]$Value)
    $tuple = Get-FilterOf $Id
    foreach ($row in @(Get-TransportFilterRow $tuple)) { Remove-NetTransportFilter -InputObject $row -Confirm:$false -ErrorAction Stop }
    if ($Value -ceq 'absent') { return }
    $splat = @{
        SettingName = $Value; Protocol = 'TCP'; LocalPortStart = $tuple['local_start']; LocalPortEnd = $tuple['local_end']
        RemotePortStart = $tuple['remote_start']; RemotePortEnd = $tuple['remote_end']; DestinationPrefix = $tuple['prefix']
    }
    $null = New-NetTransportFilter @splat -ErrorAction Stop
}

function Set-QosPolicy {
    param([string]$Id, [string]$Value)
    $old = Get-NamedRow @(Get-NetQosPolicy -ErrorAction Stop) $Id
    if ($Value -ceq 'absent') {
        if ($null -ne $old) { Remove-NetQosPolicy -Name $Id -Confirm:$false -ErrorAction Stop }
        return
    }
    $parts = $Value.Split(':')
    if ($null -eq $old) {
        $null = New-NetQosPolicy -Name $Id -NetDirectPortMatchCondition ([uint16]$parts[0]) -PriorityValue ([int]$parts[1]) `
            -ErrorAction Stop
        return
    }
    Set-NetQosPolicy -Name $Id -NetDirectPortMatchCondition ([uint16]$parts[0]) -PriorityValue ([int]$parts[1]) -ErrorAction Stop
}

function Set-QosClass {
    param([string]$Id, [string]$Value)
    $old = Get-NamedRow @(Get-NetQosTrafficClass -ErrorAction Stop) $Id
    if ($null -ne $old) { Remove-NetQosTrafficClass -Name $Id -Confirm:$false -ErrorAction Stop }
    if ($Value -ceq 'absent') { return }
    $parts = $Value.Split(':')
    $priorities = [byte[]]@($parts[2].Split(','))
    if ($parts[0] -ceq 'strict') {
        $null = New-NetQosTrafficClass -Name $Id -Algorithm 'Strict' -Priority $priorities -ErrorAction Stop
        return
    }
    $null = New-NetQosTrafficClass -Name $Id -Algorithm 'ETS' -BandwidthPercentage ([byte]$parts[1]) -Priority $priorities -ErrorAction Stop
}

function Set-HostValue {
    param([hashtable]$How, [string]$Id, [string]$Value)
    switch -CaseSensitive ($How['kind']) {
        'offload' {
            switch -CaseSensitive ($How['field']) {
                'ReceiveSideScaling' { Set-NetOffloadGlobalSetting -ReceiveSideScaling $Value -ErrorAction Stop }
                'ReceiveSegmentCoalescing' { Set-NetOffloadGlobalSetting -ReceiveSegmentCoalescing $Value -ErrorAction Stop }
                'TaskOffload' { Set-NetOffloadGlobalSetting -TaskOffload $Value -ErrorAction Stop }
                'NetworkDirect' { Set-NetOffloadGlobalSetting -NetworkDirect $Value -ErrorAction Stop }
                'Chimney' { Set-NetOffloadGlobalSetting -Chimney $Value -ErrorAction Stop }
            }
        }
        'tuning' { Invoke-Netsh ('interface tcp set global autotuninglevel=' + $Value.ToLowerInvariant()) }
        'template' {
            if ($How['field'] -ceq 'DelayedAckFrequency') {
                Set-NetTCPSetting -SettingName $Id -DelayedAckFrequency ([byte]$Value) -ErrorAction Stop
            }
            else { Set-NetTCPSetting -SettingName $Id -AutoTuningLevelLocal $Value -ErrorAction Stop }
        }
        'filter' { Set-TransportFilter $Id $Value }
        'willing' { Set-NetQosDcbxSetting -Willing ($Value -ceq 'True') -Confirm:$false -ErrorAction Stop }
        'policy' { Set-QosPolicy $Id $Value }
        'class' { Set-QosClass $Id $Value }
        'mpio' { $null = Set-MSDSMGlobalDefaultLoadBalancePolicy -Policy $Value -ErrorAction Stop }
    }
}

function Set-SettingValue {
    param([hashtable]$How, [string]$Id, [string]$Value)
    if ('keyword', 'binding', 'netbios', 'registry' -ccontains $How['kind']) { Set-AdapterValue $How $Id $Value }
    else { Set-HostValue $How $Id $Value }
}

function Find-Setting {
    # The row and the id of an address kind/id/key. Throws a refusal.
    param([string]$Address, [hashtable]$Table)
    $parts = $Address.Split('/')
    if ($parts.Length -ne 3) { throw (New-Refusal 'bad_request' 'a setting is named kind/id/key') }
    $key = $parts[0] + '.' + $parts[2]
    if (-not $Table.ContainsKey($key)) {
        throw (New-Refusal 'not_allowed' 'that is not among the settings that a runner changes on Windows')
    }
    $id = [Uri]::UnescapeDataString($parts[1])
    if (-not (Test-Text $id $Table[$key]['id'])) {
        throw (New-Refusal 'bad_request' ('the id of {0} is not one that this host could have' -f $key))
    }
    return @{ how = $Table[$key]; id = $id }
}

function Read-EachValue {
    # Address -> value, null where it cannot be read; with the first reason.
    param([string[]]$Address, [hashtable]$Table)
    $values = [ordered]@{}
    $fault = $null
    foreach ($one in $Address) {
        $values[$one] = $null
        try {
            $found = Find-Setting $one $Table
            $values[$one] = [string](Read-SettingValue $found['how'] $found['id'])
        }
        catch { if ($null -eq $fault) { $fault = '{0}: {1}' -f $one, $_.Exception.Message } }
    }
    return @{ values = $values; fault = $fault }
}

# ---- health --------------------------------------------------------------------------------------------------------------

function Get-Health {
    # The figures that may not fall. One that cannot be read is null.
    $found = [ordered]@{}
    foreach ($name in $script:Figure) { $found[$name] = $null }
    try {
        $found['sessions'] = [long]@(Get-IscsiSession -ErrorAction Stop | Where-Object { $_.IsConnected }).Count
    }
    catch { if (Test-NothingFound $_) { $found['sessions'] = [long]0 } }
    try {
        $counts = @()
        $disks = @(Get-CimInstance -Namespace 'root/wmi' -ClassName 'DSM_QueryLBPolicy_V2' -OperationTimeoutSec 8 -ErrorAction Stop)
        foreach ($disk in $disks) {
            $count = 0
            foreach ($path in @(Get-Property (Get-Property $disk 'LoadBalancePolicy') 'DSM_Paths')) {
                if ($null -ne $path -and -not [bool](Get-Property $path 'FailedPath')) { $count++ }
            }
            $counts += $count
        }
        $found['paths_healthy'] = [long]0
        $found['least_paths'] = [long]0
        $found['volumes'] = [long]0
        if ($counts.Count -gt 0) { $found['least_paths'] = [long]$counts[0] }
        foreach ($count in $counts) {
            $found['paths_healthy'] += [long]$count
            if ($count -lt $found['least_paths']) { $found['least_paths'] = [long]$count }
            if ($count -gt 0) { $found['volumes'] += [long]1 }
        }
    }
    catch { foreach ($name in 'paths_healthy', 'least_paths', 'volumes') { $found[$name] = $null } }
    try {
        $rows = @(Get-NetAdapter -Name '*' -ErrorAction Stop | Where-Object {
            [bool](Get-Property $_ 'HardwareInterface') -and '1', 'Connected' -ccontains [string](Get-Property $_ 'MediaConnectionState') })
        $found['adapters_up'] = [long]$rows.Count
    }
    catch { $found['adapters_up'] = $null }
    return $found
}

function Get-FloorFault {
    # What is under the floor, as a sentence; empty where nothing is. What cannot be read is under every floor.
    param($Floor, [Collections.IDictionary]$Health)
    foreach ($name in $script:Figure) {
        $least = Get-Property $Floor $name
        if ($null -eq $least) { continue }
        $word = 'unknown'
        if ($null -ne $Health[$name]) { $word = $Health[$name].ToString($script:Invariant) }
        if ($null -eq $Health[$name] -or $Health[$name] -lt $least) {
            return '{0}: {1}, and {2} are asked for; nothing was set' -f $name, $word, $least
        }
    }
    return ''
}

# ---- files of our own ------------------------------------------------------------------------------------------------------

function Write-FileSafely {
    # A temporary file, flushed, then renamed: after a power cut there is the old file or the new, never a half.
    param([string]$Path, [string]$Text)
    $temporary = '{0}.{1}.tmp' -f $Path, [Diagnostics.Process]::GetCurrentProcess().Id
    $bytes = $script:Utf8.GetBytes($Text)
    $stream = New-Object IO.FileStream($temporary, [IO.FileMode]::Create, [IO.FileAccess]::Write, [IO.FileShare]::None)
    try {
        $stream.Write($bytes, 0, $bytes.Length)
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
            if ($try -ge 10) { throw }
            Start-Sleep -Milliseconds 100                     # a virus scanner holds it
        }
    }
}

function Save-Document {
    param([string]$Path, $Document)
    Write-FileSafely $Path (ConvertTo-StableJson $Document)
}

function Read-Document {
    # A file of ours as an ordered dictionary; null where there is none. A damaged one is an error: it must never look like a fresh start.
    param([string]$Path)
    for ($try = 1; ; $try++) {
        try {
            if (-not [IO.File]::Exists($Path)) { return $null }
            $text = [IO.File]::ReadAllText($Path)
            break
        }
        catch {
            if ($try -ge 10) { throw }
            Start-Sleep -Milliseconds 50
        }
    }
    $parsed = $null
    try { $parsed = ConvertFrom-Json -InputObject $text -ErrorAction Stop } catch { $parsed = $null }
    if ($parsed -isnot [Management.Automation.PSCustomObject]) {
        throw (New-Refusal 'failed' ($Path + ' is damaged: a person has to look'))
    }
    $found = [ordered]@{}
    foreach ($property in $parsed.PSObject.Properties) { $found[$property.Name] = $property.Value }
    return $found
}

function Open-Lock {
    # An exclusive handle: another process is refused, and the lock ends with its holder. Null where somebody held it all the time.
    param([string]$Path, [int]$LimitMs = 0)
    $clock = [Diagnostics.Stopwatch]::StartNew()
    while ($true) {
        try { return New-Object IO.FileStream($Path, [IO.FileMode]::OpenOrCreate, [IO.FileAccess]::ReadWrite, [IO.FileShare]::None) }
        catch {
            $cause = $_.Exception.GetBaseException()
            if ($cause.GetType() -ne [IO.IOException]) { throw }
        }
        if ($clock.ElapsedMilliseconds -ge $LimitMs) { return $null }
        Start-Sleep -Milliseconds 100
    }
}

function New-RunnerContext {
    # Everything that a verb needs: where things lie, the closed list, the boot.
    param([string]$Script, [string]$Folder)
    foreach ($one in $Folder, [IO.Path]::Combine($Folder, 'receipts'), [IO.Path]::Combine($Folder, 'work')) {
        $null = [IO.Directory]::CreateDirectory($one)
    }
    return @{
        script = $Script; folder = $Folder; table = (Get-SettingTable); boot = (Get-BootName)
        fence = [IO.Path]::Combine($Folder, 'fence.json'); armed = [IO.Path]::Combine($Folder, 'armed.json')
        last = [IO.Path]::Combine($Folder, 'last.json'); lock = [IO.Path]::Combine($Folder, 'runner.lock')
        fence_lock = [IO.Path]::Combine($Folder, 'fence.lock')
        owner = [IO.Path]::Combine([IO.Path]::GetDirectoryName($Script), 'observe-only')
    }
}

function Get-ReceiptPath {
    # The op id passed its pattern, so no path is in it.
    param([hashtable]$Context, [string]$OpId)
    return [IO.Path]::Combine($Context['folder'], 'receipts', $OpId + '.json')
}

function Read-Receipt {
    param([hashtable]$Context, [string]$OpId)
    return Read-Document (Get-ReceiptPath $Context $OpId)
}

function Save-Receipt {
    param([hashtable]$Context, [Collections.IDictionary]$Receipt)
    Save-Document (Get-ReceiptPath $Context $Receipt['op_id']) $Receipt
}

function Save-Mark {
    # What check-ins carry as runner_before and runner_after.
    param([hashtable]$Context, $Asked)
    Save-Document $Context['last'] ([ordered]@{ op_id = $Asked.op_id; gen = [long]$Asked.gen })
}

# ---- the request -------------------------------------------------------------------------------------------------------------

function Read-Request {
    # The request, every field checked. Throws a refusal.
    param([string]$Base64, [hashtable]$Table)
    if ($Base64.Length -gt $script:LongestRequest) { throw (New-Refusal 'bad_request' 'the request is too long') }
    $parsed = $null
    try {
        $text = $script:Utf8.GetString([Convert]::FromBase64String($Base64))
        $parsed = ConvertFrom-Json -InputObject $text -ErrorAction Stop
    }
    catch { throw (New-Refusal 'bad_request' 'the request is no JSON') }
    if ($parsed -isnot [Management.Automation.PSCustomObject]) { throw (New-Refusal 'bad_request' 'the request is not one object') }
    $names = @($parsed.PSObject.Properties | ForEach-Object { $_.Name })
    foreach ($name in $names) {
        if ($script:Field -cnotcontains $name) { throw (New-Refusal 'bad_request' ('unknown field: ' + $name)) }
    }
    foreach ($name in $script:Field) {
        if ($names -cnotcontains $name) { throw (New-Refusal 'bad_request' ('missing field: ' + $name)) }
    }
    if (-not (Test-Whole $parsed.v 1 1) -or -not (Test-Text $parsed.verb ([string]::Join('|', $script:Verb)))) {
        throw (New-Refusal 'bad_request' 'v must be 1 and verb one of the six')
    }
    foreach ($name in 'host_id', 'job_id', 'op_id', 'nonce') {
        if (-not (Test-Text $parsed.$name '[0-9a-f]{16,64}')) {
            throw (New-Refusal 'bad_request' ($name + ' must be 16 to 64 hexadecimal digits'))
        }
    }
    foreach ($name in 'gen', 'attempt') {
        if (-not (Test-Whole $parsed.$name 0 9007199254740991)) { throw (New-Refusal 'bad_request' ($name + ' must be a whole number')) }
    }
    $isFree = 'read', 'receipt' -ccontains $parsed.verb
    if (-not ($isFree -and $null -eq $parsed.boot_id) -and -not (Test-Text $parsed.boot_id '[0-9a-f]{32}')) {
        throw (New-Refusal 'bad_request' 'boot_id must be 32 hexadecimal digits')
    }
    if (-not ($isFree -and $null -eq $parsed.not_after_uptime_s) -and -not (Test-Whole $parsed.not_after_uptime_s 0 9007199254740991)) {
        throw (New-Refusal 'bad_request' 'not_after_uptime_s must be a whole number')
    }
    Test-RequestStep $parsed $Table
    return $parsed
}

function Test-RequestStep {
    # Throws a refusal unless step, restart, dead-man and floor fit the verb.
    param($Parsed, [hashtable]$Table)
    $fields = @()
    if ($Parsed.verb -ceq 'begin') { $fields = @('setting', 'seen', 'target', 'inverse') }
    if ($Parsed.verb -ceq 'read') { $fields = @('setting') }
    if ($Parsed.step -isnot [Array] -or $Parsed.step.Length -gt 64 -or ($fields.Count -eq 0 -and $Parsed.step.Length -gt 0) -or
        ($Parsed.verb -ceq 'begin' -and $Parsed.step.Length -eq 0)) {
        throw (New-Refusal 'bad_request' 'step must be a list that fits the verb')
    }
    $known = @{}
    foreach ($element in $Parsed.step) {
        if ($element -isnot [Management.Automation.PSCustomObject]) { throw (New-Refusal 'bad_request' 'an element of step is no object') }
        $names = @($element.PSObject.Properties | ForEach-Object { $_.Name })
        if ($names.Count -ne $fields.Count -or @($names | Where-Object { $fields -cnotcontains $_ }).Count -gt 0) {
            throw (New-Refusal 'bad_request' ('an element of step has ' + [string]::Join(', ', $fields)))
        }
        if ($element.setting -isnot [string] -or $known.ContainsKey($element.setting)) {
            throw (New-Refusal 'bad_request' 'a setting twice in one step, or none')
        }
        $known[$element.setting] = $true
        $found = Find-Setting $element.setting $Table
        foreach ($name in @($fields | Where-Object { $_ -cne 'setting' })) {
            if (-not (Test-Text $element.$name $found['how']['value'])) {
                throw (New-Refusal 'bad_request' ('{0} of {1} is not a value that it can have' -f $name, $element.setting))
            }
        }
    }
    if ($Parsed.verb -cne 'begin' -and ($null -ne $Parsed.restart -or $null -ne $Parsed.deadman_s -or $null -ne $Parsed.health_floor)) {
        throw (New-Refusal 'bad_request' 'restart, deadman_s and health_floor belong to begin')
    }
    $pattern = 'adapter/(?:' + $script:AdapterId + ')|vnic/(?:' + $script:InterfaceId + ')'
    if ($null -ne $Parsed.restart -and -not (Test-Text $Parsed.restart $pattern)) {
        throw (New-Refusal 'bad_request' 'restart must name an adapter or a vnic')
    }
    if ($null -ne $Parsed.deadman_s -and -not (Test-Whole $Parsed.deadman_s 1 7200)) {
        throw (New-Refusal 'bad_request' 'deadman_s must lie between 1 and 7200')
    }
    if ($null -eq $Parsed.health_floor) { return }
    $floor = @()
    if ($Parsed.health_floor -is [Management.Automation.PSCustomObject]) { $floor = @($Parsed.health_floor.PSObject.Properties) }
    $wrong = @($floor | Where-Object { $script:Figure -cnotcontains $_.Name -or -not (Test-Whole $_.Value 0 9007199254740991) })
    if ($floor.Count -eq 0 -or $wrong.Count -gt 0) {
        throw (New-Refusal 'bad_request' ('health_floor must give whole numbers for ' + [string]::Join(', ', $script:Figure)))
    }
}

# ---- gates: what every change has to pass ---------------------------------------------------------------------------------------

function Assert-Fence {
    param([hashtable]$Context, $Asked)
    $fence = Read-Document $Context['fence']
    if ($null -eq $fence) { throw (New-Refusal 'fenced' 'this host has no fence yet: a fence has to come first') }
    if ($Asked.gen -lt $fence['gen'] -or ($Asked.gen -eq $fence['gen'] -and $Asked.attempt -lt $fence['attempt'])) {
        $words = 'this host has seen generation {0}, attempt {1}: an older command is not carried out' -f $fence['gen'], $fence['attempt']
        throw (New-Refusal 'fenced' $words)
    }
}

function Assert-Time {
    param([hashtable]$Context, $Asked)
    if ($Asked.boot_id -cne $Context['boot']) { throw (New-Refusal 'late' 'the host was restarted since the command was made') }
    $uptime = Get-UptimeSecond
    if ($uptime -gt $Asked.not_after_uptime_s) {
        $words = 'the host has been up for {0} s; the command was good until {1} s' -f $uptime, $Asked.not_after_uptime_s
        throw (New-Refusal 'late' $words)
    }
}

function Assert-Gate {
    # Throws a refusal unless this request may act on this host now.
    param([hashtable]$Context, $Asked, [bool]$IsChange)
    if ($IsChange -and [IO.File]::Exists($Context['owner'])) { throw (New-Refusal 'not_allowed' $script:OwnerWords) }
    Assert-Fence $Context $Asked
    Assert-Time $Context $Asked
}

function Test-Armed {
    param([Collections.IDictionary]$Receipt)
    if ($null -eq $Receipt -or $null -eq $Receipt['deadman']) { return $false }
    return [string](Get-Field $Receipt['deadman'] 'state') -ceq 'armed' -and 'started', 'done' -ccontains $Receipt['state']
}

function Get-Field {
    # A field of what was a dictionary before it went through a file, or still is one.
    param($From, [string]$Name)
    if ($From -is [Collections.IDictionary]) { return $From[$Name] }
    return Get-Property $From $Name
}

function Assert-NoOtherDeadMan {
    # Another operation that may still undo itself must come to its end first.
    param([hashtable]$Context, $Asked)
    $armed = Read-Document $Context['armed']
    if ($null -eq $armed -or $armed['op_id'] -ceq $Asked.op_id) { return }
    if (Test-Armed (Read-Receipt $Context $armed['op_id'])) {
        throw (New-Refusal 'busy' ('operation {0} may still undo itself' -f $armed['op_id']))
    }
}

# ---- answers ----------------------------------------------------------------------------------------------------------------------

function Test-Busy {
    # Somebody holds the mutex.
    param([hashtable]$Context)
    $probe = Open-Lock $Context['lock']
    if ($null -eq $probe) { return $true }
    $probe.Dispose()
    return $false
}

function Get-ReceiptAnswer {
    # The fields of an answer that a receipt decides. Busy: known to be, known not to be, or null: look.
    param([hashtable]$Context, $Receipt, $Busy = $null)
    if ($null -eq $Receipt) { return @{ state = 'none' } }
    $found = @{
        state = $Receipt['state']; wrote = @($Receipt['wrote']); before = $Receipt['before']; after = $Receipt['after']
        error = $Receipt['error']; restart = $Receipt['restart_state']; deadman = (Get-Field $Receipt['deadman'] 'state')
    }
    if ($Receipt['state'] -ceq 'started' -or $Receipt['reverting']) {
        if ($null -eq $Busy) {
            $Busy = Test-Busy $Context
            # Whoever was at work may have ended between the reading of the receipt and the look at the lock.
            if (-not $Busy) { return Get-ReceiptAnswer $Context (Read-Receipt $Context $Receipt['op_id']) $false }
        }
        $found['state'] = 'started'
        if ($Busy) { $found['reason'] = 'busy' }
    }
    return $found
}

function New-Answer {
    # A whole answer in the order of the schema; `end` is its last key, so that a cut line never looks whole.
    param([hashtable]$Found, $OpId, $Nonce, $Boot, $Fence)
    $answer = [ordered]@{
        v = 1; op_id = $OpId; nonce = $Nonce; state = 'none'; reason = $null; error = $null; wrote = @(); before = $null; after = $null
        restart = $null; deadman = $null; boot_id = $Boot; uptime_s = (Get-UptimeSecond); fence = $Fence; health = $null
    }
    foreach ($name in @($answer.Keys)) { if ($Found.ContainsKey($name)) { $answer[$name] = $Found[$name] } }
    if ($null -ne $answer['error'] -and $answer['error'].Length -gt 600) { $answer['error'] = $answer['error'].Substring(0, 600) }
    $answer['end'] = 'plumbline'
    return $answer
}

# ---- verbs ------------------------------------------------------------------------------------------------------------------------

function Invoke-Fence {
    param([hashtable]$Context, $Asked)
    Assert-Time $Context $Asked
    $held = Open-Lock $Context['fence_lock'] $script:FenceMs
    if ($null -eq $held) { throw (New-Refusal 'busy' 'a setting is being written') }
    try {
        if ($null -ne (Read-Document $Context['fence'])) { Assert-Fence $Context $Asked }
        Save-Document $Context['fence'] ([ordered]@{ gen = [long]$Asked.gen; attempt = [long]$Asked.attempt })
    }
    finally { $held.Dispose() }
    return Get-ReceiptAnswer $Context (Read-Receipt $Context $Asked.op_id)
}

function Invoke-Read {
    param([hashtable]$Context, $Asked)
    $read = Read-EachValue @($Asked.step | ForEach-Object { $_.setting }) $Context['table']
    $found = Get-ReceiptAnswer $Context (Read-Receipt $Context $Asked.op_id)
    $found['after'] = $read['values']
    $found['error'] = $read['fault']
    $found['health'] = Get-Health
    return $found
}

function Invoke-Confirm {
    param([hashtable]$Context, $Asked)
    $held = Open-Lock $Context['lock'] $script:MutexMs
    if ($null -eq $held) { return Get-ReceiptAnswer $Context (Read-Receipt $Context $Asked.op_id) $true }
    try {
        Assert-Gate $Context $Asked $false
        $receipt = Read-Receipt $Context $Asked.op_id
        if ($null -ne $receipt -and $receipt['state'] -ceq 'done' -and -not $receipt['reverting']) {
            $wasArmed = Test-Armed $receipt
            $receipt['state'] = 'confirmed'
            if ($wasArmed) { $receipt['deadman'].state = 'disarmed' }
            Save-Receipt $Context $receipt
        }
    }
    finally { $held.Dispose() }
    $found = Get-ReceiptAnswer $Context $receipt $false
    $found['health'] = Get-Health
    return $found
}

function Invoke-Apart {
    # Has a task of SYSTEM carry out the request; answers what the task says first, or what is on disk if it says nothing.
    param([hashtable]$Context, $Asked, [string]$Base64)
    Assert-Gate $Context $Asked $true
    $name = '{0}-{1}' -f $Asked.op_id, $Asked.nonce
    $waiting = [IO.Path]::Combine($Context['folder'], 'work', $name)
    Write-FileSafely ($waiting + '.request') $Base64
    $task = 'Plumbline step ' + $name
    Start-Detached $task $Context['script'] ('-Work {0} -StateFolder "{1}"' -f $name, $Context['folder']) $false
    $clock = [Diagnostics.Stopwatch]::StartNew()
    while (-not [IO.File]::Exists($waiting + '.answer') -and $clock.ElapsedMilliseconds -lt $script:BeginMs) {
        Start-Sleep -Milliseconds 100
    }
    $said = Read-Document ($waiting + '.answer')
    foreach ($end in '.answer', '.request') { if ([IO.File]::Exists($waiting + $end)) { [IO.File]::Delete($waiting + $end) } }
    if ($null -eq $said) { return Get-ReceiptAnswer $Context (Read-Receipt $Context $Asked.op_id) }
    $found = @{}
    foreach ($pair in $said.GetEnumerator()) { $found[$pair.Key] = $pair.Value }
    return $found
}

function Invoke-Verb {
    param([hashtable]$Context, $Asked, [string]$Base64)
    switch -CaseSensitive ($Asked.verb) {
        'fence' { return Invoke-Fence $Context $Asked }
        'read' { return Invoke-Read $Context $Asked }
        'receipt' { return Get-ReceiptAnswer $Context (Read-Receipt $Context $Asked.op_id) }
        'confirm' { return Invoke-Confirm $Context $Asked }
        default { return Invoke-Apart $Context $Asked $Base64 }
    }
}

# ---- a step, in the task ------------------------------------------------------------------------------------------------------------

function Write-FirstWord {
    # What the task has to say to whoever waits for it; the first time only. Say: hashtable with path and told.
    param([hashtable]$Say, [hashtable]$Found)
    if ($Say['told']) { return }
    $Say['told'] = $true
    if ($Say['path'] -cne '') { Save-Document $Say['path'] $Found }
}

function Get-Left {
    # Elements that do not stand at target. Throws a refusal where one reads neither as seen nor as target.
    param([object[]]$Step, [hashtable]$Read)
    $left = @()
    foreach ($element in $Step) {
        $now = $Read['values'][$element.setting]
        if ($null -eq $now) { throw (New-Refusal 'failed' $Read['fault']) }
        if ($now -ceq $element.target) { continue }
        if ($now -cne $element.seen) {
            $words = '{0} reads {1}: neither as seen ({2}) nor as wanted ({3}); nothing was set'
            throw (New-Refusal 'conflict' ($words -f $element.setting, $now, $element.seen, $element.target))
        }
        $left += $element
    }
    return , $left
}

function New-Receipt {
    param($Asked, [hashtable]$Read)
    return [ordered]@{
        op_id = $Asked.op_id; job_id = $Asked.job_id; gen = 0; attempt = 0; boot_id = ''; state = 'started'; step = $Asked.step
        restart = $Asked.restart; restart_state = $null; restart_record = $null; before = $Read['values']; after = $null
        mine = @(); wrote = @(); error = $null; deadman = $null; reverting = $false
    }
}

function Set-EachElement {
    # Sets elements one by one, each under the fence. Answers why it stopped, null where it did not. Asked: null for the dead-man.
    param([hashtable]$Context, $Asked, [Collections.IDictionary]$Receipt, [object[]]$Element, [string]$Which)
    foreach ($one in $Element) {
        $held = Open-Lock $Context['fence_lock'] $script:FenceMs
        if ($null -eq $held) { return 'the fence is held' }
        try {
            if ($null -ne $Asked) { Assert-Gate $Context $Asked $true }
            $found = Find-Setting $one.setting $Context['table']
            Set-SettingValue $found['how'] $found['id'] $one.$Which
        }
        catch { return '{0}: {1}' -f $one.setting, $_.Exception.Message }
        finally { $held.Dispose() }
        if ($Which -ceq 'target') {
            $Receipt['wrote'] = @($Receipt['wrote']) + $one.setting
            Save-Receipt $Context $Receipt
        }
    }
    return $null
}

function Get-ReceivedBytes {
    # A counter that starts anew when an adapter does; -1 where it cannot be read.
    param($Adapter)
    try { return [long]@(Get-NetAdapterStatistics -Name (Get-CmdletName $Adapter) -ErrorAction Stop)[0].ReceivedBytes }
    catch { return [long]-1 }
}

function Wait-Link {
    # Waits until the adapter has link again. False where it does not come.
    param([string]$Id)
    $clock = [Diagnostics.Stopwatch]::StartNew()
    while ($clock.ElapsedMilliseconds -lt $script:LinkMs) {
        try {
            $state = [string](Get-Property (Get-AdapterOf $Id) 'MediaConnectionState')
            if ('1', 'Connected' -ccontains $state) { return $true }
        }
        catch { $null = $_ }                                  # while it restarts it may not be listed at all
        Start-Sleep -Milliseconds 500
    }
    return $false
}

function Invoke-OwedRestart {
    # The one restart of a step, where it is owed. One that was begun and not seen to end is waited for, and repeated only where the adapter
    # was not started anew since: its counters go on from where they stood. Answers why it failed, null where it did not.
    param([hashtable]$Context, [Collections.IDictionary]$Receipt)
    if ('owed', 'begun' -cnotcontains $Receipt['restart_state']) { return $null }
    $id = [Uri]::UnescapeDataString($Receipt['restart'].Split('/')[1])
    try {
        $isOwed = $true
        if ($Receipt['restart_state'] -ceq 'begun') {
            $null = Wait-Link $id
            $was = [long](Get-Field $Receipt['restart_record'] 'received_bytes')
            $now = Get-ReceivedBytes (Get-AdapterOf $id)
            $isOwed = ($was -lt 0 -or $now -lt 0 -or $now -ge $was)
        }
        if ($isOwed) {
            $adapter = Get-AdapterOf $id
            $Receipt['restart_state'] = 'begun'
            $Receipt['restart_record'] = [ordered]@{
                boot_id = $Context['boot']; begun_uptime_s = (Get-UptimeSecond); done_uptime_s = $null
                received_bytes = (Get-ReceivedBytes $adapter)
            }
            Save-Receipt $Context $Receipt
            Restart-NetAdapter -Name (Get-CmdletName $adapter) -ErrorAction Stop
        }
        if (-not (Wait-Link $id)) { return ('adapter {0} did not come back within {1} s' -f $id, ($script:LinkMs / 1000)) }
        $record = [ordered]@{
            boot_id = $Context['boot']; begun_uptime_s = $null; done_uptime_s = (Get-UptimeSecond); received_bytes = [long]-1
        }
        if ($null -ne $Receipt['restart_record']) { $record['begun_uptime_s'] = Get-Field $Receipt['restart_record'] 'begun_uptime_s' }
        $Receipt['restart_record'] = $record
        $Receipt['restart_state'] = 'done'
        Save-Receipt $Context $Receipt
        return $null
    }
    catch { return ('restart of {0}: {1}' -f $Receipt['restart'], $_.Exception.Message) }
}

function Set-DeadMan {
    # Registers and starts the dead-man before anything is set; it begins again with the host, and then fires at once.
    param([hashtable]$Context, [Collections.IDictionary]$Receipt, [long]$Seconds)
    $Receipt['deadman'] = [ordered]@{
        state = 'armed'; due_uptime_s = ((Get-UptimeSecond) + $Seconds); boot_id = $Context['boot']; token = (New-RandomHex 8)
    }
    Save-Receipt $Context $Receipt
    Save-Document $Context['armed'] ([ordered]@{ op_id = $Receipt['op_id']; boot_id = $Context['boot'] })
    $argument = '-DeadMan {0} -StateFolder "{1}"' -f $Receipt['op_id'], $Context['folder']
    Start-Detached ('Plumbline dead-man ' + $Receipt['op_id']) $Context['script'] $argument $true
}

function Invoke-Step {
    # Compare, intent, dead-man, set, restart, read, receipt. The mutex is held. Answers the fields of the answer.
    param([hashtable]$Context, $Asked, [hashtable]$Say)
    Assert-Gate $Context $Asked $true
    $receipt = Read-Receipt $Context $Asked.op_id
    if ($null -ne $receipt -and $receipt['state'] -cne 'started') { return Get-ReceiptAnswer $Context $receipt $false }
    if ($null -ne $receipt -and ($receipt['reverting'] -or $receipt['restart'] -cne $Asked.restart -or
            (ConvertTo-StableJson $receipt['step']) -cne (ConvertTo-StableJson $Asked.step))) {
        throw (New-Refusal 'bad_request' 'this operation has begun with another step, or is being taken back')
    }
    Assert-NoOtherDeadMan $Context $Asked
    $addresses = @($Asked.step | ForEach-Object { $_.setting })
    $read = Read-EachValue $addresses $Context['table']
    $left = Get-Left $Asked.step $read
    $health = Get-Health
    if ($null -eq $receipt) { $receipt = New-Receipt $Asked $read }
    $names = @($left | ForEach-Object { $_.setting })
    $receipt['gen'] = [long]$Asked.gen
    $receipt['attempt'] = [long]$Asked.attempt
    $receipt['boot_id'] = $Context['boot']
    $receipt['error'] = $null
    # What an earlier attempt had intended and now reads at target was written by it.
    $receipt['wrote'] = @($receipt['mine'] | Where-Object { $names -cnotcontains $_ })
    $receipt['mine'] = @($receipt['mine']) + @($names | Where-Object { $receipt['mine'] -cnotcontains $_ })
    if ($null -ne $receipt['restart'] -and $receipt['mine'].Count -gt 0 -and $null -eq $receipt['restart_state']) {
        $receipt['restart_state'] = 'owed'
    }
    $isOwed = 'owed', 'begun' -ccontains $receipt['restart_state']
    if ($null -ne $Asked.health_floor -and ($left.Count -gt 0 -or $receipt['restart_state'] -ceq 'owed')) {
        $fault = Get-FloorFault $Asked.health_floor $health
        if ($fault -cne '') { throw (New-Refusal 'not_allowed' $fault) }
    }
    Save-Receipt $Context $receipt
    Save-Mark $Context $Asked
    if ($null -ne $Asked.deadman_s -and ($left.Count -gt 0 -or $isOwed)) { Set-DeadMan $Context $receipt $Asked.deadman_s }
    $first = Get-ReceiptAnswer $Context $receipt $true
    $first['health'] = $health
    Write-FirstWord $Say $first
    $receipt['error'] = Set-EachElement $Context $Asked $receipt $left 'target'
    if ($null -eq $receipt['error']) { $receipt['error'] = Invoke-OwedRestart $Context $receipt }
    $read = Read-EachValue $addresses $Context['table']
    $receipt['after'] = $read['values']
    if ($null -eq $receipt['error']) { $receipt['error'] = $read['fault'] }
    $wrong = @($Asked.step | Where-Object { $read['values'][$_.setting] -cne $_.target })
    if ($wrong.Count -eq 0 -and $null -eq $receipt['error'] -and 'owed', 'begun' -cnotcontains $receipt['restart_state']) {
        $receipt['state'] = 'done'
        $receipt['wrote'] = @($receipt['mine'])
    }
    elseif ($wrong.Count -gt 0 -and $null -eq $receipt['error']) {
        $now = $read['values'][$wrong[0].setting]
        $receipt['error'] = '{0} reads {1} after it was set to {2}' -f $wrong[0].setting, $now, $wrong[0].target
    }
    Save-Receipt $Context $receipt
    return Get-ReceiptAnswer $Context $receipt $false
}

function Invoke-Revert {
    # Sets the inverse of whatever the operation wrote. The mutex is held. Asked: null for the dead-man.
    param([hashtable]$Context, [Collections.IDictionary]$Receipt, $Asked, [hashtable]$Say)
    $mine = @($Receipt['step'] | Where-Object { $Receipt['mine'] -ccontains $_.setting })
    $Receipt['reverting'] = $true
    Save-Receipt $Context $Receipt
    if ($null -ne $Asked) { Save-Mark $Context $Asked }
    Write-FirstWord $Say (Get-ReceiptAnswer $Context $Receipt $true)
    $read = Read-EachValue @($mine | ForEach-Object { $_.setting }) $Context['table']
    $fault = $read['fault']
    $back = @()
    foreach ($element in $mine) {
        $now = $read['values'][$element.setting]
        if ($now -ceq $element.target) { $back += $element }
        elseif ($now -cne $element.inverse -and $now -cne $element.seen -and $null -eq $fault) {
            $fault = '{0} reads {1}: somebody else set it, it stays' -f $element.setting, $now
        }
    }
    if ($back.Count -gt 0 -and $null -ne $Receipt['restart']) { $Receipt['restart_state'] = 'owed' }
    $stopped = Set-EachElement $Context $Asked $Receipt $back 'inverse'
    if ($null -eq $stopped) { $stopped = Invoke-OwedRestart $Context $Receipt }
    if ($null -ne $stopped) { $fault = $stopped }
    $read = Read-EachValue @($Receipt['step'] | ForEach-Object { $_.setting }) $Context['table']
    $Receipt['after'] = $read['values']
    $Receipt['error'] = $fault
    $Receipt['reverting'] = $false
    $stays = @($mine | Where-Object { $read['values'][$_.setting] -cne $_.inverse -and $read['values'][$_.setting] -cne $_.seen })
    if ($stays.Count -eq 0) {
        $wasArmed = Test-Armed $Receipt
        $Receipt['state'] = 'reverted'
        $Receipt['error'] = $null
        if ($wasArmed) {
            $Receipt['deadman'].state = 'disarmed'
            if ($null -eq $Asked) { $Receipt['deadman'].state = 'fired' }
        }
    }
    Save-Receipt $Context $Receipt
    return Get-ReceiptAnswer $Context $Receipt $false
}

function Invoke-RequestedRevert {
    # A revert on request. The mutex is held.
    param([hashtable]$Context, $Asked, [hashtable]$Say)
    Assert-Gate $Context $Asked $true
    $receipt = Read-Receipt $Context $Asked.op_id
    if ($null -eq $receipt -or $receipt['state'] -ceq 'reverted') { return Get-ReceiptAnswer $Context $receipt $false }
    if ($receipt['state'] -ceq 'confirmed') {
        throw (New-Refusal 'conflict' 'the operation is confirmed: it is undone by a plan, not by a revert')
    }
    return Invoke-Revert $Context $receipt $Asked $Say
}

function Invoke-WaitingRequest {
    # What the scheduled task does: one request that waits on disk, under the mutex.
    param([hashtable]$Context, [string]$Name)
    if (-not (Test-Text $Name '[0-9a-f]{16,64}-[0-9a-f]{16,64}')) { return }
    $waiting = [IO.Path]::Combine($Context['folder'], 'work', $Name)
    $say = @{ path = $waiting + '.answer'; told = $false }
    $held = $null
    try {
        $asked = Read-Request ([IO.File]::ReadAllText($waiting + '.request')) $Context['table']
        # Not at once: whoever asks whether somebody is at work holds the mutex for an instant.
        $wait = $script:ProbeMs
        if ($asked.verb -ceq 'revert') { $wait = $script:MutexMs }
        $held = Open-Lock $Context['lock'] $wait
        if ($null -eq $held) {
            $receipt = Read-Receipt $Context $asked.op_id
            if ($null -eq $receipt) { throw (New-Refusal 'busy' 'another change is at work on this host') }
            Write-FirstWord $say (Get-ReceiptAnswer $Context $receipt $true)
        }
        elseif ($asked.verb -ceq 'revert') { Write-FirstWord $say (Invoke-RequestedRevert $Context $asked $say) }
        else { Write-FirstWord $say (Invoke-Step $Context $asked $say) }
    }
    catch { Write-FirstWord $say @{ state = 'refused'; reason = (Get-RefusalReason $_); error = $_.Exception.Message } }
    finally {
        if ($null -ne $held) { $held.Dispose() }
        Remove-Detached ('Plumbline step ' + $Name)
    }
}

# ---- the dead-man ---------------------------------------------------------------------------------------------------------------------

function Get-DeadManAction {
    # Plain data in, one word out: nothing, wait or revert. Another boot fires it at once.
    param([Collections.IDictionary]$Receipt, [string]$Boot, [long]$Uptime)
    if (-not (Test-Armed $Receipt)) { return 'nothing' }
    if ($Boot -cne [string](Get-Field $Receipt['deadman'] 'boot_id')) { return 'revert' }
    if ($Uptime -ge [long](Get-Field $Receipt['deadman'] 'due_uptime_s')) { return 'revert' }
    return 'wait'
}

function Invoke-DeadMan {
    # Its life: wait, look, and at its time take the mutex and set everything back. Once only; it tries again while something resists.
    param([hashtable]$Context, [string]$OpId)
    if (-not (Test-Text $OpId '[0-9a-f]{16,64}')) { return }
    while ($true) {
        $action = Get-DeadManAction (Read-Receipt $Context $OpId) $Context['boot'] (Get-UptimeSecond)
        if ($action -ceq 'nothing') { break }
        if ($action -ceq 'revert') {
            $held = Open-Lock $Context['lock'] $script:MutexMs
            if ($null -ne $held) {
                try {
                    $receipt = Read-Receipt $Context $OpId
                    if ((Get-DeadManAction $receipt $Context['boot'] (Get-UptimeSecond)) -ceq 'revert') {
                        $null = Invoke-Revert $Context $receipt $null @{ path = ''; told = $true }
                    }
                }
                catch { $null = $_ }                          # looked at again in a second: it may not die before it is done
                finally { $held.Dispose() }
            }
        }
        Start-Sleep -Milliseconds 1000
    }
    Remove-Detached ('Plumbline dead-man ' + $OpId)
}

# ---- one request, one answer ------------------------------------------------------------------------------------------------------------

function Get-RequestName {
    # op_id and nonce of a request that may be no good otherwise.
    param([string]$Base64)
    $named = @{ op_id = $null; nonce = $null }
    try {
        $parsed = ConvertFrom-Json -InputObject $script:Utf8.GetString([Convert]::FromBase64String($Base64)) -ErrorAction Stop
        foreach ($name in 'op_id', 'nonce') {
            $value = Get-Property $parsed $name
            if (Test-Text $value '[0-9a-f]{16,64}') { $named[$name] = $value }
        }
    }
    catch { $null = $_ }                                      # then nothing is named
    return $named
}

function Get-Answer {
    # The answer to one request. Never throws.
    param([string]$Base64, [string]$Script, [string]$Folder)
    $named = Get-RequestName $Base64
    $context = $null
    $fence = $null
    $found = @{}
    try {
        $asked = Read-Request $Base64 (Get-SettingTable)
        $context = New-RunnerContext $Script $Folder
        $found = Invoke-Verb $context $asked $Base64
        $fence = Read-Document $context['fence']
    }
    catch { $found = @{ state = 'refused'; reason = (Get-RefusalReason $_); error = $_.Exception.Message } }
    $boot = $null
    if ($null -ne $context) {
        $boot = $context['boot']
        if ($null -eq $fence) { try { $fence = Read-Document $context['fence'] } catch { $fence = $null } }
    }
    return New-Answer $found $named['op_id'] $named['nonce'] $boot $fence
}

function Invoke-RunnerMain {
    param([string]$Base64, [string]$Script, [string]$Name, [string]$OpId, [string]$Folder)
    if ($Folder -ceq '') {
        $data = [Environment]::GetFolderPath('CommonApplicationData')
        $Folder = [IO.Path]::Combine($data, 'Plumbline', 'runner')
    }
    if ($Name -cne '') { Invoke-WaitingRequest (New-RunnerContext $Script $Folder) $Name }
    elseif ($OpId -cne '') { Invoke-DeadMan (New-RunnerContext $Script $Folder) $OpId }
    else {
        # Everything that a cmdlet prints is taken in, so that standard output holds one line.
        $everything = @(Get-Answer $Base64 $Script $Folder *>&1)
        $answer = $everything[$everything.Count - 1]
        [Console]::Out.Write((ConvertTo-StableJson $answer) + "`n")
        [Console]::Out.Flush()
    }
}

# Dot-sourced, this file defines everything and starts nothing.
if ($MyInvocation.InvocationName -ne '.') {
    if ($Path -ceq '') { $Path = [IO.Path]::Combine($PSScriptRoot, 'Plumbline-Runner.ps1') }
    Invoke-RunnerMain $Request $Path $Work $DeadMan $StateFolder
    [Environment]::Exit(0)
}
