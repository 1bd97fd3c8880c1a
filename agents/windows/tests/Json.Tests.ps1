# The JSON writer byte for byte, digests and the signature, under several cultures.
BeforeAll { . "$PSScriptRoot/../Plumbline-Agent.ps1" }

Describe 'The JSON writer' {
    It 'writes <name>' -ForEach @(
        @{ name = 'null'; value = $null; text = 'null' }
        @{ name = 'true'; value = $true; text = 'true' }
        @{ name = 'false'; value = $false; text = 'false' }
        @{ name = 'a whole number'; value = 1500; text = '1500' }
        @{ name = 'a negative number'; value = -1; text = '-1' }
        @{ name = 'the largest number the door reads'; value = [long]::MaxValue; text = '9223372036854775807' }
        @{ name = 'the speed of a port without link as text'; value = [uint64]::MaxValue; text = '"18446744073709551615"' }
        @{ name = 'an enumeration as text'; value = [DayOfWeek]::Friday; text = '"Friday"' }
        @{ name = 'a GUID as text'; value = [guid]'98094e00-0df1-485b-875c-9a00d9af2f75'; text = '"98094e00-0df1-485b-875c-9a00d9af2f75"' }
        @{ name = 'a fraction with a point'; value = 1.5; text = '1.5' }
        @{ name = 'not a number as null'; value = [double]::NaN; text = 'null' }
        @{ name = 'a decimal without an exponent'; value = [decimal]884120331008; text = '884120331008' }
        @{ name = 'quotes and backslashes'; value = 'a"b\c'; text = '"a\"b\\c"' }
        @{ name = 'line ends as four digits'; value = "a`r`nb`t"; text = '"a\u000d\u000ab\u0009"' }
        @{ name = 'DEL as four digits'; value = [string][char]127; text = '"\u007f"' }
        @{ name = 'an umlaut as four digits'; value = ('Gr' + [char]0xf6 + [char]0xdf + 'e'); text = '"Gr\u00f6\u00dfe"' }
        @{ name = 'the line separator'; value = [string][char]0x2028; text = '"\u2028"' }
        @{ name = 'a surrogate pair as two'; value = [char]::ConvertFromUtf32(0x1F600); text = '"\ud83d\ude00"' }
        @{ name = 'a lone high surrogate as U+FFFD'; value = ('a' + [char]0xd83d); text = '"a\ufffd"' }
        @{ name = 'a lone low surrogate as U+FFFD'; value = ([char]0xde00 + 'a'); text = '"\ufffda"' }
        @{ name = 'no NUL'; value = ('a' + [char]0 + 'b'); text = '"ab"' }
    ) {
        ConvertTo-StableJson $value | Should -BeExactly $text
    }

    It 'keeps empty and one-element lists' {
        $lists = [ordered]@{ none = @(); one = @('a'); two = @(1, 2) }
        ConvertTo-StableJson $lists | Should -BeExactly '{"none":[],"one":["a"],"two":[1,2]}'
    }

    It 'keeps the order of an ordered dictionary and sorts a plain one ordinally' {
        ConvertTo-StableJson ([ordered]@{ b = 1; a = 2 }) | Should -BeExactly '{"b":1,"a":2}'
        ConvertTo-StableJson @{ b = 1; _a = 2; B2 = 3 } | Should -BeExactly '{"B2":3,"_a":2,"b":1}'
    }

    It 'is not fooled by keys that are names of members' {
        ConvertTo-StableJson ([ordered]@{ Keys = 1; Count = 2; Values = 3 }) | Should -BeExactly '{"Keys":1,"Count":2,"Values":3}'
    }

    It 'refuses what contains itself' {
        $loop = @{}
        $loop['self'] = $loop
        { ConvertTo-StableJson $loop } | Should -Throw '*16 levels*'
    }

    It 'counts what it mended' {
        $script:Noted['nuls'] = 0
        $script:Noted['surrogates'] = 0
        $null = ConvertTo-StableJson @(('a' + [char]0), ('b' + [char]0xd800))
        $script:Noted['nuls'] | Should -Be 1
        $script:Noted['surrogates'] | Should -Be 1
    }

    It 'writes the same bytes under <_>' -ForEach 'de-DE', 'tr-TR', 'ar-SA', 'th-TH', 'fa-IR', 'fi-FI' {
        $before = [Threading.Thread]::CurrentThread.CurrentCulture
        try {
            [Threading.Thread]::CurrentThread.CurrentCulture = [Globalization.CultureInfo]$_
            $at = New-Object datetime(2026, 3, 2, 8, 15, 0, [DateTimeKind]::Utc)
            $value = [ordered]@{ I = 1234567; at = $at; share = 0.5; text = 'I' + [char]7 }
            ConvertTo-StableJson $value | Should -BeExactly '{"I":1234567,"at":"2026-03-02T08:15:00Z","share":0.5,"text":"I\u0007"}'
        }
        finally { [Threading.Thread]::CurrentThread.CurrentCulture = $before }
    }
}

