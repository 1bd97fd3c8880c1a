# Stand-ins for what only Windows has, answering from the host data under hosts/. Dot-source after Plumbline-Agent.ps1, so that on Windows
# they cover the real cmdlets. $global:StandIn is one hashtable, handed to section runspaces as it is:
#   Host   the data, Hang  a command that does not answer for 5 s, Fails  command -> message, Calls  how often a sampled class was read.

function Import-StandIn {
    param([string]$Path)
    $data = ConvertFrom-Json -InputObject ([IO.File]::ReadAllText($Path))
    $global:StandIn = @{ Host = $data; Hang = ''; Fails = @{}; Calls = @{} }
}

function Get-StandInShelf {
    return New-Shelf @{ StandIn = $global:StandIn }
}

function Get-StandInRow {
    # Rows of one command, or a dictionary with message, id and category where the host answers with an error.
    param([string]$Command)
    $data = $global:StandIn['Host']
    if (@($data.missing) -ccontains $Command) {
        throw (New-Object Management.Automation.CommandNotFoundException(("The term '{0}' is not recognized" -f $Command)))
    }
    if ($global:StandIn['Hang'] -ceq $Command) { [Threading.Thread]::Sleep(5000) }
    if ($global:StandIn['Fails'].ContainsKey($Command)) {
        return [ordered]@{ message = $global:StandIn['Fails'][$Command]; id = 'StandInFault'; category = 'NotSpecified' }
    }
    $property = $data.cmdlets.PSObject.Properties[$Command]
    if ($null -eq $property) { return }
    if ($property.Value -is [Management.Automation.PSCustomObject]) {
        $fails = $property.Value.fails
        return [ordered]@{ message = $fails.message; id = $fails.id; category = $fails.category }
    }
    foreach ($row in $property.Value) { $row }
}

# One body for every cmdlet: it learns its own name when it is called.
$script:StandInBody = {
    [CmdletBinding()]
    param(
        $Name, [switch]$AllProperties, [switch]$IncludeHidden, $RemotePort, $State, [switch]$ManagementOS, $IscsiSession, $PolicyStore
    )
    $command = $MyInvocation.MyCommand.Name
    $rows = @(Get-StandInRow $command)
    if ($rows.Count -eq 1 -and $rows[0] -is [Collections.IDictionary]) {
        Write-Error -Message $rows[0]['message'] -ErrorId $rows[0]['id'] -Category $rows[0]['category']
        return
    }
    if ($command -ceq 'Get-IscsiConnection') { $rows = @($IscsiSession.StandInConnections) }
    if ($command -ceq 'Get-Disk' -and $null -ne $IscsiSession) {
        $rows = @($rows | Where-Object { @($IscsiSession.StandInDisks) -ccontains $_.UniqueId })
    }
    if ($command -ceq 'Get-Service' -or $command -ceq 'Get-WindowsFeature') {
        $rows = @($rows | Where-Object { @($Name) -ccontains $_.Name })
    }
    if ($command -ceq 'Get-NetTCPConnection') {
        $rows = @($rows | Where-Object { $_.RemotePort -eq $RemotePort -and $_.State -ceq $State })
    }
    if ($rows.Count -eq 0 -and ($command -ceq 'Get-Service' -or $command -ceq 'Get-NetTCPConnection')) {
        Write-Error -Message 'No matching objects' -ErrorId 'NothingFound' -Category ObjectNotFound
        return
    }
    foreach ($row in $rows) { $row }
}
foreach ($name in 'Get-Cluster', 'Get-ClusterNode', 'Get-ClusterStorageSpacesDirect', 'Get-Disk', 'Get-InitiatorPort',
    'Get-IscsiConnection', 'Get-IscsiSession', 'Get-IscsiTarget', 'Get-IscsiTargetPortal', 'Get-MPIOSetting',
    'Get-MSDSMAutomaticClaimSettings', 'Get-MSDSMGlobalDefaultLoadBalancePolicy', 'Get-NetAdapter',
    'Get-NetAdapterAdvancedProperty', 'Get-NetAdapterBinding',
    'Get-NetAdapterChecksumOffload', 'Get-NetAdapterHardwareInfo', 'Get-NetAdapterLso', 'Get-NetAdapterQos', 'Get-NetAdapterRdma',
    'Get-NetAdapterRsc', 'Get-NetAdapterRss', 'Get-NetAdapterStatistics', 'Get-NetIPAddress', 'Get-NetIPInterface', 'Get-NetLbfoTeam',
    'Get-NetLbfoTeamMember', 'Get-NetOffloadGlobalSetting', 'Get-NetQosDcbxSetting', 'Get-NetQosFlowControl', 'Get-NetQosPolicy',
    'Get-NetQosTrafficClass', 'Get-NetRoute', 'Get-NetTCPConnection', 'Get-NetTCPSetting', 'Get-NetTransportFilter', 'Get-Service',
    'Get-SmbMultichannelConnection', 'Get-StorageJob', 'Get-VMNetworkAdapter', 'Get-VMNetworkAdapterTeamMapping', 'Get-VMSwitch',
    'Get-VMSwitchTeam', 'Get-VirtualDisk', 'Get-WindowsFeature') {
    Set-Item -Path ('function:{0}' -f $name) -Value $script:StandInBody
}

