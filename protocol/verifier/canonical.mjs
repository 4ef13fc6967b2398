// The canonical encoding (SPEC.md part 4): MessagePack in one form only. `decode` reads, counts items while it reads,
// encodes the value again and compares. Values: null, booleans, Numbers (BigInt where a Number would lose digits),
// text, Uint8Array, Array, and plain objects without a prototype for maps.

import { concat, compare, equal, utf8 } from "./bytes.mjs";

export class NotCanonical extends Error {}
const fail = (why) => { throw new NotCanonical(why); };

const MAX_DEPTH = 8;
const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

export function decode(bytes, maxItems = 1024) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0, items = 0;
  const take = (n) => {
    if (at + n > bytes.length) fail("cut off");
    at += n;
    return at - n;
  };
  const count = () => { if (++items > maxItems) fail("too many items"); };
  const unsigned = (size) => {
    const p = take(size);
    if (size === 1) return view.getUint8(p);
    if (size === 2) return view.getUint16(p);
    if (size === 4) return view.getUint32(p);
    return small(view.getBigUint64(p));
  };
  const signed = (size) => {
    const p = take(size);
    if (size === 1) return view.getInt8(p);
    if (size === 2) return view.getInt16(p);
    if (size === 4) return view.getInt32(p);
    return small(view.getBigInt64(p));
  };
  const text = (n) => {
    const p = take(n);
    try { return strict.decode(bytes.subarray(p, p + n)); } catch { return fail("no UTF-8"); }
  };
  const binary = (n) => { const p = take(n); return bytes.slice(p, p + n); };
  const list = (n, depth) => {
    if (depth > MAX_DEPTH) fail("nested too deep");
    count();
    const out = [];
    for (let i = 0; i < n; i++) { count(); out.push(value(depth + 1)); }
    return out;
  };
  const map = (n, depth) => {
    if (depth > MAX_DEPTH) fail("nested too deep");
    count();
    const out = Object.create(null);
    for (let i = 0; i < n; i++) {
      count();
      const key = value(depth + 1);
      if (typeof key !== "string") fail("a key that is no text");
      if (key in out) fail("a key twice");
      out[key] = value(depth + 1);
    }
    return out;
  };
  const value = (depth) => {
    const b = bytes[take(1)];
    if (b < 0x80) return b;
    if (b < 0x90) return map(b & 15, depth);
    if (b < 0xa0) return list(b & 15, depth);
    if (b < 0xc0) return text(b & 31);
    if (b >= 0xe0) return b - 256;
    switch (b) {
      case 0xc0: return null;
      case 0xc2: return false;
      case 0xc3: return true;
      case 0xc4: return binary(unsigned(1));
      case 0xc5: return binary(unsigned(2));
      case 0xc6: return binary(unsigned(4));
      case 0xcc: return unsigned(1);
      case 0xcd: return unsigned(2);
      case 0xce: return unsigned(4);
      case 0xcf: return unsigned(8);
      case 0xd0: return signed(1);
      case 0xd1: return signed(2);
      case 0xd2: return signed(4);
      case 0xd3: return signed(8);
      case 0xd9: return text(unsigned(1));
      case 0xda: return text(unsigned(2));
      case 0xdb: return text(unsigned(4));
      case 0xdc: return list(unsigned(2), depth);
      case 0xdd: return list(unsigned(4), depth);
      case 0xde: return map(unsigned(2), depth);
      case 0xdf: return map(unsigned(4), depth);
      default: return fail("a type that does not exist");
    }
  };
  const result = value(1);
  if (at !== bytes.length) fail("bytes behind the value");
  if (!equal(encode(result), bytes)) fail("not in the one form");
  return result;
}

const small = (n) => (n >= BigInt(Number.MIN_SAFE_INTEGER) && n <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(n) : n);

export function encode(value) {
  const parts = [];
  write(value, parts);
  return concat(...parts);
}

const isInteger = (v) => typeof v === "bigint" || (typeof v === "number" && Number.isInteger(v));

function write(value, parts) {
  if (value === null || value === undefined) parts.push(Uint8Array.of(0xc0));
  else if (value === false) parts.push(Uint8Array.of(0xc2));
  else if (value === true) parts.push(Uint8Array.of(0xc3));
  else if (isInteger(value)) parts.push(integer(BigInt(value)));
  else if (typeof value === "string") {
    const bytes = utf8(value), n = bytes.length;
    parts.push(n < 32 ? Uint8Array.of(0xa0 | n) : head(n, 0xd9, 0xda, 0xdb), bytes);
  } else if (value instanceof Uint8Array) parts.push(head(value.length, 0xc4, 0xc5, 0xc6), value);
  else if (Array.isArray(value)) {
    parts.push(value.length < 16 ? Uint8Array.of(0x90 | value.length) : head(value.length, null, 0xdc, 0xdd));
    for (const v of value) write(v, parts);
  } else if (typeof value === "object") {
    const keys = Object.keys(value).map((k) => [utf8(k), k]).sort((a, b) => compare(a[0], b[0]));
    parts.push(keys.length < 16 ? Uint8Array.of(0x80 | keys.length) : head(keys.length, null, 0xde, 0xdf));
    for (const [, k] of keys) { write(k, parts); write(value[k], parts); }
  } else fail("a value that does not exist");
}

function sized(type, size, n) {
  const out = new Uint8Array(1 + size);
  out[0] = type;
  for (let i = size; i >= 1; i--) { out[i] = Number(n & 255n); n >>= 8n; }
  return out;
}

function head(n, one, two, four) {
  if (one !== null && n < 256) return sized(one, 1, BigInt(n));
  return n < 65536 ? sized(two, 2, BigInt(n)) : sized(four, 4, BigInt(n));
}

function integer(n) {
  if (n >= 0n) {
    if (n < 128n) return Uint8Array.of(Number(n));
    if (n < 256n) return sized(0xcc, 1, n);
    if (n < 65536n) return sized(0xcd, 2, n);
    return n < 1n << 32n ? sized(0xce, 4, n) : sized(0xcf, 8, n);
  }
  if (n >= -32n) return Uint8Array.of(Number(n + 256n));
  if (n >= -128n) return sized(0xd0, 1, n & 255n);
  if (n >= -32768n) return sized(0xd1, 2, n & 65535n);
  return n >= -(1n << 31n) ? sized(0xd2, 4, n & 0xffffffffn) : sized(0xd3, 8, n & 0xffffffffffffffffn);
}

// Exactly these keys, no more and no fewer
export function hasFields(value, ...names) {
  if (value === null || typeof value !== "object" || Array.isArray(value) || value instanceof Uint8Array) return false;
  const keys = Object.keys(value);
  return keys.length === names.length && names.every((n) => n in value);
}

export const isMap = (v) => v !== null && typeof v === "object" && !Array.isArray(v) && !(v instanceof Uint8Array);
export const isBytes = (v, size) => v instanceof Uint8Array && (size === undefined || v.length === size);
export const isInt = (v, low, high) => isInteger(v) && v >= low && v <= high;
