# The runner against a host with state: fence, boot, compare, receipts, mutex, resume, restart, dead-man, and the form of its answers.
BeforeAll {
    . "$PSScriptRoot/../Plumbline-Runner.ps1"
    . "$PSScriptRoot/RunnerStandIn.ps1"
    $samples = [IO.Path]::GetFullPath("$PSScriptRoot/../../schema/samples/runner/windows")
    $script:BeginMs = 500
    $script:MutexMs = 200
    $script:FenceMs = 200
    $script:LinkMs = 1500

    function New-Host {
        # A fresh host: its program and state folders, and one operation on it.
        Reset-Machine
        $root = Join-Path $TestDrive ([Guid]::NewGuid().ToString('N'))
        $null = [IO.Directory]::CreateDirectory((Join-Path $root 'program'))
        return @{ script = (Join-Path $root 'program' 'Plumbline-Runner.ps1'); folder = (Join-Path $root 'runner'); op = (New-RandomHex 16)
            boot = ('5' * 32); late = 2000; gen = 7; attempt = 1 }
    }

    function New-Element {
        param([string]$Setting, [string]$Seen, [string]$Target)
        return [ordered]@{ setting = $Setting; seen = $Seen; target = $Target; inverse = $Seen }
    }

    function New-Asked {
        param([hashtable]$At, [string]$Verb, [hashtable]$Change = @{})
        $asked = [ordered]@{
            v = 1; verb = $Verb; host_id = ('a' * 32); job_id = ('b' * 32); op_id = $At['op']; nonce = (New-RandomHex 16); gen = $At['gen']
            attempt = $At['attempt']; boot_id = $At['boot']; not_after_uptime_s = $At['late']; step = @(); restart = $null
            deadman_s = $null; health_floor = $null
        }
        if ('read', 'receipt' -ccontains $Verb) {
            $asked['boot_id'] = $null
            $asked['not_after_uptime_s'] = $null
        }
        foreach ($pair in $Change.GetEnumerator()) { $asked[$pair.Key] = $pair.Value }
        return $asked
    }

    function Send-Asked {
        # Through the very text that a channel would send; the answer as a reader of JSON sees it.
        param([hashtable]$At, [Collections.IDictionary]$Asked)
        $base64 = [Convert]::ToBase64String([Text.Encoding]::UTF8.GetBytes((ConvertTo-StableJson $Asked)))
        return ConvertFrom-Json -InputObject (ConvertTo-StableJson (Get-Answer $base64 $At['script'] $At['folder']))
    }

    function Send-Verb {
        param([hashtable]$At, [string]$Verb, [hashtable]$Change = @{})
        return Send-Asked $At (New-Asked $At $Verb $Change)
    }

    function Get-Effect {
        # What was done to the host, without the tasks.
        return , @($global:Machine['Journal'] | Where-Object { -not $_.StartsWith('task ') })
    }

    $jumbo = 'adapter/001b21aabb01/mtu'
    $flow = 'adapter/001b21aabb01/flow_control'
    $rss = 'host//tcp.rss'
}

Describe 'Reading' {
    BeforeEach { $at = New-Host }

    It 'tells values, health, boot and time, and changes nothing' {
        $found = Send-Verb $at 'read' @{ step = @(@{ setting = $jumbo }, @{ setting = $rss }, @{ setting = 'adapter/00ffffffffff/mtu' }) }
        $found.state | Should -BeExactly 'none'
        $found.after.$jumbo | Should -BeExactly '1514'
        $found.after.$rss | Should -BeExactly 'Enabled'
        $found.after.'adapter/00ffffffffff/mtu' | Should -BeNullOrEmpty
        $found.error | Should -Match '0 of that id'
        $found.health.sessions | Should -Be 4
        $found.health.paths_healthy | Should -Be 4
        $found.health.least_paths | Should -Be 2
        $found.health.volumes | Should -Be 2
        $found.health.adapters_up | Should -Be 2
        $found.boot_id | Should -BeExactly ('5' * 32)
        $found.uptime_s | Should -Be 1000
        $found.fence | Should -BeNullOrEmpty
        $found.end | Should -BeExactly 'plumbline'
        $global:Machine['Journal'].Count | Should -Be 0
    }

    It 'says null where a figure cannot be read' {
        $global:Machine['Fails']['DSM_QueryLBPolicy_V2'] = 'Invalid class'
        $found = Send-Verb $at 'read'
        $found.health.least_paths | Should -BeNullOrEmpty
        $found.health.sessions | Should -Be 4
    }

    It 'has the fields of the samples, in their order' {
        $sample = ConvertFrom-Json -InputObject ([IO.File]::ReadAllText((Join-Path $samples 'read.answer.json')))
        $found = Send-Verb $at 'read'
        $names = @($found.PSObject.Properties | ForEach-Object { $_.Name })
        [string]::Join(',', $names) | Should -BeExactly ([string]::Join(',', @($sample.PSObject.Properties | ForEach-Object { $_.Name })))
    }

    It 'takes every request of the samples' {
        foreach ($file in @([IO.Directory]::GetFiles($samples, '*.request.json'))) {
            $base64 = [Convert]::ToBase64String([IO.File]::ReadAllBytes($file))
            (Get-Answer $base64 $at['script'] $at['folder'])['reason'] | Should -Not -BeExactly 'bad_request'
        }
    }
}