function Get-CimInstance {
    [CmdletBinding()]
    param([string]$ClassName, [string]$Namespace = 'root/cimv2', [int]$OperationTimeoutSec)
    if ($global:StandIn['Hang'] -ceq $ClassName) { [Threading.Thread]::Sleep(5000) }
    if ($global:StandIn['Fails'].ContainsKey($ClassName)) {
        Write-Error -Message $global:StandIn['Fails'][$ClassName] -ErrorId 'StandInFault' -Category NotSpecified
        return
    }
    $data = $global:StandIn['Host']
    $sampled = $data.samples.PSObject.Properties[$ClassName]
    if ($null -ne $sampled) {
        # Read twice, at the start and at the end: the second answer differs.
        $samples = @($sampled.Value)
        $at = [Math]::Min([int]$global:StandIn['Calls'][$ClassName], $samples.Count - 1)
        $global:StandIn['Calls'][$ClassName] = [int]$global:StandIn['Calls'][$ClassName] + 1
        foreach ($row in $samples[$at]) { $row }
        return
    }
    $class = $data.cim.$Namespace.PSObject.Properties[$ClassName]
    if ($null -eq $class) {
        Write-Error -Message 'Invalid class' -ErrorId 'HRESULT 0x80041010' -Category MetadataError
        return
    }
    foreach ($row in $class.Value) { $row }
}

function Read-Registry {
    param([string]$Key)
    $property = $global:StandIn['Host'].registry.PSObject.Properties[$Key]
    if ($null -eq $property) { return $null }
    $values = @{}
    foreach ($one in @($property.Value.PSObject.Properties)) {
        $values[$one.Name] = [ordered]@{ kind = $one.Value.kind; value = $one.Value.value }
    }
    return $values
}

