# What a WinRM channel runs on a Windows host to ask Plumbline's installed runner: a fixed text. Standard input brings two lines: the
# SHA-256 that the runner must have, and the request as base64. The runner is hashed and run from the same text.
$ErrorActionPreference = 'Stop'; $ProgressPreference = 'SilentlyContinue'
function Write-End {
    param([string]$Word)
    [Console]::Out.Write('{"call": "' + $Word + '", "end": "plumbline"}' + "`n"); [Console]::Out.Flush()
    [Environment]::Exit(0)
}
$reader = New-Object IO.StreamReader([Console]::OpenStandardInput(), [Text.Encoding]::ASCII)
$wanted = $reader.ReadLine()
$request = $reader.ReadLine()
$path = [IO.Path]::Combine([Environment]::GetFolderPath('ProgramFiles'), 'Plumbline', 'Plumbline-Runner.ps1')
if (-not [IO.File]::Exists($path)) { Write-End 'not_installed' }
$text = [Text.Encoding]::ASCII.GetString([IO.File]::ReadAllBytes($path)).Replace("`r`n", "`n")
$at = $text.IndexOf('# SIG # Begin signature block', [StringComparison]::Ordinal)
if ($at -ge 0) { $text = $text.Substring(0, $at) }
$text = $text.TrimEnd([char]10)
$bytes = [Text.Encoding]::ASCII.GetBytes($text)
$found = [BitConverter]::ToString([Security.Cryptography.SHA256]::Create().ComputeHash($bytes)).Replace('-', '').ToLowerInvariant()
if ($found -cne $wanted) { Write-End 'altered' }
& ([scriptblock]::Create($text)) -Request $request -Path $path
