# What a WinRM channel runs on a Windows host to send do-not-fragment pings: a fixed text. Standard input brings one line with the L3 size
# and then, for each ping, a line `SOURCE PORTAL`, both IPv4 addresses. Prints an outcome for each: ok, too_big, silent or not_run.
$ErrorActionPreference = 'Stop'; $ProgressPreference = 'SilentlyContinue'
$clock = [Diagnostics.Stopwatch]::StartNew()
function Write-End {
    param([string]$Word, [string[]]$Outcome)
    $list = @($Outcome | ForEach-Object { '"' + $_ + '"' }) -join ', '
    [Console]::Out.Write('{"call": "' + $Word + '", "outcomes": [' + $list + '], "end": "plumbline"}' + "`n"); [Console]::Out.Flush()
    [Environment]::Exit(0)
}
function Test-Echo {
    # ping.exe also ends with 0 when a router answers; only a true reply shows TTL=, which no language translates.
    param([string]$Source, [string]$Portal, [int]$Payload)
    $start = New-Object Diagnostics.ProcessStartInfo
    $start.FileName = [Environment]::SystemDirectory + '\PING.EXE'
    $start.Arguments = '-n 1 -w 500 -f -l {0} -S {1} {2}' -f $Payload, $Source, $Portal
    $start.UseShellExecute = $false; $start.RedirectStandardOutput = $true
    $child = [Diagnostics.Process]::Start($start)
    $said = $child.StandardOutput.ReadToEnd(); $child.WaitForExit()
    return ($child.ExitCode -eq 0 -and $said.IndexOf('TTL=', [StringComparison]::Ordinal) -ge 0)
}
$reader = New-Object IO.StreamReader([Console]::OpenStandardInput(), [Text.Encoding]::ASCII)
$line = @($reader.ReadToEnd().Split([char]10) | ForEach-Object { $_.Trim() } | Where-Object { $_ -cne '' })
$octet = '(?:25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])'
$pattern = '\A{0}(?:\.{0}){{3}} {0}(?:\.{0}){{3}}\z' -f $octet
if ($line.Count -lt 2 -or $line.Count -gt 129 -or -not [regex]::IsMatch($line[0], '\A[0-9]{3,5}\z')) { Write-End 'bad_request' @() }
$size = [int]$line[0]
$found = @(foreach ($pair in $line[1..($line.Count - 1)]) {
    if (-not [regex]::IsMatch($pair, $pattern)) { Write-End 'bad_request' @() }
    $part = $pair.Split(' ')
    # 20 bytes of IP and 8 of ICMP header make a payload an L3 size.
    if ($clock.ElapsedMilliseconds -gt 30000) { 'not_run' }
    elseif ((Test-Echo $part[0] $part[1] ($size - 28)) -or (Test-Echo $part[0] $part[1] ($size - 28))) { 'ok' }
    elseif (Test-Echo $part[0] $part[1] 56) { 'too_big' }
    else { 'silent' }
})
Write-End 'probed' $found
