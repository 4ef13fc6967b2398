// Small helpers for byte strings: joining, comparing, hexadecimal, big-endian numbers, UTF-8.

export const concat = (...parts) => {
  const out = new Uint8Array(parts.reduce((n, p) => n + p.length, 0));
  let at = 0;
  for (const p of parts) { out.set(p, at); at += p.length; }
  return out;
};

export function compare(a, b) {
  const n = Math.min(a.length, b.length);
  for (let i = 0; i < n; i++) if (a[i] !== b[i]) return a[i] - b[i];
  return a.length - b.length;
}

export const equal = (a, b) => a.length === b.length && compare(a, b) === 0;

const HEX = Array.from({ length: 256 }, (_, b) => b.toString(16).padStart(2, "0"));
export function toHex(bytes) {
  let text = "";
  for (const b of bytes) text += HEX[b];
  return text;
}

export const fromHex = (text) => {
  const out = new Uint8Array(text.length / 2);
  for (let i = 0; i < out.length; i++) out[i] = parseInt(text.slice(2 * i, 2 * i + 2), 16);
  return out;
};

const encoder = new TextEncoder();
export const utf8 = (text) => encoder.encode(text);

// `size` bytes, big-endian, of a number below 2^53
export function bigEndian(number, size) {
  const out = new Uint8Array(size);
  let rest = BigInt(number);
  for (let i = size - 1; i >= 0; i--) { out[i] = Number(rest & 255n); rest >>= 8n; }
  return out;
}

export function numberBE(bytes) {
  let n = 0n;
  for (const b of bytes) n = (n << 8n) | BigInt(b);
  return n;
}

export function numberLE(bytes) {
  let text = "0x0";
  for (let i = bytes.length - 1; i >= 0; i--) text += HEX[bytes[i]];
  return BigInt(text);
}

export function littleEndian(number, size) {
  return fromHex(number.toString(16).padStart(2 * size, "0")).reverse();
}