Describe 'A request that is none' {
    BeforeEach {
        $at = New-Host
        $null = Send-Verb $at 'fence'
    }

    It 'is refused: <why>' -ForEach @(
        @{ why = 'version'; change = @{ v = 2 }; reason = 'bad_request' }
        @{ why = 'verb'; change = @{ verb = 'run' }; reason = 'bad_request' }
        @{ why = 'a path as id'; change = @{ op_id = '../../windows/system32' }; reason = 'bad_request' }
        @{ why = 'a date as id'; change = @{ op_id = '2026-11-21T00:00:00Z' }; reason = 'bad_request' }
        @{ why = 'unknown field'; change = @{ command = 'x' }; reason = 'bad_request' }
        @{ why = 'no boot'; change = @{ boot_id = $null }; reason = 'bad_request' }
        @{ why = 'no step'; change = @{ step = @() }; reason = 'bad_request' }
        @{ why = 'dead-man of no time'; change = @{ deadman_s = 0 }; reason = 'bad_request' }
        @{ why = 'restart of a host'; change = @{ restart = 'host/x' }; reason = 'bad_request' }
        @{ why = 'empty floor'; change = @{ health_floor = @{} }; reason = 'bad_request' }
        @{ why = 'unknown floor'; change = @{ health_floor = @{ luck = 1 } }; reason = 'bad_request' }
        @{ why = 'unknown setting'; change = @{ step = @(@{ setting = 'host//firewall'; seen = '1'; target = '0'; inverse = '1' }) }
            reason = 'not_allowed' }
        @{ why = 'a value that runs'; reason = 'bad_request'
            change = @{ step = @(@{ setting = 'host//tcp.rss'; seen = 'Enabled'; target = '$(Stop-Computer)'; inverse = 'Enabled' }) } }
        @{ why = 'a value with a line end'; reason = 'bad_request'
            change = @{ step = @(@{ setting = 'host//tcp.rss'; seen = 'Enabled'; target = "Disabled`n"; inverse = 'Enabled' }) } }
        @{ why = 'an id with a quote'; reason = 'bad_request'
            change = @{ step = @(@{ setting = "adapter/001b21aabb01'/mtu"; seen = '1514'; target = '9014'; inverse = '1514' }) } }
    ) {
        $good = @{ step = @((New-Element $rss 'Enabled' 'Disabled')) }
        foreach ($pair in $change.GetEnumerator()) { $good[$pair.Key] = $pair.Value }
        $found = Send-Verb $at 'begin' $good
        $found.state | Should -BeExactly 'refused'
        $found.reason | Should -BeExactly $reason
        (Get-Effect).Count | Should -Be 0
    }

    It 'is answered even where nothing in it can be read' {
        foreach ($text in '', '!', 'bnVsbA==', 'e30=', ('A' * 90000)) {
            (Get-Answer $text $at['script'] $at['folder'])['reason'] | Should -BeExactly 'bad_request'
        }
    }
}

