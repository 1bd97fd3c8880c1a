# Every answer of the door, first as pure decisions, then over a loopback server with whole runs.
BeforeAll {
    . "$PSScriptRoot/../Plumbline-Agent.ps1"
    . "$PSScriptRoot/StandIn.ps1"
    $script:DrainPauseMs = 50
    $script:GrowthLimitBytes = 2000000000                     # the suite's own memory is not the agent's

    function New-Enrolled {
        # A state folder of an enrolled host, and its place.
        param([string]$Url)
        $place = Get-Place (Join-Path $TestDrive ([guid]::NewGuid().ToString('N')))
        Save-Credential $place['credential'] ([ordered]@{
            server = $Url; host_id = '0123456789abcdef0123456789abcdef'; epoch = 1; generation = 1; secret = ('ab' * 32)
            ca_pin = ''; proxy = ''; interval_seconds = 900
        })
        return $place
    }
    function Start-Once {
        param([hashtable]$Place)
        return Invoke-Run $Place $true '' (Get-StandInShelf) (New-Shelf)
    }
    function Get-Spooled {
        param([hashtable]$Place)
        return @(foreach ($path in (Get-SpoolFile $Place['spool'])) { $path })
    }
}

Describe 'What an answer means' {
    It '<code> is <act>: <text>' -ForEach @(
        @{ code = 200; text = '{"seq":7,"digest":"d","receipt":"r","next_seconds":900}'; act = 'accepted' }
        @{ code = 200; text = '{"seq":8,"digest":"d","receipt":"r"}'; act = 'retry' }
        @{ code = 200; text = '{"seq":7,"digest":"e","receipt":"r"}'; act = 'retry' }
        @{ code = 200; text = '<html>welcome</html>'; act = 'retry' }
        @{ code = 401; text = ''; act = 'hold' }
        @{ code = 403; text = ''; act = 'hold' }
        @{ code = 409; text = '{"want":["tcp"]}'; act = 'want' }
        @{ code = 409; text = '{"seq_used":true}'; act = 'hold' }
        @{ code = 409; text = 'conflict'; act = 'retry' }
        @{ code = 413; text = ''; act = 'rejected' }
        @{ code = 422; text = '{"error":"x"}'; act = 'rejected' }
        @{ code = 429; text = ''; act = 'retry' }
        @{ code = 503; text = ''; act = 'retry' }
        @{ code = 302; text = ''; act = 'retry' }
        @{ code = 0; text = 'refused'; act = 'retry' }
    ) {
        (Resolve-Answer @{ code = $code; text = $text } 7 'd')['act'] | Should -BeExactly $act
    }
}

