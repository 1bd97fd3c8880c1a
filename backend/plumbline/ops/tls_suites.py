"""The cipher suites that the API offers at TLS 1.2, in the form of OpenSSL. Those of TLS 1.3 are OpenSSL's own and all modern.

Uvicorn's default ("TLSv1") leaves the suites with SHA-1 alone, those without authentication or encryption among them, and a hardened
Windows Server cannot connect. Authenticated encryption comes first. The last four, with SHA-256 and SHA-384, are for Windows Server 2012
and 2012 R2, which have no ECDHE-RSA suite with GCM (Microsoft, "TLS Cipher Suites in Windows 8.1").
"""

TLS_SUITES = ":".join(
    (
        "ECDHE-ECDSA-AES256-GCM-SHA384",
        "ECDHE-RSA-AES256-GCM-SHA384",
        "ECDHE-ECDSA-AES128-GCM-SHA256",
        "ECDHE-RSA-AES128-GCM-SHA256",
        "ECDHE-ECDSA-CHACHA20-POLY1305",
        "ECDHE-RSA-CHACHA20-POLY1305",
        "ECDHE-ECDSA-AES256-SHA384",
        "ECDHE-RSA-AES256-SHA384",
        "ECDHE-ECDSA-AES128-SHA256",
        "ECDHE-RSA-AES128-SHA256",
    )
)
