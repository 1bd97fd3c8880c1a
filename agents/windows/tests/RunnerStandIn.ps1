# A Windows host with state for the runner's tests: stand-ins for the cmdlets that the runner calls and for what only Windows has.
# Dot-source after Plumbline-Runner.ps1, so that on Windows they cover the real ones. $global:Machine is the host:
#   Journal  every effect in order, Boot, Uptime, Tasks  what was registered, Fails  cmdlet -> message, Lies  a set changes nothing,
#   IsTaskLost  a registered task never runs

function Reset-Machine {
    $global:Machine = @{
        Journal = (New-Object Collections.ArrayList)
        Tasks = (New-Object Collections.ArrayList)
        Removed = (New-Object Collections.ArrayList)
        Boot = ('5' * 32); Uptime = [long]1000; Fails = @{}; Lies = $false; IsTaskLost = $false; Received = [long]5000
        Sessions = 4; Paths = @(2, 2); Willing = $false; Mpio = 'RR'; Registry = @{}; Netbios = 0
        Properties = @(
            [pscustomobject]@{ Name = 'SAN1'; RegistryKeyword = '*JumboPacket'; RegistryValue = @('1514') },
            [pscustomobject]@{ Name = 'SAN1'; RegistryKeyword = '*FlowControl'; RegistryValue = @('0') },
            [pscustomobject]@{ Name = 'SAN1'; RegistryKeyword = '*RSCIPv4'; RegistryValue = @('1') }
        )
        Adapters = @(
            [pscustomobject]@{ Name = 'SAN1'; PermanentAddress = '001B21AABB01'; InterfaceGuid = '{AAAAAAAA-0000-0000-0000-000000000001}'
                HardwareInterface = $true; MediaConnectionState = 'Connected' },
            [pscustomobject]@{ Name = 'SAN [2]'; PermanentAddress = '001B21AABB02'; InterfaceGuid = '{AAAAAAAA-0000-0000-0000-000000000002}'
                HardwareInterface = $true; MediaConnectionState = 'Connected' }
        )
        Bindings = @([pscustomobject]@{ Name = 'SAN1'; ComponentID = 'ms_server'; Enabled = $true })
        Offload = [pscustomobject]@{ ReceiveSideScaling = 'Enabled'; ReceiveSegmentCoalescing = 'Enabled'; TaskOffload = 'Enabled'
            NetworkDirect = 'Enabled'; Chimney = 'Disabled' }
        Templates = @(
            [pscustomobject]@{ SettingName = 'Internet'; AutoTuningLevelLocal = 'Normal'; DelayedAckFrequency = 2 },
            [pscustomobject]@{ SettingName = 'DatacenterCustom'; AutoTuningLevelLocal = 'Normal'; DelayedAckFrequency = 2 }
        )
        Filters = (New-Object Collections.ArrayList)
        Policies = (New-Object Collections.ArrayList)
        Classes = (New-Object Collections.ArrayList)
    }
}

function Add-Effect {
    # One line of the journal; or the error that the host was told to answer with.
    param([string]$Cmdlet, [string]$Text)
    if ($global:Machine['Fails'].ContainsKey($Cmdlet)) { throw $global:Machine['Fails'][$Cmdlet] }
    $null = $global:Machine['Journal'].Add($Text)
    return -not $global:Machine['Lies']
}

function Get-BootName { return $global:Machine['Boot'] }
function Get-UptimeSecond { return [long]$global:Machine['Uptime'] }

function Get-InterfaceRegistry {
    param([string]$Guid, [string]$Name)
    if ($global:Machine['Registry'].ContainsKey($Name)) { return $global:Machine['Registry'][$Name] }
    return 'absent'
}

function Set-InterfaceRegistry {
    param([string]$Guid, [string]$Name, [string]$Value)
    if (-not (Add-Effect 'registry' ('registry {0} {1}' -f $Name, $Value))) { return }
    $global:Machine['Registry'].Remove($Name)
    if ($Value -cne 'absent') { $global:Machine['Registry'][$Name] = $Value }
}

function Start-Detached {
    # A task of a step runs at once, in this process; a dead-man's waits until a test starts it.
    param([string]$Name, [string]$Script, [string]$Argument, [bool]$IsAtBoot)
    $null = $global:Machine['Tasks'].Add(@{ name = $Name; argument = $Argument; at_boot = $IsAtBoot })
    $null = $global:Machine['Journal'].Add('task ' + $Name.Substring(0, 14))
    $match = [regex]::Match($Argument, '\A-Work (\S+) -StateFolder "([^"]+)"\z')
    if ($match.Success -and -not $global:Machine['IsTaskLost']) {
        Invoke-WaitingRequest (New-RunnerContext $Script $match.Groups[2].Value) $match.Groups[1].Value
    }
}

function Remove-Detached {
    param([string]$Name)
    $null = $global:Machine['Removed'].Add($Name)
}

function Invoke-Netsh {
    param([string]$Argument)
    if (Add-Effect 'netsh' ('netsh ' + $Argument)) {
        $global:Machine['Templates'][0].AutoTuningLevelLocal = (Get-Culture).TextInfo.ToTitleCase($Argument.Split('=')[1])
    }
}

