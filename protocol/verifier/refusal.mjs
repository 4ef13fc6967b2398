// What a check says when it fails: the number of the check as SPEC.md counts them, a sentence, and, where a rule of the
// game refused (G01), the rule's identifier. Unreadable is for files that are no transcript (status 2).

export class Refusal extends Error {
  constructor(check, sentence, rule = null) {
    super(`${check}: ${sentence}`);
    this.check = check;
    this.sentence = sentence;
    this.rule = rule;
  }
}

export class Unreadable extends Error {}

// Thrown where this verifier cannot judge yet; never shown as "sound".
export class NotImplemented extends Error {}

export function need(condition, check, sentence, rule = null) {
  if (!condition) throw new Refusal(check, sentence, rule);
}
