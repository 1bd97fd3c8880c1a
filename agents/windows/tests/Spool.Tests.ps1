# Files: written safely, counted, spooled, thinned; one instance; when to collect and when to send.
BeforeAll {
    . "$PSScriptRoot/../Plumbline-Agent.ps1"

    function New-TestPlace {
        return Get-Place (Join-Path $TestDrive ([guid]::NewGuid().ToString('N')))
    }
    function New-TestCheckIn {
        # A check-in with one body for each name -> text.
        param([Collections.IDictionary]$Text, [int]$Number = 1)
        $results = [ordered]@{}
        foreach ($pair in $Text.GetEnumerator()) {
            $results[$pair.Key] = [ordered]@{ status = 'ok'; data = [ordered]@{ text = $pair.Value }; error = ''; took_ms = [long]$Number }
        }
        $about = @{
            boot = 'b'; made_at = '2026-03-02T08:15:00Z'; took_ms = $Number; runner = $null; runner_before = $null; runner_after = $null
            rejected = 0; thinned = 0
        }
        return New-CheckIn $results @{ sessions = @(); storage_jobs = @() } ([ordered]@{ at = 'x'; uptime_s = 1; series = @() }) $about
    }
}

Describe 'Files' {
    It 'replaces a file whole and leaves no temporary one' {
        $place = New-TestPlace
        $path = [IO.Path]::Combine($place['folder'], 'file')
        Write-FileSafely $path ([byte[]](1, 2, 3))
        Write-FileSafely $path ([byte[]](4))
        [IO.File]::ReadAllBytes($path).Length | Should -Be 1
        [IO.File]::Exists($path + '.tmp') | Should -BeFalse
    }

    It 'counts on over restarts and refuses a damaged counter' {
        $place = New-TestPlace
        Step-Counter $place['counter'] | Should -Be 1
        Step-Counter $place['counter'] | Should -Be 2
        [IO.File]::WriteAllText($place['counter'], '')
        { Step-Counter $place['counter'] } | Should -Throw '*damaged*'
    }

    It 'lets one instance in' {
        $place = New-TestPlace
        $first = Open-Lock $place['lock']
        try { Open-Lock $place['lock'] | Should -BeNullOrEmpty } finally { $first.Dispose() }
        $again = Open-Lock $place['lock']
        $again | Should -Not -BeNullOrEmpty
        $again.Dispose()
    }

    It 'starts anew from a damaged state file' {
        $place = New-TestPlace
        [IO.File]::WriteAllText($place['state'], '{"rejected":')
        (Read-State $place['state'])['last_collected'] | Should -Be -1
    }

    It 'remembers its state' {
        $place = New-TestPlace
        $state = Read-State $place['state']
        $state['failures'] = 3
        $state['drop'] = $true
        $state['receipted']['tcp'] = 'ab'
        Save-State $place['state'] $state
        $read = Read-State $place['state']
        $read['failures'] | Should -Be 3
        $read['drop'] | Should -BeTrue
        $read['receipted']['tcp'] | Should -BeExactly 'ab'
    }
}

