# Runs the agent's file once on a host where it is not installed, and leaves nothing behind. It comes over standard input: one line with
# the SHA-256 of the rest and what the agent is to do, then the file. A child process prints straight to our standard output, so no console
# re-encodes the bytes.
# A host in constrained language allows none of what follows; this line is made of what it does allow. 5 is the agent's own code for it.
if ($ExecutionContext.SessionState.LanguageMode -ne 'FullLanguage') { '{"call": "constrained", "end": "plumbline"}'; exit 5 }
$ErrorActionPreference = 'Stop'; $ProgressPreference = 'SilentlyContinue'
$memory = New-Object IO.MemoryStream
([Console]::OpenStandardInput()).CopyTo($memory)
$all = $memory.ToArray()
$end = [Array]::IndexOf($all, [byte]10)
$order = [regex]::Match([Text.Encoding]::ASCII.GetString($all, 0, $end), '\A([0-9a-f]{64}) (-Show|-Watch ([0-9]{1,3}))\z')
if (-not $order.Success) { [Console]::Error.Write('plumbline: the order arrived damaged'); exit 90 }
$wanted = $order.Groups[1].Value
$seconds = 100 + [int]('0' + $order.Groups[3].Value)
$file = New-Object byte[] ($all.Length - $end - 1)
[Array]::Copy($all, $end + 1, $file, 0, $file.Length)
$found = [BitConverter]::ToString([Security.Cryptography.SHA256]::Create().ComputeHash($file)).Replace('-', '').ToLowerInvariant()
if ($found -cne $wanted) { [Console]::Error.Write('plumbline: the file arrived damaged'); exit 90 }
$path = [IO.Path]::Combine([IO.Path]::GetTempPath(), 'plumbline-' + [Guid]::NewGuid().ToString('N') + '.ps1')
$code = 91
try {
    [IO.File]::WriteAllBytes($path, $file)
    $start = New-Object Diagnostics.ProcessStartInfo
    $start.FileName = [IO.Path]::Combine($PSHOME, 'powershell.exe')
    $start.Arguments = '-NoProfile -NonInteractive -InputFormat None -ExecutionPolicy RemoteSigned -File "{0}" {1}' -f $path, $order.Groups[2].Value
    $start.UseShellExecute = $false; $start.RedirectStandardInput = $true
    $child = [Diagnostics.Process]::Start($start)
    $child.StandardInput.Close()
    if ($child.WaitForExit(1000 * $seconds)) { $code = $child.ExitCode } else { $child.Kill() }
}
finally { [IO.File]::Delete($path) }
exit $code