Describe 'Rows' {
    It 'come in ordinal order, each once' {
        $rows = Get-OrderedRow @([ordered]@{ a = 'b' }, [ordered]@{ a = 'B' }, [ordered]@{ a = '_' }, [ordered]@{ a = 'b' })
        ConvertTo-StableJson $rows | Should -BeExactly '[{"a":"B"},{"a":"_"},{"a":"b"}]'
    }

    It 'leave out what a release does not have, and keep what is there and empty' {
        $row = Select-Plain ([pscustomobject]@{ A = 1; B = $null; D = 4 }) @('A', 'B', 'C')
        ConvertTo-StableJson $row | Should -BeExactly '{"A":1,"B":null}'
    }

    It 'make lists of text, whatever the system gave' {
        $names = @('One', 'Many', 'None', 'Members')
        $row = Select-Plain ([pscustomobject]@{ One = 5; Many = @(1, 2); None = $null; Members = @('b', 'a') }) $names $names
        ConvertTo-StableJson $row | Should -BeExactly '{"One":["5"],"Many":["1","2"],"None":[],"Members":["a","b"]}'
    }

    It 'keep objects inside them with all properties in ordinal order' {
        $row = Select-Plain ([pscustomobject]@{ Inner = [pscustomobject]@{ b = 1; A = @([pscustomobject]@{ z = 1; y = 2 }) } }) @('Inner')
        ConvertTo-StableJson $row | Should -BeExactly '{"Inner":{"A":[{"y":2,"z":1}],"b":1}}'
    }
}

Describe 'Digests and the signature' {
    It 'hashes as the standard says' {
        $bytes = [Text.Encoding]::ASCII.GetBytes('abc')
        Get-Sha256Hex $bytes | Should -BeExactly 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'
    }

    It 'signs method, path, identity, order, time, encoding and body' {
        # Worked out with Python's hmac and hashlib.
        $field = [ordered]@{
            host = '0123456789abcdef0123456789abcdef'; epoch = 3; seq = 42; id = 'ffeeddccbbaa99887766554433221100'; generation = 2
            sent_at = '2026-03-02T08:15:00Z'
        }
        $secret = '000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f'
        $wire = [Text.Encoding]::ASCII.GetBytes('wire bytes')
        Get-Signature $field $secret 'gzip' $wire | Should -BeExactly 'ed61920e5d667a4ecc18fdf4596cb1f543ba9423a0dc430d5324c4818767dad3'
    }

    It 'compresses to what gzip reads back' {
        $bytes = [Text.Encoding]::ASCII.GetBytes('x' * 5000)
        $packed = Compress-Bytes $bytes
        $packed.GetType().Name | Should -BeExactly 'Byte[]'
        $packed.Length | Should -BeLessThan 200
        $gzip = New-Object IO.Compression.GZipStream((New-Object IO.MemoryStream(, $packed)), [IO.Compression.CompressionMode]::Decompress)
        (New-Object IO.StreamReader($gzip)).ReadToEnd().Length | Should -Be 5000
    }

    It 'hashes a script alike with CRLF, LF and a signature block' {
        $path = Join-Path $TestDrive 'script.ps1'
        $end = [string][char]10
        $plain = 'a' + $end + 'b' + $end
        $signed = $plain + $end + '# SIG # Begin signature block' + $end + '# x' + $end
        $hashes = @(foreach ($text in @($plain, $plain.Replace($end, [char]13 + $end), $signed)) {
            [IO.File]::WriteAllText($path, $text)
            Get-ScriptHash $path
        })
        $hashes.Count | Should -Be 3
        @($hashes | Select-Object -Unique).Count | Should -Be 1
    }
}
