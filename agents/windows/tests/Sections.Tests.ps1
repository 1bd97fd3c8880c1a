# Every section against the host data: the check-in byte for byte, version gates, failures, time limits.
BeforeDiscovery {
    $hosts = @(Get-ChildItem -Path "$PSScriptRoot/hosts" -Filter '*.json' | ForEach-Object { @{ name = $_.BaseName; path = $_.FullName } })
}
BeforeAll {
    . "$PSScriptRoot/../Plumbline-Agent.ps1"
    . "$PSScriptRoot/StandIn.ps1"
    $script:GrowthLimitBytes = 2000000000                     # the suite's own memory is not the agent's
    $samples = [IO.Path]::GetFullPath("$PSScriptRoot/../../schema/samples/windows")

    function Read-One {
        param([string]$Function, [int]$LimitMs = 20000)
        return Invoke-Section $Function $LimitMs (New-Context) (Get-StandInShelf)
    }
    function Use-Host {
        param([string]$Name)
        Import-StandIn "$PSScriptRoot/hosts/$Name.json"
    }
}

Describe 'The check-in of <name>' -ForEach $hosts {
    BeforeAll { Import-StandIn $path }

    It 'equals its sample byte for byte' {
        $shelf = Get-StandInShelf
        $context = New-Context
        $first = Invoke-Section 'Get-CounterSample' 5000 $context $shelf
        $context['FirstSample'] = $first['data']
        $results = Read-Section $script:SectionTable $context $shelf 45000
        $series = (Invoke-Section 'Get-CounterList' 5000 $context $shelf)['data']['series']
        foreach ($pair in $results.GetEnumerator()) {
            $pair.Value['error'] | Should -BeExactly '' -Because $pair.Key
            $pair.Value['took_ms'] = 100                      # durations are not the host's own
        }
        $at = ConvertTo-UtcText $global:StandIn['Host'].made_at
        $about = @{
            boot = (Get-BootName); made_at = $at; took_ms = 5400; runner = $null; runner_before = $null; runner_after = $null
            rejected = 0; thinned = 0
        }
        $counter = [ordered]@{ at = $at; uptime_s = (Get-UptimeSecond); series = @($series) }
        $checkIn = New-CheckIn $results $context['Live'] $counter $about
        $bytes = ConvertTo-CheckInBytes $checkIn['line'] ([string[]]@($checkIn['bodies'].Values))
        $written = [Text.Encoding]::ASCII.GetString($bytes).Split([char]10)
        $wanted = [Text.Encoding]::ASCII.GetString([IO.File]::ReadAllBytes("$samples/$name.checkin")).Split([char]10)
        for ($i = 1; $i -lt $wanted.Length; $i++) { $written[$i] | Should -BeExactly $wanted[$i] -Because ('line {0}' -f ($i + 1)) }
        $written[0] | Should -BeExactly $wanted[0]
        [Convert]::ToBase64String($bytes) | Should -BeExactly ([Convert]::ToBase64String([IO.File]::ReadAllBytes("$samples/$name.checkin")))
    }
}