Describe 'The fence' {
    BeforeEach { $at = New-Host }

    It 'is needed, and a first fence makes it' {
        $step = @((New-Element $rss 'Enabled' 'Disabled'))
        (Send-Verb $at 'begin' @{ step = $step }).reason | Should -BeExactly 'fenced'
        (Send-Verb $at 'confirm').reason | Should -BeExactly 'fenced'
        (Send-Verb $at 'fence').fence.gen | Should -Be 7
        (Send-Verb $at 'begin' @{ step = $step }).state | Should -BeExactly 'started'
        (Send-Verb $at 'receipt').state | Should -BeExactly 'done'
    }

    It 'only rises: <gen>, <attempt>' -ForEach @(@{ gen = 6; attempt = 9 }, @{ gen = 7; attempt = 1 }) {
        $null = Send-Verb $at 'fence' @{ attempt = 2 }
        foreach ($verb in 'fence', 'confirm', 'revert') {
            $found = Send-Verb $at $verb @{ gen = $gen; attempt = $attempt }
            $found.reason | Should -BeExactly 'fenced'
            $found.fence.attempt | Should -Be 2
        }
        $step = @((New-Element $rss 'Enabled' 'Disabled'))
        (Send-Verb $at 'begin' @{ step = $step; gen = $gen; attempt = $attempt }).reason | Should -BeExactly 'fenced'
        (Get-Effect).Count | Should -Be 0
    }

    It 'stops the rest of a step when it rises in the middle' {
        $null = Send-Verb $at 'fence'
        $context = New-RunnerContext $at['script'] $at['folder']
        $asked = New-Asked $at 'begin' @{ step = @((New-Element $rss 'Enabled' 'Disabled')); gen = 7 }
        $parsed = ConvertFrom-Json -InputObject (ConvertTo-StableJson $asked)
        $receipt = New-Receipt $parsed @{ values = [ordered]@{} }
        Save-Document $context['fence'] ([ordered]@{ gen = [long]8; attempt = [long]0 })
        Set-EachElement $context $parsed $receipt $parsed.step 'target' | Should -Match 'generation 8'
        (Get-Effect).Count | Should -Be 0
    }

    It 'that is damaged is no fresh start' {
        $null = Send-Verb $at 'fence'
        [IO.File]::WriteAllText((Join-Path $at['folder'] 'fence.json'), '{')
        $found = Send-Verb $at 'begin' @{ step = @((New-Element $rss 'Enabled' 'Disabled')) }
        $found.reason | Should -BeExactly 'failed'
        $found.error | Should -Match 'damaged'
    }
}

Describe 'Time and owner' {
    BeforeEach {
        $at = New-Host
        $null = Send-Verb $at 'fence'
    }

    It 'refuses what was made in another boot, or too long ago' {
        $step = @((New-Element $rss 'Enabled' 'Disabled'))
        (Send-Verb $at 'begin' @{ step = $step; boot_id = ('6' * 32) }).reason | Should -BeExactly 'late'
        (Send-Verb $at 'begin' @{ step = $step; not_after_uptime_s = 999 }).reason | Should -BeExactly 'late'
        (Send-Verb $at 'fence' @{ gen = 9; not_after_uptime_s = 999 }).reason | Should -BeExactly 'late'
        (Get-Effect).Count | Should -Be 0
    }

    It 'leaves the last word to the owner of the host' {
        [IO.File]::WriteAllText([IO.Path]::Combine([IO.Path]::GetDirectoryName($at['script']), 'observe-only'), '')
        $found = Send-Verb $at 'begin' @{ step = @((New-Element $rss 'Enabled' 'Disabled')) }
        $found.reason | Should -BeExactly 'not_allowed'
        $found.error | Should -BeExactly "refused by the host's owner"
        (Send-Verb $at 'revert').error | Should -BeExactly "refused by the host's owner"
    }
}

