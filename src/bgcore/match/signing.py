"""Keys that sign records: Ed25519, whose public half everybody may have, and HMAC for who keeps a secret.

Ed25519 needs the package cryptography, ``pip install "bgcore[sign]"``; HMAC-SHA-256 needs nothing.

Signed are bytes: `CLOSING` and a closing line without its signature, or `ANCHOR` and the JSON of an anchor without its
signature.  So a signature for one can't be shown as one for the other.
"""

from __future__ import annotations

import hashlib
import hmac
from typing import TYPE_CHECKING, Any, Protocol

from bgcore.errors import FormatError

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

__all__ = ["ANCHOR", "CLOSING", "Ed25519Key", "Ed25519Signer", "HmacKey", "Signer", "Verifier", "read_key"]

CLOSING = b"bgcore record 1\0"
ANCHOR = b"bgcore anchor 1\0"


class Verifier(Protocol):
    """What can tell whether a signature is right."""

    algorithm: str
    """"ed25519" or "hmac-sha256"."""
    name: str
    """Which key: the public key of Ed25519, or a fingerprint of an HMAC key that tells nothing about it."""

    def check(self, message: bytes, signature: bytes) -> bool:
        """Whether the signature is this key's for these bytes."""
        ...


class Signer(Verifier, Protocol):
    """What can sign too."""

    def sign(self, message: bytes) -> bytes:
        """The signature of these bytes."""
        ...


class Ed25519Key:
    """The public half of an Ed25519 key.

    Parameters
    ----------
    public : bytes
        32 bytes.

    Raises
    ------
    ModuleNotFoundError
        The package cryptography is missing.
    FormatError
        Not a key.
    """

    algorithm = "ed25519"

    def __init__(self, public: bytes) -> None:
        module = _cryptography()
        if len(public) != 32:
            raise FormatError(f"a public Ed25519 key has 32 bytes, not {len(public)}")
        self._key = module.Ed25519PublicKey.from_public_bytes(public)
        self.name = public.hex()

    def __repr__(self) -> str:
        return f"Ed25519Key(bytes.fromhex({self.name!r}))"

    def check(self, message: bytes, signature: bytes) -> bool:
        """Whether the signature is this key's for these bytes."""
        from cryptography.exceptions import InvalidSignature

        try:
            self._key.verify(signature, message)
        except InvalidSignature:
            return False
        return True


class Ed25519Signer(Ed25519Key):
    """An Ed25519 key that can sign.

    Parameters
    ----------
    private : bytes
        32 bytes, to be kept secret.

    Raises
    ------
    ModuleNotFoundError
        The package cryptography is missing.
    FormatError
        Not a key.
    """

    def __init__(self, private: bytes) -> None:
        if len(private) != 32:
            raise FormatError(f"a private Ed25519 key has 32 bytes, not {len(private)}")
        self._private: Ed25519PrivateKey = _cryptography().Ed25519PrivateKey.from_private_bytes(private)
        super().__init__(self._private.public_key().public_bytes_raw())

    def __repr__(self) -> str:
        return f"<Ed25519Signer {self.name}>"  # not the secret

    @staticmethod
    def generate() -> Ed25519Signer:
        """A new key."""
        return Ed25519Signer(_cryptography().Ed25519PrivateKey.generate().private_bytes_raw())

    @property
    def private(self) -> bytes:
        """The 32 secret bytes."""
        return bytes(self._private.private_bytes_raw())

    @property
    def public(self) -> Ed25519Key:
        """The half that everybody may have."""
        return Ed25519Key(bytes.fromhex(self.name))

    def sign(self, message: bytes) -> bytes:
        """The signature of these bytes, 64 bytes."""
        return bytes(self._private.sign(message))


class HmacKey:
    """A secret that signs and checks: who can check can also forge.

    Parameters
    ----------
    key : bytes
        At least 16 bytes.

    Raises
    ------
    FormatError
        Shorter.
    """

    algorithm = "hmac-sha256"

    def __init__(self, key: bytes) -> None:
        if len(key) < 16:
            raise FormatError(f"an HMAC key has 16 bytes or more, not {len(key)}")
        self._key = key
        self.name = hashlib.sha256(b"bgcore key\0" + key).hexdigest()[:16]

    def __repr__(self) -> str:
        return f"<HmacKey {self.name}>"  # not the secret

    def check(self, message: bytes, signature: bytes) -> bool:
        """Whether the signature is this key's for these bytes."""
        return hmac.compare_digest(self.sign(message), signature)

    def sign(self, message: bytes) -> bytes:
        """The signature of these bytes, 32 bytes."""
        return hmac.digest(self._key, message, "sha256")


def read_key(text: str) -> Verifier:
    """A key as the command line takes it: ``ed25519:<64 digits>`` (public) or ``hmac:<hexadecimal digits>``.

    Raises
    ------
    FormatError
        It is none.
    ModuleNotFoundError
        The package cryptography is missing.
    """
    kind, _, digits = text.strip().partition(":")
    try:
        data = bytes.fromhex(digits)
    except ValueError:
        data = b""
    if data and kind == "ed25519":
        return Ed25519Key(data)
    if data and kind == "hmac":
        return HmacKey(data)
    raise FormatError("a key is ed25519:<64 hexadecimal digits> or hmac:<hexadecimal digits>")


def _cryptography() -> Any:
    """The module that has Ed25519."""
    try:
        from cryptography.hazmat.primitives.asymmetric import ed25519
    except ModuleNotFoundError:
        raise ModuleNotFoundError('Ed25519 needs cryptography; add it with:  pip install "bgcore[sign]"') from None
    return ed25519
