<#
.SYNOPSIS
Runs the Pester suite of the Windows agent: pwsh -File agents/windows/tests/run.ps1. Needs PowerShell 7 and Pester 5, nothing else.
#>
param([string]$Path = $PSScriptRoot)
$ErrorActionPreference = 'Stop'
Import-Module -Name Pester -MinimumVersion 5.0.0 -ErrorAction Stop
$wanted = New-PesterConfiguration
$wanted.Run.Path = $Path
$wanted.Run.PassThru = $true
$wanted.Run.Exit = $false
$wanted.Output.Verbosity = 'Normal'
$result = $null
try { $result = Invoke-Pester -Configuration $wanted } catch { Write-Output $_.Exception.Message }
if ($null -eq $result -or $result.TotalCount -eq 0) {
    Write-Output '0 passed, 1 failed'                         # no test found is no success
    exit 1
}
$failed = $result.FailedCount + $result.FailedBlocksCount + $result.FailedContainersCount    # a file that does not parse is a container
Write-Output ('{0} total, {1} skipped, {2} not run' -f $result.TotalCount, $result.SkippedCount, $result.NotRunCount)
Write-Output ('{0} passed, {1} failed' -f $result.PassedCount, $failed)
exit [int]($failed -gt 0)
