<#
.SYNOPSIS
Installs the Plumbline agent on this host, enrols it, and starts its schedule; or takes it away again.

.DESCRIPTION
Run as administrator, beside Plumbline-Agent.ps1. Running it again is safe: it puts the same files, rights and task in place, and enrols
only where a token is given or no enrolment is there. What it does: copies the agent to Program Files, gives its folders to SYSTEM and
administrators alone, enrols with a nonce that is stored before it is sent (so that a lost answer burns no token), makes an event log
source, registers a scheduled task that runs as SYSTEM, and lets the agent check itself. A group policy that asks for signed scripts wins
over everything here: then sign the files first. The runner, which carries out approved steps, is installed beside the agent where it lies
beside this file; a runner that is there already is replaced only with -UpgradeRunner. A file named observe-only in the program folder
makes it refuse every change, whatever is approved in Plumbline.

.PARAMETER Server
Address of the Plumbline server, https://... (http only for this very machine).

.PARAMETER Token
Enrolment token. Given on an enrolled host it enrols the host again: same id with a token made for it, a higher epoch, the spool is kept.

.PARAMETER CaPin
SHA-256 of the certificate of the authority that signed the server's, 64 hexadecimal digits. Without it the system's own trust decides.

.PARAMETER Proxy
Address of a proxy, http://host:port. Neither the system's nor the environment's proxy is ever used.

.PARAMETER IntervalMinutes
How often the host checks in, until the server says otherwise.

.PARAMETER UpgradeRunner
Replaces an installed runner that differs from the one beside this file. Plans that were approved for the old one are refused from then on.

.PARAMETER Uninstall
Takes task, event log source and program away, and the agent's own folder unless -KeepData is given.
#>
param(
    [string]$Server = '',
    [string]$Token = '',
    [string]$CaPin = '',
    [string]$Proxy = '',
    [int]$IntervalMinutes = 15,
    [switch]$UpgradeRunner,
    [switch]$Uninstall,
    [switch]$KeepData,
    [string]$ProgramFolder = '',
    [string]$DataFolder = ''
)
Set-StrictMode -Version 3.0
$ErrorActionPreference = 'Stop'
. ([IO.Path]::Combine($PSScriptRoot, 'Plumbline-Agent.ps1'))

$script:TaskName = 'Plumbline Agent'
$script:EventSource = 'Plumbline'
$script:EnrolPath = '/agent/v1/enrol'
$script:StartEverySeconds = 300          # the task starts the agent this often; the agent knows when a check-in is due

function Test-Administrator {
    $identity = [Security.Principal.WindowsIdentity]::GetCurrent()
    $administrators = New-Object Security.Principal.SecurityIdentifier('S-1-5-32-544')
    return (New-Object Security.Principal.WindowsPrincipal($identity)).IsInRole($administrators)
}

function Get-ServerFault {
    # Why an address cannot be used; empty where it can.
    param([string]$Address)
    $uri = $null
    if (-not [Uri]::TryCreate($Address, [UriKind]::Absolute, [ref]$uri)) { return 'it is no address' }
    if ($uri.Scheme -ceq 'https') { return '' }
    if ($uri.Scheme -ceq 'http' -and $uri.IsLoopback) { return '' }
    return 'it must begin with https://, since the secret of this host goes over it'
}

function Get-InputFault {
    # What is wrong with the parameters; empty where nothing is.
    param([string]$Address, [string]$Pin, [string]$ProxyAddress, [int]$Minutes, [bool]$IsEnrolled)
    if ($Address -ceq '' -and -not $IsEnrolled) { return '-Server is needed' }
    if ($Address -cne '') {
        $fault = Get-ServerFault $Address
        if ($fault -cne '') { return ('-Server {0}: {1}' -f $Address, $fault) }
    }
    if ($Pin -cne '' -and -not [regex]::IsMatch($Pin, '\A[0-9A-Fa-f]{64}\z')) { return '-CaPin must be 64 hexadecimal digits' }
    if ($ProxyAddress -cne '' -and -not [regex]::IsMatch($ProxyAddress, '\Ahttps?://[^\s]+\z')) { return '-Proxy must be http://host:port' }
    if ($Minutes -lt 1 -or $Minutes -gt 1440) { return '-IntervalMinutes must lie between 1 and 1440' }
    return ''
}

