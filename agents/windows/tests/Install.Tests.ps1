# The installer's decisions and its whole way against stand-ins for task, event log and rights.
BeforeAll {
    . "$PSScriptRoot/../Install-Plumbline.ps1"
    . "$PSScriptRoot/StandIn.ps1"
    Import-StandIn "$PSScriptRoot/hosts/bcm57810-2012-default.json"
    $program = [IO.Path]::GetFullPath("$PSScriptRoot/..")

    function New-Asked {
        param([string]$Url, [string]$Token = 'token-1')
        return [ordered]@{ server = $Url; token = $Token; ca_pin = ''; proxy = ''; interval_seconds = [long]900; upgrade_runner = $false }
    }
}

Describe 'What is given' {
    It '<address> is <why>' -ForEach @(
        @{ address = 'https://plumbline.example'; fault = ''; why = 'fine' }
        @{ address = 'http://127.0.0.1:8000'; fault = ''; why = 'fine on this machine' }
        @{ address = 'http://plumbline.example'; fault = 'https'; why = 'refused without TLS' }
        @{ address = 'plumbline'; fault = 'no address'; why = 'no address' }
    ) {
        if ($fault) { Get-ServerFault $address | Should -Match $fault } else { Get-ServerFault $address | Should -BeExactly '' }
    }

    It 'is checked before anything is touched' {
        Get-InputFault '' '' '' 15 $false | Should -Match 'Server'
        Get-InputFault '' '' '' 15 $true | Should -BeExactly ''
        Get-InputFault 'https://a' 'abc' '' 15 $false | Should -Match 'CaPin'
        Get-InputFault 'https://a' ('a' * 64) 'proxy' 15 $false | Should -Match 'Proxy'
        Get-InputFault 'https://a' ('a' * 64) 'http://proxy:3128' 0 $false | Should -Match 'IntervalMinutes'
        Get-InputFault 'https://a' ('a' * 64) 'http://proxy:3128' 15 $false | Should -BeExactly ''
    }
}

Describe 'The nonce' {
    It 'stays for the same server and token, and only for them' {
        $path = Join-Path $TestDrive 'nonce'
        $first = Get-EnrolNonce $path 'https://a' 't'
        $first | Should -Match '\A[0-9a-f]{32}\z'
        Get-EnrolNonce $path 'https://a' 't' | Should -BeExactly $first
        Get-EnrolNonce $path 'https://a' 'u' | Should -Not -BeExactly $first
    }

    It 'does not keep the token itself' {
        $path = Join-Path $TestDrive 'nonce2'
        $null = Get-EnrolNonce $path 'https://a' 'very-secret-token'
        [IO.File]::ReadAllText($path) | Should -Not -Match 'very-secret-token'
    }
}

Describe 'The task' {
    It 'runs as SYSTEM, one instance, repeated for ever' {
        $xml = [xml](New-TaskXml 'C:\Program Files\Plumbline\Plumbline-Agent.ps1' 'C:\ProgramData\A & B' 125)
        $xml.Task.Principals.Principal.UserId | Should -BeExactly 'S-1-5-18'
        $xml.Task.Settings.MultipleInstancesPolicy | Should -BeExactly 'IgnoreNew'
        $xml.Task.Triggers.TimeTrigger.Repetition.Interval | Should -BeExactly 'PT5M'
        $xml.Task.Triggers.TimeTrigger.StartBoundary | Should -BeExactly '2020-01-01T00:02:05'
        $xml.Task.Actions.Exec.Arguments | Should -Match 'A & B'
        $xml.Task.Triggers.TimeTrigger.Repetition.ChildNodes.Name -ccontains 'Duration' | Should -BeFalse
    }
}

Describe 'Enrolment' {
    It 'keeps what the server gave and forgets the nonce' {
        $answer = '{"host_id":"h1","secret":"' + ('ab' * 32) + '","epoch":1,"generation":1,"interval_seconds":600,"state":"waiting"}'
        $door = Start-Door @(@{ code = 200; text = $answer })
        $place = Get-Place (Join-Path $TestDrive 'enrol')
        Invoke-Enrolment $place (New-Asked $door['url']) (New-Shelf) | Should -BeExactly 'waiting'
        $door['asked'][0]['path'] | Should -BeExactly '/agent/v1/enrol'
        $asked = ConvertFrom-Json -InputObject ([Text.Encoding]::UTF8.GetString($door['asked'][0]['body']))
        $asked.token | Should -BeExactly 'token-1'
        $asked.platform | Should -BeExactly 'windows'
        $asked.nonce | Should -Match '\A[0-9a-f]{32}\z'
        $credential = Read-Credential $place['credential']
        $credential['host_id'] | Should -BeExactly 'h1'
        $credential['interval_seconds'] | Should -Be 600
        [IO.File]::Exists([IO.Path]::Combine($place['folder'], 'enrol-nonce')) | Should -BeFalse
    }

    It 'sends the same nonce again when the answer was lost' {
        $answer = '{"host_id":"h1","secret":"' + ('ab' * 32) + '","epoch":1,"generation":1,"state":"active"}'
        $door = Start-Door @(@{ code = 503; text = '' }, @{ code = 200; text = $answer })
        $place = Get-Place (Join-Path $TestDrive 'again')
        { Invoke-Enrolment $place (New-Asked $door['url']) (New-Shelf) } | Should -Throw '*503*'
        $null = Invoke-Enrolment $place (New-Asked $door['url']) (New-Shelf)
        $nonces = @(foreach ($one in $door['asked']) {
            (ConvertFrom-Json -InputObject ([Text.Encoding]::UTF8.GetString($one['body']))).nonce
        })
        $nonces[0] | Should -BeExactly $nonces[1]
    }

    It 'refuses an answer that is none' {
        { Resolve-Enrolment @{ code = 200; text = '<html/>' } (New-Asked 'https://a') } | Should -Throw
        { Resolve-Enrolment @{ code = 401; text = '{"error":"token expired"}' } (New-Asked 'https://a') } | Should -Throw '*token expired*'
    }
}

