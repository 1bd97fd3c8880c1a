# What a WinRM channel runs on a Windows host so that its own agent checks in now: a fixed text, nothing comes over standard input.
$ErrorActionPreference = 'Stop'; $ProgressPreference = 'SilentlyContinue'
$path = [IO.Path]::Combine([Environment]::GetFolderPath('ProgramFiles'), 'Plumbline', 'Plumbline-Agent.ps1')
$word = 'not_installed'
if ([IO.File]::Exists($path)) {
    $start = New-Object Diagnostics.ProcessStartInfo
    $start.FileName = [IO.Path]::Combine($PSHOME, 'powershell.exe')
    $start.Arguments = '-NoProfile -NonInteractive -InputFormat None -ExecutionPolicy RemoteSigned -File "{0}" -Once' -f $path
    $start.UseShellExecute = $false; $start.RedirectStandardInput = $true; $start.RedirectStandardOutput = $true
    $child = [Diagnostics.Process]::Start($start)
    $child.StandardInput.Close()
    $null = $child.StandardOutput.ReadToEndAsync()
    $word = 'not_delivered'
    if (-not $child.WaitForExit(100000)) { $child.Kill() } elseif ($child.ExitCode -eq 0) { $word = 'checked_in' }
}
[Console]::Out.Write('{"call": "' + $word + '", "end": "plumbline"}' + "`n"); [Console]::Out.Flush()