Describe 'A whole run' {
    BeforeEach { Import-StandIn "$PSScriptRoot/hosts/bcm57810-2012-default.json" }

    It 'sends all bodies signed, and deletes the file for its receipt' {
        $door = Start-Door @(@{ code = 200; receipt = '' })
        $place = New-Enrolled $door['url']
        Start-Once $place | Should -Be 0
        @(Get-Spooled $place).Count | Should -Be 0
        $asked = $door['asked'][0]
        $asked['path'] | Should -BeExactly '/agent/v1/check-in'
        $asked['header']['Content-Type'] | Should -BeExactly 'application/vnd.plumbline.check-in+ndjson'
        $asked['header']['Content-Encoding'] | Should -BeExactly 'gzip'
        $field = @{
            host = $asked['header']['Plumbline-Host']; epoch = $asked['header']['Plumbline-Epoch']; seq = $asked['header']['Plumbline-Seq']
            id = $asked['header']['Plumbline-Id']; generation = $asked['header']['Plumbline-Generation']
            sent_at = $asked['header']['Plumbline-Sent-At']
        }
        Get-Signature $field ('ab' * 32) 'gzip' $asked['body'] | Should -BeExactly $asked['header']['Plumbline-Signature']
        $lines = @(Expand-Asked $asked['body'])
        $lines.Count | Should -Be 14
        $named = @((Get-LineDigest $lines[0]).Values)
        for ($i = 1; $i -lt $lines.Count; $i++) {
            $digest = Get-Sha256Hex ([Text.Encoding]::ASCII.GetBytes($lines[$i]))
            $named -ccontains $digest | Should -BeTrue
        }
    }

    It 'is a heartbeat when nothing changed, and sends what is wanted later' {
        $later = ',"want_later":["tcp"]'
        $door = Start-Door @(@{ code = 200; receipt = '' }, @{ code = 200; receipt = $later }, @{ code = 200; receipt = '' })
        $place = New-Enrolled $door['url']
        @(1, 2, 3) | ForEach-Object {
            $global:StandIn['Calls'] = @{}
            Start-Once $place | Should -Be 0
        }
        @(Expand-Asked $door['asked'][1]['body']).Count | Should -Be 1
        $third = @(Expand-Asked $door['asked'][2]['body'])
        $third.Count | Should -Be 2
        $third[1] | Should -Match 'Get-NetTCPSetting'
    }

    It 'answers "want" with the same line 1, another id, and the bodies' {
        $door = Start-Door @(@{ code = 200; receipt = '' }, @{ code = 409; text = '{"want":["tcp","qos"]}' }, @{ code = 200; receipt = '' })
        $place = New-Enrolled $door['url']
        @(1, 2) | ForEach-Object { $null = Start-Once $place }
        $second = @(Expand-Asked $door['asked'][1]['body'])
        $third = @(Expand-Asked $door['asked'][2]['body'])
        $second.Count | Should -Be 1
        $third.Count | Should -Be 3
        $third[0] | Should -BeExactly $second[0]
        $door['asked'][2]['header']['Plumbline-Seq'] | Should -BeExactly $door['asked'][1]['header']['Plumbline-Seq']
        $door['asked'][2]['header']['Plumbline-Id'] | Should -Not -BeExactly $door['asked'][1]['header']['Plumbline-Id']
    }

    It 'rejects its own check-in when a wanted body is gone' {
        $door = Start-Door @(@{ code = 409; text = '{"want":["nonsense"]}' })
        $place = New-Enrolled $door['url']
        $null = Start-Once $place
        (Get-SpoolFile $place['rejected']).Length | Should -Be 1
        (Read-State $place['state'])['rejected'] | Should -Be 1
    }

    It 'takes a new secret and uses it from then on' {
        $secret = ',"secret":{{"secret":"{0}","generation":2}}' -f ('cd' * 32)
        $door = Start-Door @(@{ code = 200; receipt = $secret }, @{ code = 200; receipt = '' })
        $place = New-Enrolled $door['url']
        @(1, 2) | ForEach-Object { $null = Start-Once $place }
        $door['asked'][1]['header']['Plumbline-Generation'] | Should -BeExactly '2'
        (Read-Credential $place['credential'])['secret'] | Should -BeExactly ('cd' * 32)
    }

    It 'keeps the check-in and waits after <code>' -ForEach @(
        @{ code = 401; least = 3600; most = 4200 }
        @{ code = 403; least = 3600; most = 4200 }
        @{ code = 503; least = 100; most = 131 }
        @{ code = 429; least = 100; most = 131 }
        @{ code = 500; least = 100; most = 131 }
    ) {
        $door = Start-Door @(@{ code = $code; retry_after = '100'; text = '' })
        $place = New-Enrolled $door['url']
        Start-Once $place | Should -Be 0
        @(Get-Spooled $place).Count | Should -Be 1
        $state = Read-State $place['state']
        ($state['not_before'] - $state['set_at']) | Should -BeGreaterOrEqual $least
        ($state['not_before'] - $state['set_at']) | Should -BeLessOrEqual $most
    }

    It 'collects on, but does not send, while it has to wait' {
        $door = Start-Door @(@{ code = 503; retry_after = '3000'; text = '' }, @{ code = 200; receipt = '' })
        $place = New-Enrolled $door['url']
        $null = Start-Once $place
        $state = Read-State $place['state']
        $state['last_collected'] = [long]-1
        Save-State $place['state'] $state
        $null = Invoke-Run $place $false '' (Get-StandInShelf) (New-Shelf)
        @(Get-Spooled $place).Count | Should -Be 2
        $door['asked'].Count | Should -Be 1
    }

    It 'alarms and keeps collecting when its number was used by another' {
        $door = Start-Door @(@{ code = 409; text = '{"seq_used":true}' })
        $place = New-Enrolled $door['url']
        $null = Start-Once $place
        @(Get-Spooled $place).Count | Should -Be 1
        [IO.File]::ReadAllText($place['log']) | Should -Match 'clone'
    }

    It 'moves a refused check-in away and goes on with the next' {
        $door = Start-Door @(@{ code = 503; text = '' }, @{ code = 422; text = '' }, @{ code = 200; receipt = '' })
        $place = New-Enrolled $door['url']
        @(1, 2) | ForEach-Object { $null = Start-Once $place }
        @(Get-Spooled $place).Count | Should -Be 0
        (Get-SpoolFile $place['rejected']).Length | Should -Be 1
    }

    It 'moves a damaged spool file away and sends the rest' {
        $door = Start-Door @(@{ code = 200; receipt = '' })
        $place = New-Enrolled $door['url']
        [IO.File]::WriteAllText([IO.Path]::Combine($place['spool'], (Get-SpoolName 1 0)), 'nonsense')
        Start-Once $place | Should -Be 0
        @(Get-Spooled $place).Count | Should -Be 0
        (Get-SpoolFile $place['rejected']).Length | Should -Be 1
    }

    It 'leaves its largest body out after 413' {
        $door = Start-Door @(@{ code = 413; text = '' }, @{ code = 200; receipt = '' })
        $place = New-Enrolled $door['url']
        @(1, 2) | ForEach-Object { $null = Start-Once $place }
        $line = (Expand-Asked $door['asked'][1]['body'])[0]
        $line | Should -Match '"error":"too big"'
        $line | Should -Match '"rejected":1'
    }

    It 'keeps the check-in when nobody answers' {
        $place = New-Enrolled 'http://127.0.0.1:9'
        Start-Once $place | Should -Be 0
        @(Get-Spooled $place).Count | Should -Be 1
        (Read-State $place['state'])['failures'] | Should -Be 1
    }

    It 'says so where the host is not enrolled' {
        $place = Get-Place (Join-Path $TestDrive 'nobody')
        Start-Once $place | Should -Be 2
    }
}