Describe 'Version gates' {
    It 'leaves out the Chimney line where the release has none, and keeps it on 2012' {
        Use-Host 'x520-2022-recommended'
        (Read-One 'Get-OffloadSection')['data']['Get-NetOffloadGlobalSetting']['rows'][0].Contains('Chimney') | Should -BeFalse
        Use-Host 'bcm57810-2012-default'
        (Read-One 'Get-OffloadSection')['data']['Get-NetOffloadGlobalSetting']['rows'][0]['Chimney'] | Should -BeExactly 'Disabled'
    }

    It 'says unavailable where the cmdlet is missing, and reads the rest of the section' {
        Use-Host 'bcm57810-2012-default'
        $body = (Read-One 'Get-QosSection')['data']
        $body['Get-NetQosTrafficClass']['status'] | Should -BeExactly 'unavailable'
        $body['Get-NetAdapterQos']['status'] | Should -BeExactly 'ok'
    }

    It 'says unavailable where MPIO is not installed' {
        Use-Host 't520-2016-s2d'
        $body = (Read-One 'Get-MpioSection')['data']
        foreach ($read in $body.Keys) { $body[$read]['status'] | Should -BeExactly 'unavailable' -Because $read }
    }

    It 'says unavailable, not "no sessions", while the initiator service is stopped' {
        Use-Host 't520-2016-s2d'
        $body = (Read-One 'Get-IscsiSection')['data']
        $body['Get-IscsiSession']['status'] | Should -BeExactly 'unavailable'
        $body['Get-Service']['rows'][0]['Status'] | Should -BeExactly 'Stopped'
        $body['Get-Service']['rows'][0]['StartType'] | Should -BeExactly 'Manual'
    }

    It 'answers "no cluster" where there is no cluster service' {
        Use-Host 'bcm57810-2012-default'
        $body = (Read-One 'Get-SystemSection')['data']
        $body['Get-Cluster']['status'] | Should -BeExactly 'ok'
        $body['Get-Cluster']['rows'].Count | Should -Be 0
    }

    It 'finds iSCSI offload engines among the storage controllers, with their drivers' {
        Use-Host 'bcm57810-2012-isoe'
        $rows = (Read-One 'Get-AdapterSection')['data']['Win32_SCSIController']['rows']
        $engines = @($rows | Where-Object { $_['DriverName'] -ceq 'bxois' })
        $engines.Count | Should -Be 2
        $engines[0]['DriverVersion'] | Should -BeExactly '7.4.3.0'
    }

    It 'keeps hidden hardware and leaves out hidden virtual adapters' {
        Use-Host 'bcm57810-2012-recommended'
        $names = @((Read-One 'Get-AdapterSection')['data']['Get-NetAdapter']['rows'] | ForEach-Object { $_['Name'] })
        $names -ccontains 'Teredo Tunneling Pseudo-Interface' | Should -BeFalse
        $names -ccontains 'Team LAN' | Should -BeTrue
    }

    It 'keeps keywords apart from display texts in every language' {
        Use-Host 'x520-2019-german'
        $rows = (Read-One 'Get-PropertySection')['data']['Get-NetAdapterAdvancedProperty']['rows']
        $rows[0]['properties'].ContainsKey('*FlowControl') | Should -BeTrue
        ConvertTo-StableJson $rows | Should -Not -Match 'Flusskontrolle'
    }
}

Describe 'Failures' {
    It 'tells a failed read and goes on with the others of its section' {
        Use-Host 'bcm57810-2012-default'
        $global:StandIn['Fails']['Get-NetAdapterRss'] = 'The driver answered with nonsense.'
        $body = (Read-One 'Get-OffloadSection')['data']
        $body['Get-NetAdapterRss']['status'] | Should -BeExactly 'failed'
        $body['Get-NetAdapterRss']['error'] | Should -BeExactly 'The driver answered with nonsense. (StandInFault,Get-NetAdapterRss)'
        $body['Get-NetAdapterRss']['rows'].Count | Should -Be 0
        $body['Get-NetAdapterLso']['rows'].Count | Should -BeGreaterThan 0
    }

    It 'tells a missing right as unavailable' {
        Use-Host 'x520-2019-german'
        $read = (Read-One 'Get-QosSection')['data']['Get-NetQosPolicy']
        $read['status'] | Should -BeExactly 'unavailable'
        $read['error'] | Should -BeExactly 'Zugriff verweigert (HRESULT 0x80070005,Get-NetQosPolicy)'
    }

    It 'tells of a section that answers nonsense' {
        Use-Host 'bcm57810-2012-default'
        function Get-NonsenseSection {
            param($Context)
            1
            2
        }
        (Read-One 'Get-NonsenseSection')['error'] | Should -Match '2 objects instead of one dictionary'
    }
}

