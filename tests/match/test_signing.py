"""Keys that sign records."""

from __future__ import annotations

import hashlib
import hmac
import sys

import pytest

import bgcore as bg
from bgcore.match.signing import Ed25519Key, Ed25519Signer, HmacKey, read_key

try:
    import cryptography
except ModuleNotFoundError:
    cryptography = None  # type: ignore[assignment]

needs_cryptography = pytest.mark.skipif(
    cryptography is None, reason="the extra `sign` is not installed; ci/test installs it where it can be had"
)
# RFC 8032, section 7.1, test 2
PRIVATE = bytes.fromhex("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb")
PUBLIC = "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c"
SIGNATURE = bytes.fromhex(
    "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb0"
    "0d291612bb0c00"
)


@needs_cryptography
def test_ed25519_is_that_of_the_rfc() -> None:
    signer = Ed25519Signer(PRIVATE)
    assert (signer.algorithm, signer.name, signer.private) == ("ed25519", PUBLIC, PRIVATE)
    assert signer.sign(b"\x72") == SIGNATURE
    for key in (signer, signer.public, Ed25519Key(bytes.fromhex(PUBLIC)), read_key(f"ed25519:{PUBLIC}")):
        assert key.check(b"\x72", SIGNATURE)
        assert not key.check(b"\x73", SIGNATURE)
        assert not key.check(b"\x72", SIGNATURE[:-1])
        assert not key.check(b"\x72", b"")
    assert not Ed25519Signer.generate().check(b"\x72", SIGNATURE)
    assert PRIVATE.hex() not in repr(signer)
    assert eval(repr(signer.public), {"Ed25519Key": Ed25519Key}).name == PUBLIC


@needs_cryptography
def test_keys_of_another_length() -> None:
    with pytest.raises(bg.FormatError, match="32 bytes"):
        Ed25519Key(bytes(31))
    with pytest.raises(bg.FormatError, match="32 bytes"):
        Ed25519Signer(bytes(33))


def test_without_cryptography(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cryptography.hazmat.primitives.asymmetric", None)
    for call in (lambda: Ed25519Key(bytes(32)), lambda: Ed25519Signer(bytes(32)), Ed25519Signer.generate):
        with pytest.raises(ModuleNotFoundError, match=r"bgcore\[sign\]"):
            call()


def test_hmac() -> None:
    key = HmacKey(b"0123456789abcdef")
    assert key.algorithm == "hmac-sha256"
    assert key.sign(b"x") == hmac.new(b"0123456789abcdef", b"x", hashlib.sha256).digest()
    assert key.check(b"x", key.sign(b"x"))
    assert not key.check(b"y", key.sign(b"x"))
    assert not HmacKey(b"0123456789abcdeX").check(b"x", key.sign(b"x"))
    assert key.name == read_key("hmac:" + b"0123456789abcdef".hex()).name != HmacKey(bytes(16)).name
    assert b"0123456789abcdef".hex() not in repr(key) + key.name
    with pytest.raises(bg.FormatError, match="16 bytes"):
        HmacKey(bytes(15))


@pytest.mark.parametrize("text", ["", "ed25519", "ed25519:", "hmac:xyz", "rsa:00", "0" * 64])
def test_keys_that_are_none(text: str) -> None:
    with pytest.raises(bg.FormatError, match="a key is"):
        read_key(text)
