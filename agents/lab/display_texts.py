"""Display texts of German and Japanese hosts. Readers must never need them: that is what those hosts are for."""

_GERMAN = {
    "Flow Control": "Flusssteuerung",
    "Jumbo Packet": "Großrahmenpaket",
    "Receive Buffers": "Empfangspuffer",
    "Transmit Buffers": "Übertragungspuffer",
    "Interrupt Moderation": "Interruptdrosselung",
    "Receive Side Scaling": "Empfangsseitige Skalierung",
    "Large Send Offload V2 (IPv4)": "Auslagerung großer Sendevorgänge V2 (IPv4)",
    "Large Send Offload V2 (IPv6)": "Auslagerung großer Sendevorgänge V2 (IPv6)",
    "Enabled": "Aktiviert",
    "Disabled": "Deaktiviert",
    "Rx & Tx Enabled": "Rx & Tx aktiviert",
    "Tx Enabled": "Tx aktiviert",
    "Rx Enabled": "Rx aktiviert",
}
_JAPANESE = {
    "Flow Control": "フロー制御",
    "Jumbo Packet": "ジャンボ パケット",
    "Receive Buffers (0=Auto)": "受信バッファー (0=自動)",
    "Transmit Buffers (0=Auto)": "送信バッファー (0=自動)",
    "Interrupt Moderation": "割り込み加減",
    "Receive Side Scaling": "受信側スケーリング",
    "Enabled": "有効",
    "Disabled": "無効",
    "Rx & Tx Enabled": "Rx および Tx 有効",
    "Tx Enabled": "Tx 有効",
    "Rx Enabled": "Rx 有効",
    "Auto Negotiation": "自動ネゴシエーション",
}
_LANGUAGES = {"de": _GERMAN, "ja": _JAPANESE}
# LCID of the installed system, as Win32_OperatingSystem gives it.
OS_LANGUAGE = {"en": 1033, "de": 1031, "ja": 1041}


def display(text: str, language: str) -> str:
    """A display text in the host's language, or as it is where we have no other."""
    return _LANGUAGES.get(language, {}).get(text, text)