function Get-NetAdapter {
    [CmdletBinding()]
    param([string]$Name, [switch]$IncludeHidden)
    $global:Machine['Adapters'] | Where-Object { $_.Name -like $Name }
}

function Get-NetAdapterHardwareInfo {
    [CmdletBinding()]
    param([string]$Name)
    [pscustomobject]@{ Name = 'SAN1'; Segment = 0; Bus = 131; Device = 0; Function = 1 }
}

function Get-NetAdapterAdvancedProperty {
    [CmdletBinding()]
    param([string]$Name, [switch]$AllProperties)
    $global:Machine['Properties'] | Where-Object { $_.Name -like $Name }
}

function Set-NetAdapterAdvancedProperty {
    [CmdletBinding()]
    param([string]$Name, [string]$RegistryKeyword, [string]$RegistryValue, [switch]$NoRestart)
    if (-not (Add-Effect 'Set-NetAdapterAdvancedProperty' ('set {0} {1}' -f $RegistryKeyword, $RegistryValue))) { return }
    foreach ($row in $global:Machine['Properties']) {
        if ($row.Name -like $Name -and $row.RegistryKeyword -ceq $RegistryKeyword) { $row.RegistryValue = @($RegistryValue) }
    }
}

function Restart-NetAdapter {
    [CmdletBinding()]
    param([string]$Name)
    $null = Add-Effect 'Restart-NetAdapter' ('restart ' + $Name)
    $global:Machine['Received'] = [long]10
}

function Get-NetAdapterStatistics {
    [CmdletBinding()]
    param([string]$Name)
    [pscustomobject]@{ ReceivedBytes = $global:Machine['Received'] }
}

function Get-NetAdapterBinding {
    [CmdletBinding()]
    param([string]$Name)
    $global:Machine['Bindings'] | Where-Object { $_.Name -like $Name }
}

function Set-NetAdapterBinding {
    [CmdletBinding()]
    param([string]$Name, [string]$ComponentID, [bool]$Enabled)
    if (Add-Effect 'Set-NetAdapterBinding' ('bind {0} {1}' -f $ComponentID, $Enabled)) {
        foreach ($row in $global:Machine['Bindings']) { if ($row.ComponentID -ceq $ComponentID) { $row.Enabled = $Enabled } }
    }
}

function Get-NetOffloadGlobalSetting {
    [CmdletBinding()]
    param()
    $global:Machine['Offload']
}

function Set-NetOffloadGlobalSetting {
    [CmdletBinding()]
    param($ReceiveSideScaling, $ReceiveSegmentCoalescing, $TaskOffload, $NetworkDirect, $Chimney)
    foreach ($pair in $PSBoundParameters.GetEnumerator()) {
        if ($pair.Key -ceq 'ErrorAction') { continue }
        if (Add-Effect 'Set-NetOffloadGlobalSetting' ('offload {0} {1}' -f $pair.Key, $pair.Value)) {
            $global:Machine['Offload'].($pair.Key) = $pair.Value
        }
    }
}

function Get-NetTCPSetting {
    [CmdletBinding()]
    param([string]$SettingName)
    $global:Machine['Templates'] | Where-Object { $_.SettingName -like $SettingName }
}

function Set-NetTCPSetting {
    [CmdletBinding()]
    param([string]$SettingName, $AutoTuningLevelLocal, $DelayedAckFrequency)
    foreach ($row in $global:Machine['Templates']) {
        if ($row.SettingName -cne $SettingName) { continue }
        foreach ($field in 'AutoTuningLevelLocal', 'DelayedAckFrequency') {
            if ($PSBoundParameters.ContainsKey($field) -and (Add-Effect 'Set-NetTCPSetting' ('template {0} {1}' -f $SettingName, $field))) {
                $row.$field = $PSBoundParameters[$field]
            }
        }
    }
}

function Get-NetTransportFilter {
    [CmdletBinding()]
    param()
    $global:Machine['Filters']
}

function New-NetTransportFilter {
    [CmdletBinding()]
    param($SettingName, $Protocol, $LocalPortStart, $LocalPortEnd, $RemotePortStart, $RemotePortEnd, $DestinationPrefix)
    $null = Add-Effect 'New-NetTransportFilter' ('filter {0} {1}' -f $SettingName, $RemotePortStart)
    $row = [pscustomobject]@{
        SettingName = $SettingName; Protocol = $Protocol; LocalPortStart = $LocalPortStart; LocalPortEnd = $LocalPortEnd
        RemotePortStart = $RemotePortStart; RemotePortEnd = $RemotePortEnd; DestinationPrefix = $DestinationPrefix
    }
    $null = $global:Machine['Filters'].Add($row)
    $row
}

function Remove-NetTransportFilter {
    [CmdletBinding(SupportsShouldProcess = $true)]
    param($InputObject)
    $null = Add-Effect 'Remove-NetTransportFilter' 'filter removed'
    $global:Machine['Filters'].Remove($InputObject)
}

