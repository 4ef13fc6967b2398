// Judges a handshake from either side (SPEC.md part 4, Handshake): the number of the check that refuses it, or null.
// Version and role come before the other fields: a later version may have other fields, and a message that is reflected to its
// author has the fields of the author's role.

import { decode, encode, hasFields, isBytes, isInt, isMap } from "../canonical.mjs";
import { equal } from "../bytes.mjs";
import { isKey, verify } from "../signatures.mjs";
import { isName } from "../names.mjs";
import { need, Refusal } from "../refusal.mjs";

const LABEL = "p2p304 handshake";
const MAX_HELLO = 504;
const ROLES = ["dialer", "listener"];

function readHandshake(bytes, sender) {
  need(bytes !== null, "N01", "the handshake is broken off");
  need(bytes.length <= MAX_HELLO, "N01", "a message of the handshake is too long");
  let m;
  try { m = decode(bytes); } catch (error) { throw new Refusal("N01", error.message); }
  need(isMap(m), "N01", "no message of a handshake");
  need(m.v === 1, "N06", "the other speaks another version");
  need(m.role === sender || !ROLES.includes(m.role), "N02", "the other plays our own role");
  need(m.role === sender, "N01", "no role of a handshake");
  return m;
}

function checkGreeting(m) {
  need(hasFields(m, "nonce", "role", "v") && isBytes(m.nonce, 32), "N01", "a malformed greeting");
}

function checkIdentity(m) {
  need(isKey(m.key), "N01", "the key is no key");
  need(isName(m.nick), "N01", "the nickname cannot be shown");
  need(isInt(m.port, 0, 65535) && m.sig instanceof Uint8Array, "N01", "port or signature is malformed");
}

function checkHello(m) {
  need(hasFields(m, "key", "nick", "nonce", "port", "role", "sig", "v") && isBytes(m.nonce, 32), "N01", "a malformed hello");
  checkIdentity(m);
}

function checkAnswer(m) {
  need(!hasFields(m, "role", "v"), "N09", "the listener admits players of its table only");
  need(hasFields(m, "key", "nick", "port", "role", "sig", "v"), "N01", "a malformed answer");
  checkIdentity(m);
}

const checkOf = (run) => {
  try { run(); return null; } catch (error) {
    if (error instanceof Refusal) return error.check;
    throw error;
  }
};

// `cert` is the SHA-256 of the listener's certificate as the judging side sees it: TLS shows it to the dialer, so a man in the
// middle who ends TLS makes the two sides see two of them.
// `dialer`: {key, nonce, dialled: the key it expects, or null where only an address is known}
export const judgeAsDialer = (dialer, cert, greeting, answer) => checkOf(() => {
  const first = readHandshake(greeting, "listener");
  checkGreeting(first);
  need(!equal(first.nonce, dialer.nonce), "N03", "the other shows our own nonce");
  const m = readHandshake(answer, "listener");
  checkAnswer(m);
  need(!equal(m.key, dialer.key), "N03", "the other shows our own key");
  need(dialer.dialled === null || equal(m.key, dialer.dialled), "N04", "another player than the one that was dialled");
  const signed = { cert, dialer: dialer.key, dialer_nonce: dialer.nonce, listener: m.key, listener_nonce: first.nonce, role: "listener" };
  need(verify(m.key, LABEL, encode(signed), m.sig), "N05", "the listener's signature does not verify");
});

// `listener`: {key, nonce, admits}. It has dialled nobody, so N04 does not arise. Its own key comes last: the holder of that key
// has proven it, and may be told.
export const judgeAsListener = (listener, cert, hello) => checkOf(() => {
  const m = readHandshake(hello, "dialer");
  checkHello(m);
  need(!equal(m.nonce, listener.nonce), "N03", "the other shows our own nonce");
  const signed = { cert, dialer: m.key, dialer_nonce: m.nonce, listener_nonce: listener.nonce, role: "dialer" };
  need(verify(m.key, LABEL, encode(signed), m.sig), "N05", "the dialer's signature does not verify");
  need(listener.admits, "N09", "this listener does not admit the dialer");
  need(!equal(m.key, listener.key), "N03", "the other shows our own key");
});
