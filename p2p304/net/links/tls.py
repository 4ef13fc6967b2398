"""TLS 1.3 with ephemeral self-signed certificates.

Responsible for certificates and contexts. TLS gives confidentiality and integrity. The identity of
the other end is proven by handshake.py, so no certificate is verified here.
"""

from __future__ import annotations

import datetime
import hashlib
import os
import ssl
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from p2p304.crypto.rng import Rng

if TYPE_CHECKING:
    from cryptography import x509


class NoCertificate(Exception):
    """The listener showed no certificate, so no identity can be bound to it."""


@dataclass(frozen=True, slots=True)
class Credentials:
    """A listener's context and the SHA-256 of its certificate (DER)."""

    server: ssl.SSLContext
    cert: bytes


def credentials() -> Credentials:
    """Make a fresh certificate, and a context that shows it."""
    rng = Rng.system()
    key = Ed25519PrivateKey.from_private_bytes(rng.child(b"certificate").bytes(32))
    certificate = _certificate(key)
    context = _context(ssl.PROTOCOL_TLS_SERVER)
    # No resumption: every connection must show the certificate.
    context.num_tickets = 0
    _load(context, certificate, key, rng.child(b"wrapping").bytes(32).hex().encode())
    der = certificate.public_bytes(serialization.Encoding.DER)
    return Credentials(context, hashlib.sha256(der).digest())


def client_context() -> ssl.SSLContext:
    """Return a context for dialling: takes any certificate, and TLS 1.3 only."""
    return _context(ssl.PROTOCOL_TLS_CLIENT)


def peer_certificate(tls: ssl.SSLObject) -> bytes:
    """Return the SHA-256 of the certificate that the listener showed; raises NoCertificate."""
    der = tls.getpeercert(binary_form=True)
    if not der:
        raise NoCertificate("the other end sent no certificate")
    return hashlib.sha256(der).digest()


def _certificate(key: Ed25519PrivateKey) -> x509.Certificate:
    """Make a certificate. Its dates are never checked, because clocks on a LAN are often wrong."""
    from cryptography import x509  # only a listener needs it

    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "p2p304")])
    return (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(datetime.datetime(2020, 1, 1, tzinfo=datetime.UTC))
        .not_valid_after(datetime.datetime(2100, 1, 1, tzinfo=datetime.UTC))
        .sign(key, None)
    )


def _context(protocol: int) -> ssl.SSLContext:
    context = ssl.SSLContext(protocol)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def _load(
    context: ssl.SSLContext, certificate: x509.Certificate, key: Ed25519PrivateKey, wrap: bytes
) -> None:
    """Load the key from a file, because OpenSSL takes keys from files only. Its owner alone can
    read the file; it is encrypted under a key that never leaves memory, and removed at once."""
    pem = certificate.public_bytes(serialization.Encoding.PEM) + key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.BestAvailableEncryption(wrap),
    )
    with tempfile.TemporaryDirectory(prefix="p2p304-") as folder:
        path = Path(folder) / "certificate.pem"
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "wb") as file:
            file.write(pem)
        context.load_cert_chain(path, password=wrap)