Describe 'Installing' {
    BeforeAll {
        Mock Set-FolderRight { $null = [IO.Directory]::CreateDirectory($Folder) }
        Mock Register-EventSource { return }
        Mock Unregister-EventSource { return }
        Mock Register-AgentTask { return }
        Mock Unregister-AgentTask { return }
        Mock Start-AgentTask { return }
        Mock Invoke-SelfCheck { return 0 }
        Mock Write-Line { return }
    }

    It 'gives the folders away before the secret is written, and is the same the second time' {
        $answer = '{"host_id":"h1","secret":"' + ('ab' * 32) + '","epoch":1,"generation":1,"interval_seconds":900,"state":"active"}'
        $door = Start-Door @(@{ code = 200; text = $answer })
        $to = Join-Path $TestDrive 'program'
        $folder = Join-Path $TestDrive 'data'
        Install-Agent (New-Asked $door['url']) $program $to $folder (New-Shelf) (New-Shelf) | Should -Be 0
        Install-Agent (New-Asked $door['url'] '') $program $to $folder (New-Shelf) (New-Shelf) | Should -Be 0
        $door['asked'].Count | Should -Be 1
        Should -Invoke Set-FolderRight -Times 4 -Exactly
        Should -Invoke Register-AgentTask -Times 2 -Exactly -ParameterFilter { $Xml -match 'Plumbline-Agent.ps1' }
        [IO.File]::Exists((Join-Path $to 'Plumbline-Agent.ps1')) | Should -BeTrue
        Uninstall-Agent $to $folder $false | Should -Be 0
        [IO.Directory]::Exists($folder) | Should -BeFalse
        [IO.Directory]::Exists($to) | Should -BeFalse
    }

    It 'asks for a token where the host is not enrolled' {
        $to = Join-Path $TestDrive 'p2'
        $folder = Join-Path $TestDrive 'd2'
        { Install-Agent (New-Asked 'https://a' '') $program $to $folder (New-Shelf) (New-Shelf) } | Should -Throw '*-Token is needed*'
    }
}

Describe 'The runner' {
    BeforeEach {
        $from = Join-Path $TestDrive ([Guid]::NewGuid().ToString('N'))
        $to = Join-Path $from 'to'
        $data = Join-Path $from 'data'
        foreach ($one in $from, $to) { $null = [IO.Directory]::CreateDirectory($one) }
        $source = Join-Path $from 'Plumbline-Runner.ps1'
        $target = Join-Path $to 'Plumbline-Runner.ps1'
    }

    It 'is installed with a folder for its fence, but no fence' {
        [IO.File]::WriteAllText($source, 'one')
        Copy-Runner $from $to $data $false | Should -Match 'is installed'
        [IO.File]::ReadAllText($target) | Should -BeExactly 'one'
        [IO.Directory]::Exists((Join-Path $data 'runner' 'receipts')) | Should -BeTrue
        [IO.File]::Exists((Join-Path $data 'runner' 'fence.json')) | Should -BeFalse
    }

    It 'is replaced only when somebody says so, and its fence stays' {
        [IO.File]::WriteAllText($source, 'two')
        [IO.File]::WriteAllText($target, 'one')
        $null = [IO.Directory]::CreateDirectory((Join-Path $data 'runner'))
        [IO.File]::WriteAllText((Join-Path $data 'runner' 'fence.json'), 'x')
        Copy-Runner $from $to $data $false | Should -Match '-UpgradeRunner'
        [IO.File]::ReadAllText($target) | Should -BeExactly 'one'
        Copy-Runner $from $to $data $true | Should -Match 'replaced'
        [IO.File]::ReadAllText($target) | Should -BeExactly 'two'
        [IO.File]::ReadAllText((Join-Path $data 'runner' 'fence.json')) | Should -BeExactly 'x'
    }

    It 'is not missed where it does not come with the installer' {
        Copy-Runner $from $to $data $false | Should -Match 'read this host, not change it'
    }
}