function Get-NetQosDcbxSetting {
    [CmdletBinding()]
    param()
    [pscustomobject]@{ Willing = $global:Machine['Willing'] }
}

function Set-NetQosDcbxSetting {
    [CmdletBinding(SupportsShouldProcess = $true)]
    param([bool]$Willing)
    if (Add-Effect 'Set-NetQosDcbxSetting' ('willing {0}' -f $Willing)) { $global:Machine['Willing'] = $Willing }
}

function Get-NetQosPolicy {
    [CmdletBinding()]
    param()
    $global:Machine['Policies']
}

function New-NetQosPolicy {
    [CmdletBinding()]
    param($Name, $NetDirectPortMatchCondition, $PriorityValue)
    $null = Add-Effect 'New-NetQosPolicy' ('policy {0}' -f $Name)
    $row = [pscustomobject]@{
        Name = $Name; NetDirectPortMatchCondition = $NetDirectPortMatchCondition; PriorityValue8021Action = $PriorityValue
    }
    $null = $global:Machine['Policies'].Add($row)
    $row
}

function Set-NetQosPolicy {
    [CmdletBinding()]
    param($Name, $NetDirectPortMatchCondition, $PriorityValue)
    $null = Add-Effect 'Set-NetQosPolicy' ('policy {0} changed' -f $Name)
    foreach ($row in $global:Machine['Policies']) {
        if ($row.Name -ceq $Name) {
            $row.NetDirectPortMatchCondition = $NetDirectPortMatchCondition
            $row.PriorityValue8021Action = $PriorityValue
        }
    }
}

function Remove-NetQosPolicy {
    [CmdletBinding(SupportsShouldProcess = $true)]
    param($Name)
    $null = Add-Effect 'Remove-NetQosPolicy' ('policy {0} removed' -f $Name)
    foreach ($row in @($global:Machine['Policies'])) { if ($row.Name -ceq $Name) { $global:Machine['Policies'].Remove($row) } }
}

function Get-NetQosTrafficClass {
    [CmdletBinding()]
    param()
    $global:Machine['Classes']
}

function New-NetQosTrafficClass {
    [CmdletBinding()]
    param($Name, $Algorithm, $BandwidthPercentage, $Priority)
    $null = Add-Effect 'New-NetQosTrafficClass' ('class {0}' -f $Name)
    $row = [pscustomobject]@{ Name = $Name; Algorithm = $Algorithm; Bandwidth = [int]$BandwidthPercentage; Priority = @($Priority) }
    $null = $global:Machine['Classes'].Add($row)
    $row
}

function Remove-NetQosTrafficClass {
    [CmdletBinding(SupportsShouldProcess = $true)]
    param($Name)
    $null = Add-Effect 'Remove-NetQosTrafficClass' ('class {0} removed' -f $Name)
    foreach ($row in @($global:Machine['Classes'])) { if ($row.Name -ceq $Name) { $global:Machine['Classes'].Remove($row) } }
}

function Get-MSDSMGlobalDefaultLoadBalancePolicy {
    [CmdletBinding()]
    param()
    $global:Machine['Mpio']
}

function Set-MSDSMGlobalDefaultLoadBalancePolicy {
    [CmdletBinding()]
    param($Policy)
    if (Add-Effect 'Set-MSDSMGlobalDefaultLoadBalancePolicy' ('mpio ' + $Policy)) { $global:Machine['Mpio'] = $Policy }
}

function Get-IscsiSession {
    [CmdletBinding()]
    param()
    for ($at = 0; $at -lt $global:Machine['Sessions']; $at++) { [pscustomobject]@{ IsConnected = $true } }
}

function Get-CimInstance {
    [CmdletBinding()]
    param([string]$ClassName, [string]$Namespace, [int]$OperationTimeoutSec)
    if ($global:Machine['Fails'].ContainsKey($ClassName)) { throw $global:Machine['Fails'][$ClassName] }
    if ($ClassName -ceq 'Win32_NetworkAdapterConfiguration') {
        foreach ($row in $global:Machine['Adapters']) {
            [pscustomobject]@{ SettingID = $row.InterfaceGuid; TcpipNetbiosOptions = $global:Machine['Netbios'] }
        }
        return
    }
    foreach ($count in $global:Machine['Paths']) {
        $paths = @(for ($at = 0; $at -lt $count; $at++) { [pscustomobject]@{ FailedPath = $false } })
        $paths += [pscustomobject]@{ FailedPath = $true }
        [pscustomobject]@{ LoadBalancePolicy = [pscustomobject]@{ DSM_Paths = $paths } }
    }
}

function Invoke-CimMethod {
    [CmdletBinding()]
    param($InputObject, [string]$MethodName, $Arguments)
    if (Add-Effect 'Invoke-CimMethod' ('{0} {1}' -f $MethodName, $Arguments['TcpipNetbiosOptions'])) {
        $global:Machine['Netbios'] = [int]$Arguments['TcpipNetbiosOptions']
    }
    [pscustomobject]@{ ReturnValue = 0 }
}