Describe 'A step' {
    BeforeEach {
        $at = New-Host
        $null = Send-Verb $at 'fence'
        $step = @((New-Element $jumbo '1514' '9014'), (New-Element $flow '0' '3'))
    }

    It 'is set once, restarted once, and told once more when asked again' {
        $first = Send-Verb $at 'begin' @{ step = $step; restart = 'adapter/001b21aabb01' }
        $first.state | Should -BeExactly 'started'
        $first.reason | Should -BeExactly 'busy'
        $first.restart | Should -BeExactly 'owed'
        $first.before.$jumbo | Should -BeExactly '1514'
        $done = Send-Verb $at 'receipt'
        $done.state | Should -BeExactly 'done'
        $done.restart | Should -BeExactly 'done'
        $done.after.$jumbo | Should -BeExactly '9014'
        @($done.wrote).Count | Should -Be 2
        (Send-Verb $at 'begin' @{ step = $step; restart = 'adapter/001b21aabb01' }).state | Should -BeExactly 'done'
        [string]::Join(';', (Get-Effect)) | Should -BeExactly 'set *JumboPacket 9014;set *FlowControl 3;restart SAN1'
        $mark = ConvertFrom-Json -InputObject ([IO.File]::ReadAllText((Join-Path $at['folder'] 'last.json')))
        $mark.op_id | Should -BeExactly $at['op']
        $mark.gen | Should -Be 7
        (Send-Verb $at 'confirm').state | Should -BeExactly 'confirmed'
        (Send-Verb $at 'revert').reason | Should -BeExactly 'conflict'
    }

    It 'finds a keyword whatever its case, and an adapter by its place' {
        $id = 'adapter/0000:83:00.1/rsc_ipv4'
        $null = Send-Verb $at 'begin' @{ step = @((New-Element $id '1' '0')) }
        (Send-Verb $at 'receipt').state | Should -BeExactly 'done'
        (Get-Effect)[0] | Should -BeExactly 'set *RSCIPv4 0'
    }

    It 'does not claim what stood at target before' {
        $null = Send-Verb $at 'begin' @{ step = @((New-Element $rss 'Disabled' 'Enabled'), (New-Element $flow '0' '3')) }
        $found = Send-Verb $at 'receipt'
        @($found.wrote).Count | Should -Be 1
        $found.wrote[0] | Should -BeExactly $flow
    }

    It 'sets nothing at all where one value is a third one' {
        $found = Send-Verb $at 'begin' @{ step = @((New-Element $flow '0' '3'), (New-Element $jumbo '4088' '9014')) }
        $found.reason | Should -BeExactly 'conflict'
        $found.error | Should -Match 'reads 1514'
        (Get-Effect).Count | Should -Be 0
        (Send-Verb $at 'receipt').state | Should -BeExactly 'none'
    }

    It 'waits for enough paths, and takes unknown for too few' {
        (Send-Verb $at 'begin' @{ step = $step; health_floor = @{ least_paths = 3 } }).reason | Should -BeExactly 'not_allowed'
        $global:Machine['Fails']['DSM_QueryLBPolicy_V2'] = 'Invalid class'
        (Send-Verb $at 'begin' @{ step = $step; health_floor = @{ least_paths = 1 } }).error | Should -Match 'unknown'
        (Get-Effect).Count | Should -Be 0
    }

    It 'says what the driver said, and goes on from there the next time' {
        $global:Machine['Fails']['Set-NetAdapterAdvancedProperty'] = 'The parameter is incorrect'
        $null = Send-Verb $at 'begin' @{ step = @((New-Element $rss 'Enabled' 'Disabled'), (New-Element $flow '0' '3')) }
        $found = Send-Verb $at 'receipt'
        $found.state | Should -BeExactly 'started'
        $found.reason | Should -BeNullOrEmpty
        $found.error | Should -Match 'parameter is incorrect'
        @($found.wrote).Count | Should -Be 1
        $global:Machine['Fails'].Clear()
        $at['attempt'] = 2
        $null = Send-Verb $at 'fence'
        $null = Send-Verb $at 'begin' @{ step = @((New-Element $rss 'Enabled' 'Disabled'), (New-Element $flow '0' '3')) }
        (Send-Verb $at 'receipt').state | Should -BeExactly 'done'
        [string]::Join(';', (Get-Effect)) | Should -BeExactly 'offload ReceiveSideScaling Disabled;set *FlowControl 3'
    }

    It 'finds out a driver that lies' {
        $global:Machine['Lies'] = $true
        $null = Send-Verb $at 'begin' @{ step = @((New-Element $flow '0' '3')) }
        $found = Send-Verb $at 'receipt'
        $found.state | Should -BeExactly 'started'
        $found.error | Should -Match 'reads 0 after it was set to 3'
    }

    It 'is not begun twice with different contents' {
        $global:Machine['Fails']['Set-NetAdapterAdvancedProperty'] = 'no'
        $null = Send-Verb $at 'begin' @{ step = @((New-Element $flow '0' '3')) }
        (Send-Verb $at 'begin' @{ step = @((New-Element $flow '0' '1')) }).reason | Should -BeExactly 'bad_request'
    }

    It 'is refused while another one is at work, and told as busy for itself' {
        $context = New-RunnerContext $at['script'] $at['folder']
        $held = Open-Lock $context['lock']
        try { (Send-Verb $at 'begin' @{ step = $step }).reason | Should -BeExactly 'busy' }
        finally { $held.Dispose() }
    }

    It 'answers from the disk where its task never runs' {
        $global:Machine['IsTaskLost'] = $true
        (Send-Verb $at 'begin' @{ step = $step }).state | Should -BeExactly 'none'
        @([IO.Directory]::GetFiles((Join-Path $at['folder'] 'work'))).Count | Should -Be 0
    }
}