function Get-RegistryChild {
    param([string]$Key)
    $start = $Key + '\'
    $names = New-Object 'Collections.Generic.SortedDictionary[string,object]' ([StringComparer]::Ordinal)
    foreach ($property in @($global:StandIn['Host'].registry.PSObject.Properties)) {
        if ($property.Name.StartsWith($start, [StringComparison]::OrdinalIgnoreCase)) {
            $names[$property.Name.Substring($start.Length).Split('\')[0]] = $true
        }
    }
    return @($names.Keys)
}

function Invoke-MpClaim {
    param([string]$Argument)
    foreach ($row in @($global:StandIn['Host'].mpclaim)) { if ($row.argument -ceq $Argument) { return $row.text } }
    throw (New-Object NotSupportedException('mpclaim.exe is not there'))
}

function Test-Echo {
    param([string]$Source, [string]$Portal, [int]$Payload)
    if ($global:StandIn['Hang'] -ceq 'ping') { [Threading.Thread]::Sleep(5000) }
    $largest = Get-Value (Get-Value $global:StandIn['Host'].echo $Source) $Portal
    return ($null -ne $largest -and $Payload + 28 -le $largest)
}

function Get-StoreCertificate {
    param([string]$Thumbprint)
    $found = Get-Value $global:StandIn['Host'].certificates $Thumbprint
    if ($null -eq $found) { return $null }
    return [ordered]@{ sha256 = $found.sha256; not_after = $found.not_after }
}

function Get-Engine {
    $engine = $global:StandIn['Host'].engine
    return [ordered]@{ PSVersion = $engine.PSVersion; CLRVersion = $engine.CLRVersion; Is64Bit = $engine.Is64Bit }
}

function Get-BootName { return $global:StandIn['Host'].boot }

function Get-UptimeSecond { return [long]$global:StandIn['Host'].uptime_s }

# A loopback server that gives prepared answers, one a request, and keeps what it was asked.
function Start-Door {
    param([hashtable[]]$Answer)
    $probe = New-Object Net.Sockets.TcpListener([Net.IPAddress]::Loopback, 0)
    $probe.Start()
    $port = $probe.LocalEndpoint.Port
    $probe.Stop()
    $listener = New-Object Net.HttpListener
    $listener.Prefixes.Add(('http://127.0.0.1:{0}/' -f $port))
    $listener.Start()
    $door = @{ url = ('http://127.0.0.1:{0}' -f $port); listener = $listener; asked = (New-Object Collections.ArrayList) }
    $shell = [Management.Automation.PowerShell]::Create()
    $null = $shell.AddScript({
        param($Listener, $Answer, $Asked)
        foreach ($one in $Answer) {
            try { $context = $Listener.GetContext() } catch { return }
            $memory = New-Object IO.MemoryStream
            $context.Request.InputStream.CopyTo($memory)
            $header = @{}
            foreach ($name in $context.Request.Headers.AllKeys) { $header[$name] = $context.Request.Headers[$name] }
            $null = $Asked.Add(@{ path = $context.Request.RawUrl; header = $header; body = $memory.ToArray() })
            $context.Response.StatusCode = $one['code']
            if ($one.ContainsKey('retry_after')) { $context.Response.Headers.Add('Retry-After', $one['retry_after']) }
            $text = [string]$one['text']
            if ($one.ContainsKey('receipt')) {
                # The receipt of whatever came: its sequence number, and the digest of its first line.
                $unpacked = New-Object IO.MemoryStream
                $packed = New-Object IO.MemoryStream(, $memory.ToArray())
                $gzip = New-Object IO.Compression.GZipStream($packed, [IO.Compression.CompressionMode]::Decompress)
                $gzip.CopyTo($unpacked)
                $line = [Text.Encoding]::UTF8.GetString($unpacked.ToArray()).Split([char]10)[0]
                $hash = [Security.Cryptography.SHA256]::Create().ComputeHash([Text.Encoding]::UTF8.GetBytes($line))
                $digest = [BitConverter]::ToString($hash).Replace('-', '').ToLowerInvariant()
                $shape = '{{"seq":{0},"digest":"{1}","receipt":"r","next_seconds":900{2}}}'
                $text = $shape -f $header['Plumbline-Seq'], $digest, $one['receipt']
            }
            $bytes = [Text.Encoding]::UTF8.GetBytes($text)
            $context.Response.OutputStream.Write($bytes, 0, $bytes.Length)
            $context.Response.Close()
        }
    }).AddArgument($listener).AddArgument($Answer).AddArgument($door['asked'])
    $null = $shell.BeginInvoke()
    return $door
}

function Expand-Asked {
    # The lines of a gzip body.
    param([byte[]]$Bytes)
    $memory = New-Object IO.MemoryStream
    $packed = New-Object IO.MemoryStream(, $Bytes)
    $gzip = New-Object IO.Compression.GZipStream($packed, [IO.Compression.CompressionMode]::Decompress)
    $gzip.CopyTo($memory)
    return @([Text.Encoding]::UTF8.GetString($memory.ToArray()).TrimEnd([char]10).Split([char]10))
}
