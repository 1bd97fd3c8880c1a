"""Credentials for hosts: written by people, sealed at once, opened only by the processes that hold the vault's private key (the
executor)."""

from plumbline.vault.service import NewSecret, SecretUnusable, VaultClosed, is_open, put_secret, replace_secret, reveal, stop_secret

__all__ = ["NewSecret", "SecretUnusable", "VaultClosed", "is_open", "put_secret", "replace_secret", "reveal", "stop_secret"]