Describe 'A step that was broken off' {
    BeforeEach {
        $at = New-Host
        $null = Send-Verb $at 'fence'
        $step = @((New-Element $flow '0' '3'), (New-Element $rss 'Enabled' 'Disabled'))
        $context = New-RunnerContext $at['script'] $at['folder']
        $begin = New-Asked $at 'begin' @{ step = $step; restart = 'adapter/001b21aabb01' }
        $asked = ConvertFrom-Json -InputObject (ConvertTo-StableJson $begin)
        $receipt = New-Receipt $asked (Read-EachValue @($flow, $rss) $context['table'])
        $receipt['mine'] = @($flow, $rss)
        $receipt['restart_state'] = 'owed'
    }

    It 'is resumed: what it had set stays, the rest is set, the owed restart is made' {
        Save-Receipt $context $receipt
        Set-NetAdapterAdvancedProperty -Name 'SAN1' -RegistryKeyword '*FlowControl' -RegistryValue '3'
        $global:Machine['Journal'].Clear()
        $null = Send-Verb $at 'begin' @{ step = $step; restart = 'adapter/001b21aabb01' }
        $found = Send-Verb $at 'receipt'
        $found.state | Should -BeExactly 'done'
        @($found.wrote).Count | Should -Be 2
        [string]::Join(';', (Get-Effect)) | Should -BeExactly 'offload ReceiveSideScaling Disabled;restart SAN1'
    }

    It 'is restarted again only where the adapter was not started anew: <received> bytes' -ForEach @(
        @{ received = 9000; restarts = 1 }, @{ received = 10; restarts = 0 }
    ) {
        $receipt['restart_state'] = 'begun'
        $receipt['restart_record'] = [ordered]@{ boot_id = ('5' * 32); begun_uptime_s = 900; received_bytes = [long]5000 }
        Save-Receipt $context $receipt
        Set-NetAdapterAdvancedProperty -Name 'SAN1' -RegistryKeyword '*FlowControl' -RegistryValue '3'
        Set-NetOffloadGlobalSetting -ReceiveSideScaling 'Disabled'
        $global:Machine['Journal'].Clear()
        $global:Machine['Received'] = [long]$received
        $null = Send-Verb $at 'begin' @{ step = $step; restart = 'adapter/001b21aabb01' }
        (Send-Verb $at 'receipt').restart | Should -BeExactly 'done'
        (Get-Effect).Count | Should -Be $restarts
    }

    It 'is a conflict where somebody else set a value meanwhile' {
        Save-Receipt $context $receipt
        Set-NetAdapterAdvancedProperty -Name 'SAN1' -RegistryKeyword '*FlowControl' -RegistryValue '1'
        $global:Machine['Journal'].Clear()
        (Send-Verb $at 'begin' @{ step = $step; restart = 'adapter/001b21aabb01' }).reason | Should -BeExactly 'conflict'
        (Get-Effect).Count | Should -Be 0
        (Send-Verb $at 'receipt').state | Should -BeExactly 'started'
    }

    It 'waits while an adapter does not come back, and says so' {
        $global:Machine['Adapters'][0].MediaConnectionState = 'Disconnected'
        $null = Send-Verb $at 'begin' @{ step = $step; restart = 'adapter/001b21aabb01' }
        $found = Send-Verb $at 'receipt'
        $found.state | Should -BeExactly 'started'
        $found.restart | Should -BeExactly 'begun'
        $found.error | Should -Match 'did not come back'
    }
}

