"""TLS 1.3 with ephemeral self-signed certificates.

Owns certificates and contexts. TLS keeps strangers' eyes out and bytes whole; who is at the
other end is proven by handshake.py, so certificates are never judged here.
"""

from __future__ import annotations

import datetime
import hashlib
import os
import ssl
import tempfile
from dataclasses import dataclass

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec


@dataclass(frozen=True, slots=True)
class Credentials:
    """A listener's context and the SHA-256 of its certificate (DER)."""

    server: ssl.SSLContext
    cert: bytes


def credentials() -> Credentials:
    """A fresh certificate, valid for a year, known to nobody before; both live in memory."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "p2p304")])
    now = datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=365))
        .sign(key, hashes.SHA256())
    )
    pem = certificate.public_bytes(serialization.Encoding.PEM) + key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    context = _context(ssl.PROTOCOL_TLS_SERVER)
    _load(context, pem)
    der = certificate.public_bytes(serialization.Encoding.DER)
    return Credentials(context, hashlib.sha256(der).digest())


def client_context() -> ssl.SSLContext:
    return _context(ssl.PROTOCOL_TLS_CLIENT)


def peer_certificate(tls: ssl.SSLObject) -> bytes:
    """SHA-256 of the certificate that the listener showed (empty if it showed none)."""
    return hashlib.sha256(tls.getpeercert(binary_form=True) or b"").digest()


def _context(protocol: int) -> ssl.SSLContext:
    context = ssl.SSLContext(protocol)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def _load(context: ssl.SSLContext, pem: bytes) -> None:
    """OpenSSL takes keys from files only: one of mode 0600, removed at once."""
    handle, path = tempfile.mkstemp(prefix="p2p304-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(pem)
        context.load_cert_chain(path)
    finally:
        os.unlink(path)