Describe 'Time limits' {
    It 'gives up <function> after its limit and collects the next section' -ForEach @(
        @{ function = 'Get-SystemSection'; command = 'Win32_OperatingSystem' }
        @{ function = 'Get-AdapterSection'; command = 'Get-NetAdapter' }
        @{ function = 'Get-PropertySection'; command = 'Get-NetAdapterAdvancedProperty' }
        @{ function = 'Get-PropertyCatalogueSection'; command = 'Get-NetAdapterAdvancedProperty' }
        @{ function = 'Get-OffloadSection'; command = 'Get-NetAdapterRss' }
        @{ function = 'Get-TcpSection'; command = 'Get-NetTCPSetting' }
        @{ function = 'Get-BindingSection'; command = 'Get-NetAdapterBinding' }
        @{ function = 'Get-IscsiSection'; command = 'Get-IscsiSession' }
        @{ function = 'Get-MpioSection'; command = 'Get-MPIOSetting' }
        @{ function = 'Get-QosSection'; command = 'Get-NetAdapterQos' }
        @{ function = 'Get-VSwitchSection'; command = 'Get-VMSwitch' }
        @{ function = 'Get-StorageSection'; command = 'Get-Disk' }
        @{ function = 'Get-ProbeSection'; command = 'ping' }
    ) {
        Use-Host 'x520-2022-recommended'
        $global:StandIn['Hang'] = $command
        $shelf = Get-StandInShelf
        $context = New-Context
        $clock = [Diagnostics.Stopwatch]::StartNew()
        $result = Invoke-Section $function 700 $context $shelf
        $clock.ElapsedMilliseconds | Should -BeLessThan 4000
        $result['status'] | Should -BeExactly 'failed'
        $result['error'] | Should -BeExactly 'no answer within 700 ms'
        $global:StandIn['Hang'] = ''
        (Invoke-Section 'Get-BindingSection' 8000 (New-Context) $shelf)['status'] | Should -BeExactly 'ok'
    }

    It 'leaves sections unread when the time for all is over' {
        Use-Host 'x520-2022-recommended'
        $results = Read-Section $script:SectionTable (New-Context) (Get-StandInShelf) 200
        $results['probes']['error'] | Should -BeExactly 'no time left'
    }

    It 'leaves sections unread when the process has grown too far' {
        Mock Test-MemoryLeft { return $false }
        Use-Host 'x520-2022-recommended'
        (Read-Section $script:SectionTable (New-Context) (Get-StandInShelf) 5000)['system']['error'] | Should -BeExactly 'no memory left'
    }
}

Describe 'Probes' {
    BeforeAll { Use-Host 'bcm57810-2012-default' }

    It 'takes a reply in German for a reply' {
        . "$PSScriptRoot/../Plumbline-Agent.ps1"
        Mock Invoke-Native { return @{ code = 0; text = 'Antwort von 10.10.5.21: Bytes=1472 Zeit<1ms TTL=255' } }
        Test-Echo '10.10.5.101' '10.10.5.21' 1472 | Should -BeTrue
        $wanted = '-n 1 -w 500 -f -l 1472 -S 10.10.5.101 10.10.5.21'
        Should -Invoke Invoke-Native -Times 1 -Exactly -ParameterFilter { $Argument -ceq $wanted }
    }

    It 'does not take "not reachable", with exit code 0, for a reply' {
        . "$PSScriptRoot/../Plumbline-Agent.ps1"
        Mock Invoke-Native { return @{ code = 0; text = 'Antwort von 10.10.5.101: Zielhost nicht erreichbar.' } }
        Test-Echo '10.10.5.101' '10.10.5.21' 1472 | Should -BeFalse
    }

    It 'says <outcome> when the size is <sized> and the small echo is <small>' -ForEach @(
        @{ sized = $true; small = $true; outcome = 'ok' }
        @{ sized = $false; small = $true; outcome = 'too_big' }
        @{ sized = $false; small = $false; outcome = 'silent' }
    ) {
        Mock Test-Echo { if ($Payload -eq 32) { return $small } else { return $sized } }
        (Get-ProbeOutcome '10.0.0.1' '10.0.0.2' 9000 '{guid}' ([Diagnostics.Stopwatch]::StartNew()))['outcome'] | Should -BeExactly $outcome
    }

    It 'never puts anything but an address on a command line' {
        Mock Test-Echo { throw 'must not run' }
        $clock = [Diagnostics.Stopwatch]::StartNew()
        (Get-ProbeOutcome '10.0.0.1' '10.0.0.2 & calc' 9000 '{guid}' $clock)['reason'] | Should -BeExactly 'not an address'
        (Get-ProbeOutcome 'fe80::1' '10.0.0.2' 9000 '{guid}' $clock)['reason'] | Should -BeExactly 'IPv6 is not probed'
    }
}

Describe 'Counters' {
    It 'takes a 32-bit counter that started again for what it is' {
        Get-WrappedDifference 4294967290 4 | Should -Be 10
        Get-WrappedDifference 5 7 | Should -Be 2
    }

    It 'names a volume as its settings do: <unique>' -ForEach @(
        @{ unique = '6090A09850C4C5DB3F0A01001A0B0010'; id = 'naa.6090a09850c4c5db3f0a01001a0b0010' }
        @{ unique = 'naa.600508B1'; id = 'naa.600508b1' }
        @{ unique = '5000C500A1B2C3D4'; id = 'naa.5000c500a1b2c3d4' }
        @{ unique = '0017380011223344'; id = 'eui.0017380011223344' }
        @{ unique = 'VENDOR TEXT'; id = 'SN1' }
    ) {
        Get-VolumeId $unique 'SN1 ' | Should -BeExactly $id
    }
}