Describe 'Taking back' {
    BeforeEach {
        $at = New-Host
        $null = Send-Verb $at 'fence'
        $step = @((New-Element $jumbo '1514' '9014'), (New-Element $rss 'Enabled' 'Disabled'))
        $null = Send-Verb $at 'begin' @{ step = $step; restart = 'adapter/001b21aabb01'; deadman_s = 300 }
    }

    It 'sets the inverse of what it wrote, restarts, and disarms' {
        $null = Send-Verb $at 'revert'
        $found = Send-Verb $at 'receipt'
        $found.state | Should -BeExactly 'reverted'
        $found.deadman | Should -BeExactly 'disarmed'
        $found.after.$jumbo | Should -BeExactly '1514'
        $effects = Get-Effect
        [string]::Join(';', $effects[3..5]) | Should -BeExactly 'set *JumboPacket 1514;offload ReceiveSideScaling Enabled;restart SAN1'
        (Send-Verb $at 'confirm').state | Should -BeExactly 'reverted'
        (Send-Verb $at 'begin' @{ step = $step; restart = 'adapter/001b21aabb01' }).state | Should -BeExactly 'reverted'
    }

    It 'leaves alone what somebody else set meanwhile' {
        Set-NetAdapterAdvancedProperty -Name 'SAN1' -RegistryKeyword '*JumboPacket' -RegistryValue '4088'
        $null = Send-Verb $at 'revert'
        $found = Send-Verb $at 'receipt'
        $found.state | Should -BeExactly 'done'
        $found.error | Should -Match 'somebody else'
        $found.after.$jumbo | Should -BeExactly '4088'
        $found.after.$rss | Should -BeExactly 'Enabled'
    }

    It 'knows nothing of an operation that it never saw' {
        $at['op'] = New-RandomHex 16
        (Send-Verb $at 'revert').state | Should -BeExactly 'none'
    }
}