function Set-FolderRight {
    # Full control for SYSTEM and administrators, nothing inherited. By SID, because the names are translated.
    param([string]$Folder)
    $null = [IO.Directory]::CreateDirectory($Folder)
    $argument = '"{0}" /inheritance:r /grant:r *S-1-5-18:(OI)(CI)F *S-1-5-32-544:(OI)(CI)F /Q' -f $Folder.TrimEnd('\')
    $answer = Invoke-Native ([Environment]::SystemDirectory + '\icacls.exe') $argument 30000
    if ($answer['code'] -ne 0) {
        throw ('icacls could not give {0} to SYSTEM and administrators alone: exit code {1}' -f $Folder, $answer['code'])
    }
}

function Copy-Program {
    # Bytes only, so that a mark "from the internet" does not come along.
    param([string]$From, [string]$To)
    foreach ($name in 'Plumbline-Agent.ps1', 'Install-Plumbline.ps1') {
        $source = [IO.Path]::Combine($From, $name)
        $target = [IO.Path]::Combine($To, $name)
        if (-not [IO.File]::Exists($source) -or $source -eq $target) { continue }
        Write-FileSafely $target ([IO.File]::ReadAllBytes($source))
    }
}

function Copy-Runner {
    # The runner, and the folder that its fence and receipts will lie in. Answers a sentence. Replacing one is an act of its own, since an
    # approval names the runner that it was given for; the fence stays whatever happens, because a lost one must not look like a low one.
    param([string]$From, [string]$To, [string]$Folder, [bool]$IsUpgrade)
    $source = [IO.Path]::Combine($From, 'Plumbline-Runner.ps1')
    $target = [IO.Path]::Combine($To, 'Plumbline-Runner.ps1')
    $null = [IO.Directory]::CreateDirectory([IO.Path]::Combine($Folder, 'runner', 'receipts'))
    if (-not [IO.File]::Exists($source)) { return 'No runner lies beside this installer: Plumbline can read this host, not change it.' }
    if ([IO.File]::Exists($target)) {
        if ((Get-ScriptHash $source) -ceq (Get-ScriptHash $target)) { return 'The runner is there already.' }
        if (-not $IsUpgrade) { return 'Another version of the runner is there and stays; -UpgradeRunner replaces it.' }
        Write-FileSafely $target ([IO.File]::ReadAllBytes($source))
        return ('The runner was replaced: {0}' -f (Get-ScriptHash $target))
    }
    Write-FileSafely $target ([IO.File]::ReadAllBytes($source))
    return ('The runner is installed: {0}' -f (Get-ScriptHash $target))
}

function Get-EnrolNonce {
    # The nonce of a try that had no answer, for the same server and token; else a new one, on disk before it is used.
    param([string]$Path, [string]$Address, [string]$Secret)
    $print = Get-Sha256Hex $script:Utf8.GetBytes($Address + [char]10 + $Secret)
    if ([IO.File]::Exists($Path)) {
        $parts = [IO.File]::ReadAllText($Path).Split(' ')
        if ($parts.Length -eq 2 -and $parts[0] -ceq $print -and [regex]::IsMatch($parts[1], '\A[0-9a-f]{32}\z')) { return $parts[1] }
    }
    $nonce = New-RandomHex 16
    Write-FileSafely $Path $script:Utf8.GetBytes($print + ' ' + $nonce)
    return $nonce
}

function Resolve-Enrolment {
    # The credential that an answer gives. Throws a sentence where it gives none.
    param([Collections.IDictionary]$Answer, [Collections.IDictionary]$Asked)
    $parsed = ConvertFrom-AnswerText $Answer['text']
    if ($Answer['code'] -eq 0) { throw ('no answer from {0}: {1}' -f $Asked['server'], $Answer['text']) }
    if ($Answer['code'] -ne 200) {
        $reason = [string](Get-Value $parsed @('error', 'detail', 'title'))
        throw ('the server refused the enrolment: {0} {1}' -f $Answer['code'], $reason)
    }
    $credential = [ordered]@{ server = $Asked['server'] }
    foreach ($name in 'host_id', 'secret') { $credential[$name] = [string](Get-Value $parsed $name) }
    foreach ($name in 'epoch', 'generation') { $credential[$name] = [long](Get-Value $parsed $name) }
    if (-not [regex]::IsMatch($credential['secret'], '\A[0-9a-f]{64}\z') -or $credential['host_id'] -ceq '') {
        throw 'the answer is not that of a Plumbline server'
    }
    $interval = Get-Value $parsed 'interval_seconds'
    $credential['interval_seconds'] = [long]$Asked['interval_seconds']
    if ((Test-WholeNumber $interval) -and $interval -ge 60) { $credential['interval_seconds'] = [long]$interval }
    $credential['ca_pin'] = $Asked['ca_pin']
    $credential['proxy'] = $Asked['proxy']
    return @{ credential = $credential; state = [string](Get-Value $parsed 'state') }
}

function Invoke-Enrolment {
    # Enrols this host and stores what the server gave. Answers the state that the server put the host in.
    param([hashtable]$Place, [Collections.IDictionary]$Asked, [hashtable]$Shelf)
    $noncePath = [IO.Path]::Combine($Place['folder'], 'enrol-nonce')
    $body = [ordered]@{
        token = $Asked['token']; nonce = (Get-EnrolNonce $noncePath $Asked['server'] $Asked['token']); name = [Environment]::MachineName
        platform = 'windows'; agent_version = $script:AgentVersion
    }
    $request = @{
        uri = $Asked['server'].TrimEnd('/') + $script:EnrolPath; header = @{}; body = $script:Utf8.GetBytes((ConvertTo-StableJson $body))
        content_type = 'application/json'; timeout_ms = 30000; proxy = $Asked['proxy']; ca_pin = $Asked['ca_pin']
    }
    $done = Resolve-Enrolment (Invoke-Post $request $Shelf) $Asked
    Save-Credential $Place['credential'] $done['credential']
    if ([IO.File]::Exists($noncePath)) { [IO.File]::Delete($noncePath) }
    # What an earlier wait was for is over.
    $state = Read-State $Place['state']
    $state['not_before'] = [long]0
    $state['failures'] = 0
    Save-State $Place['state'] $state
    return $done['state']
}

function New-TaskXml {
    # The task as XML, because the cmdlets of Server 2012 cannot say "repeat for ever". Phase: seconds into the period.
    param([string]$Script, [string]$Folder, [long]$Phase)
    $start = (New-Object datetime(2020, 1, 1, 0, 0, 0)).AddSeconds($Phase).ToString('yyyy-MM-ddTHH:mm:ss', $script:Invariant)
    $argument = '-NoProfile -NonInteractive -ExecutionPolicy RemoteSigned -File "{0}" -StateFolder "{1}"' -f $Script, $Folder
    return @"
<?xml version="1.0" encoding="UTF-16"?>
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <RegistrationInfo><Description>Sends the settings of this host to Plumbline.</Description></RegistrationInfo>
  <Triggers>
    <TimeTrigger>
      <Repetition><Interval>PT$([int]($script:StartEverySeconds / 60))M</Interval><StopAtDurationEnd>false</StopAtDurationEnd></Repetition>
      <StartBoundary>$start</StartBoundary>
      <Enabled>true</Enabled>
    </TimeTrigger>
    <BootTrigger><Enabled>true</Enabled><Delay>PT2M</Delay></BootTrigger>
  </Triggers>
  <Principals><Principal id="Author"><UserId>S-1-5-18</UserId><RunLevel>HighestAvailable</RunLevel></Principal></Principals>
  <Settings>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <StartWhenAvailable>true</StartWhenAvailable>
    <ExecutionTimeLimit>PT5M</ExecutionTimeLimit>
    <Priority>7</Priority>
    <Enabled>true</Enabled>
  </Settings>
  <Actions Context="Author">
    <Exec>
      <Command>$([Security.SecurityElement]::Escape($env:SystemRoot))\System32\WindowsPowerShell\v1.0\powershell.exe</Command>
      <Arguments>$([Security.SecurityElement]::Escape($argument))</Arguments>
    </Exec>
  </Actions>
</Task>
"@
}

function Register-AgentTask {
    param([string]$Xml)
    $null = Register-ScheduledTask -TaskName $script:TaskName -Xml $Xml -Force -ErrorAction Stop
}

function Unregister-AgentTask {
    try { Unregister-ScheduledTask -TaskName $script:TaskName -Confirm:$false -ErrorAction Stop }
    catch { if (-not (Test-NothingFound $_)) { throw } }
}

function Start-AgentTask { Start-ScheduledTask -TaskName $script:TaskName -ErrorAction Stop }

function Register-EventSource {
    if (-not [Diagnostics.EventLog]::SourceExists($script:EventSource)) {
        [Diagnostics.EventLog]::CreateEventSource($script:EventSource, 'Application')
    }
}

function Unregister-EventSource {
    if ([Diagnostics.EventLog]::SourceExists($script:EventSource)) { [Diagnostics.EventLog]::DeleteEventSource($script:EventSource) }
}

function Write-Line {
    param([string]$Text)
    [Console]::Out.WriteLine($Text)
}

function Install-Agent {
    # Asked: server, token, ca_pin, proxy, interval_seconds, upgrade_runner. Answers the exit code.
    param([Collections.IDictionary]$Asked, [string]$From, [string]$Program, [string]$Folder, [hashtable]$Shelf, [hashtable]$PostShelf)
    Set-FolderRight $Program
    Set-FolderRight $Folder                                   # before the secret is written into it
    Copy-Program $From $Program
    Write-Line (Copy-Runner $From $Program $Folder $Asked['upgrade_runner'])
    $place = Get-Place $Folder
    $credential = Read-Credential $place['credential']
    if ($Asked['token'] -cne '' -or $null -eq $credential) {
        if ($Asked['token'] -ceq '') { throw '-Token is needed: this host is not enrolled' }
        if ($Asked['server'] -ceq '') { $Asked['server'] = $credential['server'] }
        $state = Invoke-Enrolment $place $Asked $PostShelf
        Write-Line ('Enrolled at {0}; the server has this host as: {1}' -f $Asked['server'], $state)
        $credential = Read-Credential $place['credential']
    }
    else {
        foreach ($name in 'server', 'ca_pin', 'proxy') { if ($Asked[$name] -cne '') { $credential[$name] = $Asked[$name] } }
        Save-Credential $place['credential'] $credential
        Write-Line 'Enrolled before; the enrolment stays.'
    }
    Register-EventSource
    $agent = [IO.Path]::Combine($Program, 'Plumbline-Agent.ps1')
    $phase = Get-Phase $credential['host_id'] ([Math]::Max([long]60, $credential['interval_seconds']))
    Register-AgentTask (New-TaskXml $agent $Folder ($phase % $script:StartEverySeconds))
    $code = Invoke-SelfCheck $place $Shelf $PostShelf
    Start-AgentTask
    if ($code -ne 0) { Write-Line 'Installed, but not everything is as it should be: see the lines that begin with NO.' }
    return $code
}

function Uninstall-Agent {
    param([string]$Program, [string]$Folder, [bool]$IsDataKept)
    Unregister-AgentTask
    Unregister-EventSource
    foreach ($name in 'Plumbline-Agent.ps1', 'Plumbline-Runner.ps1', 'Install-Plumbline.ps1') {
        $path = [IO.Path]::Combine($Program, $name)
        if ([IO.File]::Exists($path)) { [IO.File]::Delete($path) }
    }
    if ([IO.Directory]::Exists($Program) -and @([IO.Directory]::GetFileSystemEntries($Program)).Count -eq 0) {
        [IO.Directory]::Delete($Program)
    }
    if (-not $IsDataKept -and [IO.Directory]::Exists($Folder)) { [IO.Directory]::Delete($Folder, $true) }
    Write-Line 'Removed. The host stays in Plumbline until somebody retires it there.'
    return 0
}

function Invoke-InstallMain {
    param(
        [Collections.IDictionary]$Asked, [int]$Minutes, [bool]$IsUninstall, [bool]$IsDataKept, [string]$From, [string]$Program,
        [string]$Folder
    )
    try {
        if (-not (Test-Administrator)) { throw 'run this as administrator' }
        if ($Program -ceq '') { $Program = [IO.Path]::Combine([Environment]::GetFolderPath('ProgramFiles'), 'Plumbline') }
        if ($Folder -ceq '') { $Folder = [IO.Path]::Combine([Environment]::GetFolderPath('CommonApplicationData'), 'Plumbline') }
        if ($IsUninstall) { return Uninstall-Agent $Program $Folder $IsDataKept }
        $isEnrolled = [IO.File]::Exists([IO.Path]::Combine($Folder, 'credential.json'))
        $fault = Get-InputFault $Asked['server'] $Asked['ca_pin'] $Asked['proxy'] $Minutes $isEnrolled
        if ($fault -cne '') { throw $fault }
        return Install-Agent $Asked $From $Program $Folder (New-Shelf) (New-Shelf)
    }
    catch {
        Write-Line ('Not installed: {0}' -f $_.Exception.Message)
        return 1
    }
}

if ($MyInvocation.InvocationName -ne '.') {
    $given = [ordered]@{
        server = $Server.TrimEnd('/'); token = $Token; ca_pin = $CaPin.ToLowerInvariant(); proxy = $Proxy
        interval_seconds = [long]($IntervalMinutes * 60); upgrade_runner = $UpgradeRunner.IsPresent
    }
    $code = Invoke-InstallMain $given $IntervalMinutes $Uninstall.IsPresent $KeepData.IsPresent $PSScriptRoot $ProgramFolder $DataFolder
    [Environment]::Exit($code)
}