Describe 'The spool' {
    It 'holds every body without a receipt in each file, and none that has one' {
        $place = New-TestPlace
        $checkIn = New-TestCheckIn ([ordered]@{ tcp = 'one'; qos = 'two' })
        $receipted = @{ qos = $checkIn['sections']['qos']['sha256'] }
        $path = Add-SpoolFile $place $checkIn $receipted 1
        $read = Read-SpoolFile $path
        $read['bodies'].Count | Should -Be 1
        $read['bodies'].ContainsKey($checkIn['sections']['tcp']['sha256']) | Should -BeTrue
        $read['line'] | Should -BeExactly $checkIn['line']
        @([IO.Directory]::GetFiles($place['bodies'])).Count | Should -Be 2
    }

    It 'drains oldest first by number, whatever the clock says' {
        $place = New-TestPlace
        $paths = @(@(1, 2, 3) | ForEach-Object { Add-SpoolFile $place (New-TestCheckIn ([ordered]@{ tcp = "$_" }) $_) @{} 1 })
        [IO.File]::SetLastWriteTimeUtc($paths[2], (New-Object datetime(1990, 1, 1)))
        $found = Get-SpoolFile $place['spool']
        [string]::Join('|', $found) | Should -BeExactly ([string]::Join('|', $paths))
    }

    It 'is numbered anew, in its own order, after a new enrolment' {
        $place = New-TestPlace
        $lines = @(@(1, 2, 3) | ForEach-Object {
            $path = Add-SpoolFile $place (New-TestCheckIn ([ordered]@{ tcp = "$_" }) $_) @{} 1
            (Read-SpoolFile $path)['line']
        })
        Update-SpoolEpoch $place 2
        $found = Get-SpoolFile $place['spool']
        for ($i = 0; $i -lt 3; $i++) {
            (Get-SpoolOrder $found[$i])['epoch'] | Should -Be 2
            (Get-SpoolOrder $found[$i])['seq'] | Should -Be (4 + $i)
            (Read-SpoolFile $found[$i])['line'] | Should -BeExactly $lines[$i]
        }
    }

    It 'thins what tells nothing new from the middle' {
        Get-SpoolVictim @('a', 'a', 'a', 'a', 'a') | Should -Be 2
        Get-SpoolVictim @('a', 'b', 'c', 'c', 'd') | Should -Be 3
    }

    It 'thins the oldest when everything is new, never the newest' {
        Get-SpoolVictim @('a', 'b', 'c') | Should -Be 0
        Get-SpoolVictim @('a', 'a') | Should -Be 0
    }

    It 'keeps its limits and tells how many went' {
        $place = New-TestPlace
        $null = @(1, 2, 3, 4, 5, 6) | ForEach-Object { Add-SpoolFile $place (New-TestCheckIn ([ordered]@{ tcp = 'same' }) $_) @{} 1 }
        $newest = (Get-SpoolFile $place['spool'])[5]
        Limit-Spool $place['spool'] 4 1000000 | Should -Be 2
        $left = Get-SpoolFile $place['spool']
        $left.Length | Should -Be 4
        $left[3] | Should -BeExactly $newest
        Limit-Spool $place['spool'] 4 10 | Should -Be 3
        (Get-SpoolFile $place['spool'])[0] | Should -BeExactly $newest
    }

    It 'keeps the bodies that spooled check-ins name, and no others' {
        $place = New-TestPlace
        $first = New-TestCheckIn ([ordered]@{ tcp = 'one' }) 1
        $path = Add-SpoolFile $place $first @{} 1
        @(Get-SpoolDigest $path)[0] | Should -BeExactly $first['sections']['tcp']['sha256']
        $null = Add-SpoolFile $place (New-TestCheckIn ([ordered]@{ tcp = 'two' }) 2) @{} 1
        @([IO.Directory]::GetFiles($place['bodies'])).Count | Should -Be 2
        foreach ($file in (Get-SpoolFile $place['spool'])) { [IO.File]::Delete($file) }
        $null = Add-SpoolFile $place (New-TestCheckIn ([ordered]@{ tcp = 'three' }) 3) @{} 1
        @([IO.Directory]::GetFiles($place['bodies'])).Count | Should -Be 1
    }

    It 'keeps the last five rejected' {
        $place = New-TestPlace
        for ($i = 1; $i -le 7; $i++) {
            $path = Add-SpoolFile $place (New-TestCheckIn ([ordered]@{ tcp = "$i" })) @{} 1
            Move-ToRejected $place $path
        }
        (Get-SpoolFile $place['rejected']).Length | Should -Be 5
    }

    It 'leaves the largest body out after "too big"' {
        $results = [ordered]@{
            tcp = [ordered]@{ status = 'ok'; data = [ordered]@{ a = 'x' }; error = ''; took_ms = 1 }
            qos = [ordered]@{ status = 'ok'; data = [ordered]@{ a = 'xxxxxxxxxxxx' }; error = ''; took_ms = 1 }
        }
        Remove-LargestBody $results
        $results['qos']['status'] | Should -BeExactly 'failed'
        $results['qos']['error'] | Should -BeExactly 'too big'
        $results['tcp']['status'] | Should -BeExactly 'ok'
    }
}