Describe 'The dead-man' {
    BeforeEach {
        $at = New-Host
        $null = Send-Verb $at 'fence'
        $step = @((New-Element $rss 'Enabled' 'Disabled'))
        $null = Send-Verb $at 'begin' @{ step = $step; deadman_s = 300 }
        $context = New-RunnerContext $at['script'] $at['folder']
    }

    It 'stands before anything is set, and begins again with the host' {
        $journal = @($global:Machine['Journal'])
        $set = [Array]::IndexOf($journal, 'offload ReceiveSideScaling Disabled')
        [Array]::IndexOf($journal, 'task Plumbline dead') | Should -BeLessThan $set
        $task = @($global:Machine['Tasks'] | Where-Object { $_['name'] -clike 'Plumbline dead-man*' })[0]
        $task['at_boot'] | Should -BeTrue
        $task['argument'] | Should -Match $at['op']
    }

    It 'waits until its time, fires at it, or at once in another boot' {
        $receipt = Read-Receipt $context $at['op']
        Get-DeadManAction $receipt ('5' * 32) 1299 | Should -BeExactly 'wait'
        Get-DeadManAction $receipt ('5' * 32) 1300 | Should -BeExactly 'revert'
        Get-DeadManAction $receipt ('6' * 32) 5 | Should -BeExactly 'revert'
        Get-DeadManAction $null ('5' * 32) 1300 | Should -BeExactly 'nothing'
    }

    It 'sets back once, whatever fence and owner say, and goes' {
        [IO.File]::WriteAllText([IO.Path]::Combine([IO.Path]::GetDirectoryName($at['script']), 'observe-only'), '')
        $null = Send-Verb $at 'fence' @{ gen = 99 }
        $global:Machine['Uptime'] = [long]1400
        Invoke-DeadMan $context $at['op']
        Invoke-DeadMan $context $at['op']
        $found = Send-Verb $at 'receipt'
        $found.state | Should -BeExactly 'reverted'
        $found.deadman | Should -BeExactly 'fired'
        [string]::Join(';', (Get-Effect)) | Should -BeExactly 'offload ReceiveSideScaling Disabled;offload ReceiveSideScaling Enabled'
        $global:Machine['Removed'] -ccontains ('Plumbline dead-man ' + $at['op']) | Should -BeTrue
    }

    It 'does nothing once somebody confirmed in time' {
        (Send-Verb $at 'confirm').deadman | Should -BeExactly 'disarmed'
        $global:Machine['Uptime'] = [long]1400
        Invoke-DeadMan $context $at['op']
        (Send-Verb $at 'receipt').state | Should -BeExactly 'confirmed'
        (Get-Effect).Count | Should -Be 1
    }

    It 'is told to whoever confirms too late' {
        $global:Machine['Uptime'] = [long]1400
        Invoke-DeadMan $context $at['op']
        $found = Send-Verb $at 'confirm'
        $found.state | Should -BeExactly 'reverted'
        $found.deadman | Should -BeExactly 'fired'
    }

    It 'keeps other operations away as long as it stands' {
        $at['op'] = New-RandomHex 16
        $found = Send-Verb $at 'begin' @{ step = @((New-Element $flow '0' '3')) }
        $found.reason | Should -BeExactly 'busy'
        $found.error | Should -Match 'may still undo itself'
    }

    It 'is a task of SYSTEM that starts with the host' {
        $xml = [xml](New-RunnerTaskXml 'C:\Program Files\Plumbline\Plumbline-Runner.ps1' '-DeadMan ab -StateFolder "C:\A & B"' $true)
        $xml.Task.Principals.Principal.UserId | Should -BeExactly 'S-1-5-18'
        $xml.Task.Triggers.BootTrigger.Enabled | Should -BeExactly 'true'
        $xml.Task.Actions.Exec.Arguments | Should -Match 'A & B'
        New-RunnerTaskXml 'C:\x.ps1' '-Work ab' $false | Should -Match '<Triggers></Triggers>'
    }
}

Describe 'Settings' {
    BeforeEach {
        $at = New-Host
        $null = Send-Verb $at 'fence'
    }

    It '<setting> goes to <target> and back' -ForEach @(
        @{ setting = 'adapter/001b21aabb01/binding.ms_server'; seen = 'True'; target = 'False' }
        @{ setting = 'adapter/001b21aabb01/netbios'; seen = '0'; target = '2' }
        @{ setting = 'adapter/001b21aabb01/delayed_ack_registry'; seen = 'absent'; target = '1' }
        @{ setting = 'adapter/001b21aabb01/nagle_registry'; seen = 'absent'; target = '1' }
        @{ setting = 'host//tcp.chimney'; seen = 'Disabled'; target = 'Enabled' }
        @{ setting = 'host//tcp.auto_tuning'; seen = 'Normal'; target = 'Disabled' }
        @{ setting = 'tcp_template/DatacenterCustom/auto_tuning'; seen = 'Normal'; target = 'Restricted' }
        @{ setting = 'tcp_template/DatacenterCustom/delayed_ack_frequency'; seen = '2'; target = '1' }
        @{ setting = 'transport_filter/TCP,0-65535,3260-3260,*/template'; seen = 'absent'; target = 'DatacenterCustom' }
        @{ setting = 'host//qos.dcbx_willing'; seen = 'False'; target = 'True' }
        @{ setting = 'qos_policy/smb/rule'; seen = 'absent'; target = '445:3' }
        @{ setting = 'qos_class/smb/share'; seen = 'absent'; target = 'ets:50:3,5' }
        @{ setting = 'host//mpio.policy'; seen = 'RR'; target = 'LQD' }
    ) {
        $null = Send-Verb $at 'begin' @{ step = @((New-Element $setting $seen $target)) }
        $found = Send-Verb $at 'receipt'
        $found.error | Should -BeNullOrEmpty
        $found.state | Should -BeExactly 'done'
        $found.after.$setting | Should -BeExactly $target
        $null = Send-Verb $at 'revert'
        $found = Send-Verb $at 'receipt'
        $found.state | Should -BeExactly 'reverted'
        $found.after.$setting | Should -BeExactly $seen
    }
}
