// Names that look alike (SPEC.md part 4, Names). The whole table of UTS 39 has some 6,500 lines and this verifier takes no
// library for it; so the letters below are those of Greek, Cyrillic and Latin that look like an ASCII letter, and other
// scripts are compared by NFKC alone. So it may call two names different that the table calls alike.
// Nothing about a transcript depends on it.

const SAME = {
  a: "аɑα", A: "АΑ", B: "ВΒ", C: "СϹ", c: "сϲ", d: "ԁ", E: "ЕΕ", e: "е", F: "Ϝ", g: "ɡ", H: "НΗ", h: "һ", i: "іıιӏ", J: "ЈͿ", j: "јϳ",
  K: "КΚ", l: "I1|ІӀΙ", M: "МΜ", N: "Ν", O: "ОΟ0", o: "оοσ", P: "РΡ", p: "рρ", q: "ԛ", S: "Ѕ", s: "ѕ", T: "ТΤ", u: "υʋ", V: "Ѵ", v: "νѵ",
  w: "ԝѡ", W: "Ԝ", X: "ХΧ", x: "х", Y: "УΥҮ", y: "уγү", Z: "Ζ", rn: "m",
};
const PROTOTYPE = new Map(Object.entries(SAME).flatMap(([one, others]) => [...others].map((c) => [c, one])));

// JavaScript has no case folding. Up and down again character by character gives the same classes for all letters that
// have both cases, and does not turn a final sigma by its place in the word.
const fold = (text) => [...text].map((c) => [...c.toUpperCase()].map((d) => d.toLowerCase()).join("")).join("");

const plain = (name) => fold(name.normalize("NFKC")).normalize("NFKC").replaceAll(" ", "");
const skeleton = (text) => [...text.normalize("NFD")].map((c) => PROTOTYPE.get(c) ?? c).join("").normalize("NFD");
const skeletons = (name) => [name, plain(name), plain(name).toUpperCase()].map(skeleton);

export function alike(a, b) {
  if (plain(a) === plain(b)) return true;
  const of = new Set(skeletons(a));
  return skeletons(b).some((s) => of.has(s));
}