Describe 'When' {
    It 'a host checks in is fixed by its id and spread over the interval' {
        Get-Phase 'host-a' 900 | Should -Be (Get-Phase 'host-a' 900)
        $phases = @(for ($i = 1; $i -le 400; $i++) { Get-Phase "host-$i" 900 })
        @($phases | Where-Object { $_ -lt 0 -or $_ -ge 900 }).Count | Should -Be 0
        @($phases | Where-Object { $_ -lt 450 }).Count | Should -BeGreaterThan 150
        @($phases | Where-Object { $_ -lt 450 }).Count | Should -BeLessThan 250
    }

    It 'it collects: <why>' -ForEach @(
        @{ why = 'never before'; now = 5000; last = -1; due = $true }
        @{ why = 'not twice in one interval'; now = 5000; last = 4900; due = $false }
        @{ why = 'in the next interval'; now = 6000; last = 4900; due = $true }
        @{ why = 'after the clock went back by a day'; now = 5000; last = 91400; due = $true }
    ) {
        Test-Due $now $last 900 100 | Should -Be $due
    }

    It 'it sends: <why>' -ForEach @(
        @{ why = 'no wait is set'; now = 1000; before = 0; set = 0; allowed = $true }
        @{ why = 'not before the time'; now = 1000; before = 1500; set = 900; allowed = $false }
        @{ why = 'at the time'; now = 1500; before = 1500; set = 900; allowed = $true }
        @{ why = 'when the clock went back'; now = 800; before = 1500; set = 900; allowed = $true }
        @{ why = 'when the wait lies years ahead'; now = 1000; before = 99999999; set = 900; allowed = $true }
    ) {
        Test-SendAllowed $now @{ not_before = [long]$before; set_at = [long]$set } | Should -Be $allowed
    }

    It 'waits a draw below the capped power of two, after what the server asked for' {
        Get-RetryWait 0 0 0.0 | Should -Be 0
        Get-RetryWait 0 0 0.5 | Should -Be 15
        Get-RetryWait 3 0 0.5 | Should -Be 120
        Get-RetryWait 5 0 0.999999 | Should -BeLessOrEqual 900
        Get-RetryWait 60 0 0.5 | Should -Be 450
        Get-RetryWait 0 120 0.5 | Should -Be 135
    }

    It 'draws evenly' {
        $draws = @(for ($i = 1; $i -le 600; $i++) { Get-RandomFraction })
        @($draws | Where-Object { $_ -lt 0 -or $_ -ge 1 }).Count | Should -Be 0
        $low = @($draws | Where-Object { $_ -lt 0.5 }).Count
        $low | Should -BeGreaterThan 230
        $low | Should -BeLessThan 370
    }

    It 'reads Retry-After <text>' -ForEach @(
        @{ text = '120'; seconds = 120 }
        @{ text = ''; seconds = 0 }
        @{ text = '-5'; seconds = 0 }
        @{ text = 'soon'; seconds = 0 }
        @{ text = '999999'; seconds = 86400 }
        @{ text = 'Mon, 02 Mar 2026 08:16:30 GMT'; seconds = 90 }
        @{ text = 'Mon, 02 Mar 2026 08:00:00 GMT'; seconds = 0 }
    ) {
        ConvertFrom-RetryAfter $text (New-Object datetime(2026, 3, 2, 8, 15, 0, [DateTimeKind]::Utc)) | Should -Be $seconds
    }
}

Describe 'Line 1' {
    It 'gives a reason for every section that is not ok, and no more of it than the door takes' {
        $results = [ordered]@{
            tcp = [ordered]@{ status = 'failed'; data = $null; error = ('x' * 5000); took_ms = [long]1 }
            qos = [ordered]@{ status = 'unavailable'; data = $null; error = ''; took_ms = [long]1 }
            iscsi = [ordered]@{ status = 'ok'; data = [ordered]@{ a = 1 }; error = ''; took_ms = [long]1 }
        }
        $about = @{
            boot = 'b'; made_at = 'x'; took_ms = 1; runner = $null; runner_before = $null; runner_after = $null; rejected = 0; thinned = 0
        }
        $counter = [ordered]@{ at = 'x'; uptime_s = 1; series = @() }
        $checkIn = New-CheckIn $results @{ sessions = @(); storage_jobs = @() } $counter $about
        $checkIn['sections']['tcp']['error'].Length | Should -Be 1000
        $checkIn['sections']['qos']['error'] | Should -BeExactly 'no reason given'
        $checkIn['sections']['iscsi'].Contains('error') | Should -BeFalse
        @($checkIn['bodies'].Keys).Count | Should -Be 1
    }

    It 'tells the last act of the runner, or none: <text>' -ForEach @(
        @{ text = '{"op_id":"0123456789abcdef","gen":7}'; mark = '{"op_id":"0123456789abcdef","gen":7}' }
        @{ text = '{"op_id":"0123456789ab'; mark = 'null' }
        @{ text = '{"op_id":7,"gen":"x"}'; mark = 'null' }
    ) {
        $place = New-TestPlace
        $null = [IO.Directory]::CreateDirectory([IO.Path]::Combine($place['folder'], 'runner'))
        [IO.File]::WriteAllText([IO.Path]::Combine($place['folder'], 'runner', 'last.json'), $text)
        ConvertTo-StableJson (Get-RunnerMark $place['folder']) | Should -BeExactly $mark
    }
}
