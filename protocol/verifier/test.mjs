// node --test test.mjs: goes over every index of protocol/ and compares verdict and check (the indexes name no places).
// What is not implemented fails its test with these words; nothing is passed over in silence.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { audit, handsBegun } from "./audit.mjs";
import { concat, fromHex, littleEndian, toHex, utf8 } from "./bytes.mjs";
import { decode, encode } from "./canonical.mjs";
import { Stream } from "./crypto/stream.mjs";
import { judgeVector } from "./crypto/vectors.mjs";
import { agree, opensBox, sides } from "./crypto/two_party.mjs";
import * as rfc from "./crypto/rfc.mjs";
import { alike } from "./gathering/alike.mjs";
import { faultsOfGathering, judgeGathering, outcomeOfGathering } from "./gathering/judge.mjs";
import { listed, tableOf } from "./gathering/list.mjs";
import { bytesOrNull, gatheringReader, handshakeReader, honestGathering } from "./gathering/vectors.mjs";
import { judgeAsDialer, judgeAsListener } from "./handshake/judge.mjs";
import { digest } from "./hashes.mjs";
import { readBlocks } from "./log/container.mjs";
import { judgeEvidence, judgeEvidenceMessage } from "./log/evidence.mjs";
import { judgeMessage } from "./log/stray.mjs";
import { checkCertificate, checkWord, readWord } from "./log/parting.mjs";
import { isName } from "./names.mjs";
import { Refusal, Unreadable } from "./refusal.mjs";
import { checkOptions, VALUES } from "./rules/options.mjs";
import { readRecord } from "./rules/record.mjs";
import { accountName, accounts, seatName } from "./rules/table.mjs";
import { verifyBytes } from "./signatures.mjs";
import { checkContinues, earlierEnd } from "./table/continued.mjs";
import { contradictions } from "./table/contradiction.mjs";
import { floor, openClaims } from "./table/floor.mjs";
import { reviewed } from "./table/review_vectors.mjs";
import { Table } from "./table/table.mjs";

const here = new URL("../", import.meta.url);
const bytes = (path) => new Uint8Array(readFileSync(new URL(path, here)));
const json = (path) => JSON.parse(readFileSync(new URL(path, here), "utf8"));
const refusalOf = (run) => { try { run(); return null; } catch (e) { if (e instanceof Refusal) return e.check; throw e; } };

for (const v of json("labelled_hashes.json").hashes)
  test(`hash ${v.label}`, () => assert.equal(toHex(digest(v.label, ...v.parts.map(fromHex))), v.hash));
for (const v of json("labelled_hashes.json").signatures)
  test(`signature ${v.label}`, () => assert.ok(verifyBytes(fromHex(v.key), fromHex(v.message), fromHex(v.signature))));

for (const kind of ["dleq", "statements", "none-among", "shuffle"])
  for (const v of json(`vectors/crypto/${kind}.json`).vectors)
    test(`${kind}: ${v.name}`, () => assert.equal(judgeVector(kind, v), v.expect === "ok"));
for (const v of json("vectors/crypto/signatures.json").vectors)
  test(`signatures: ${v.name}`, () => assert.equal(verifyBytes(fromHex(v.key), fromHex(v.message), fromHex(v.signature)), v.expect === "ok"));
for (const v of json("vectors/crypto/sealed.json").vectors)
  test(`sealed: ${v.name}`, () => assert.equal(opensBox(v), v.expect === "ok"));
for (const { name, expect, ...run } of json("vectors/crypto/passphrase.json").vectors)
  test(`passphrase: ${name}`, () => {
    assert.deepEqual(sides(run), run);
    assert.equal(agree(run), expect === "ok");
  });
for (const [i, v] of json("vectors/crypto/rng.json").vectors.entries())
  test(`rng ${i}`, () => {
    const s = v.labels.length ? new Stream(fromHex(v.seed)).child(...v.labels.map(fromHex)) : new Stream(fromHex(v.seed));
    const drawn = { bytes: () => toHex(s.bytes(v.count)), scalar: () => toHex(littleEndian(s.scalar(), 32)), permutation: () => s.permutation(v.count) };
    assert.deepEqual(drawn[v.draw](), v.result);
  });
for (const name of ["rfc9496", "rfc9497", "rfc9380", "rfc8032"])
  test(name, () => rfc[name](json(`vectors/crypto/${name}.json`)));
for (const v of json("proofs.json"))
  test(`proof ${v.entry} ${v.word}`, () => assert.equal(judgeVector("", v), true));

test("options", () => {
  const { presets, refused } = json("presets.json");
  for (const [name, map] of Object.entries(presets)) {
    assert.equal(refusalOf(() => checkOptions(map)), null);
    for (const [option, values] of Object.entries(VALUES))
      for (const value of values)
        assert.equal(refusalOf(() => checkOptions({ ...map, [option]: value })), (refused[name][option] ?? []).includes(value) ? "A02" : null, `${name} ${option} ${value}`);
  }
});

for (const v of json("transcripts/index.json"))
  test(`transcript ${v.file}`, () => {
    const got = audit(bytes(`transcripts/${v.file}`));
    assert.deepEqual({ verdict: got.verdict, check: got.check }, { verdict: v.expect, check: v.check }, got.sentence);
    if ("place" in v) assert.deepEqual([got.place, got.who, got.rule], [v.place, v.player, v.rule]);
    if (v.tokens && (v.hands > 0 || got.table.match)) // with the agreement alone there is no match yet
      assert.deepEqual([handsBegun(got.table), got.table.match.tokens], [v.hands, v.tokens]);
  });

// The blocks of a row of derived.json: the first `places` of another file, and the rest
function derivedFrom({ from, places, rest }) {
  const whole = bytes(from), view = new DataView(whole.buffer, whole.byteOffset);
  let end = 8;
  for (let n = 0; n < places; n++) end += 4 + view.getUint32(end);
  return concat(whole.subarray(0, end), fromHex(rest));
}
const derived = json("derived.json");
for (const v of derived.transcripts)
  test(`derived ${v.from} ${v.comment}`, () => {
    const got = audit(derivedFrom(v));
    assert.deepEqual({ verdict: got.verdict, check: got.check }, { verdict: v.expect, check: v.check }, got.sentence);
    if ("place" in v) assert.deepEqual([got.place, got.who, got.rule], [v.place, v.player, v.rule]);
    else assert.deepEqual([handsBegun(got.table), got.table.match.tokens], [v.hands, v.tokens]);
  });
for (const v of derived.evidence)
  test(`derived evidence ${v.comment}`, () => {
    const map = encode({ first: fromHex(v.first), kind: v.kind, second: fromHex(v.second) }), log = derivedFrom(v);
    const got = judgeEvidence(concat(utf8("p2p304e\x01"), Uint8Array.of(0, 0, map.length >> 8, map.length & 255), map, log));
    assert.deepEqual({ verdict: got.verdict, check: got.check }, { verdict: v.expect, check: v.check }, got.sentence);
    if ("player" in v) assert.equal(got.who, v.player);
  });

for (const [file, lines] of Object.entries(json("phases.json").floors))
  test(`floors ${file}`, () => {
    const table = new Table(), got = [];
    for (const block of readBlocks(bytes(`transcripts/${file}`))) {
      const due = floor(table), seat = table.seatOf ? table.seatOf[due.player] : due.player;
      table.takeEntry(block.entry);
      const open = openClaims(table), claims = ["caps", "spoilt"].filter((c) => open[c].length).map((c) => ` ${c} ${open[c].join(" ")}`).join("");
      got.push(`${due.player} ${seat} ${due.kinds.join(" ")} |${claims}`);
      table.finish(block);
    }
    assert.deepEqual(got, lines);
  });

for (const v of json("review.json"))
  test(`review: ${v.comment}`, () => {
    const { options } = readRecord(v.record).game.hand, { breach, tokens } = reviewed(v);
    assert.deepEqual(breach && { seat: seatName(options, breach.seat), rule: breach.rule }, v.breach);
    if (v.tokens) assert.deepEqual(Object.fromEntries(accounts(options).map((a) => [accountName(options, a), tokens[a]])), v.tokens);
  });

test("a breach found at the count is told with the number of the hand, which a hand dealt again keeps", () => {
  const file = bytes("transcripts/spoilt.304"), { table } = audit(file);
  table.hands.push({ number: 2, breach: { seat: 0, rule: "follow.suit", sentence: "so" } });
  assert.equal(audit(file.subarray(0, 8), null, table).sentence, "hand 1: so (follow.suit)");
});

for (const v of json("evidence/index.json"))
  test(`evidence ${v.file}`, () => {
    const got = judgeEvidence(bytes(`evidence/${v.file}`));
    assert.deepEqual({ verdict: got.verdict, check: got.check }, { verdict: v.expect, check: v.check }, got.sentence);
    if ("player" in v) assert.equal(got.who, v.player);
  });

const replayed = (path) => audit(bytes(path)).table;
const wordTables = {};
for (const v of json("words/index.json"))
  test(`word ${v.file}`, () => {
    const table = (wordTables[v.context] ??= replayed(`words/${v.context}`));
    const certificate = v.certificate ? decode(bytes(`words/${v.certificate}`)).map(readWord) : [];
    assert.equal(refusalOf(() => checkWord(table, readWord(bytes(`words/${v.file}`)), certificate)), v.check);
  });
for (const v of json("certificates/index.json"))
  test(`certificate ${v.file}`, () => {
    const table = replayed("certificates/terms.304");
    assert.equal(refusalOf(() => checkCertificate(table, decode(bytes(`certificates/${v.file}`)).map(readWord))), v.check);
  });
for (const v of json("continued/index.json"))
  test(`continued ${v.file}`, () => assert.equal(refusalOf(() => checkContinues(replayed(`continued/${v.before}`), replayed(`continued/${v.file}`))), v.check));

test("of two ends that contradict each other, the one that a table names is the one it continues", () => {
  const ended = replayed("continued/ended.304"), verdict = { verdict: "sound" };
  const one = { table: ended, verdict }, two = { table: { T: ended.T, over: true, name: new Uint8Array(32) }, verdict };
  const { after } = replayed("continued/newcomer.304").terms;
  for (const judged of [[one, two], [two, one]]) assert.equal(earlierEnd(judged, after), one);
  assert.equal(earlierEnd([two], after), two);
  assert.equal(earlierEnd([], after), undefined);
});

const ofSeveral = {};
for (const { files, comment, status, continues, contradicts } of json("several/index.json"))
  test(`several: ${comment}`, () => {
    const judged = files.map((file) => {
      const { table, ...verdict } = (ofSeveral[file] ??= audit(bytes(`several/${file}`)));
      return { file, bytes: bytes(`several/${file}`), table, verdict };
    });
    const sound = judged.filter(({ verdict }) => verdict.verdict === "sound");
    const links = sound.filter(({ table }) => table.terms.after).map(({ file, table }) => {
      const before = earlierEnd(judged, table.terms.after);
      return { file, link: before ? (refusalOf(() => checkContinues(before.table, table)) ? "broken" : "holds") : "unknown" };
    });
    const found = [...contradictions(judged)];
    assert.deepEqual([links, found], [continues, contradicts]);
    assert.equal(sound.length < judged.length || found.length > 0 || links.some(({ link }) => link === "broken") ? 1 : 0, status);
  });

test("evidence told at a parted table holds under both of its names", () => {
  const table = replayed("words/played-out.304");
  for (const name of ["first", "second"]) {
    const file = bytes(`evidence/split-${name}-name.evidence`), size = new DataView(file.buffer).getUint32(8);
    assert.equal(judgeEvidenceMessage(file.slice(12, 12 + size), () => table), "L10", name);
  }
});

// What a spectator makes of a BLOCK, who has all of the file but its last block
function ofBlock(file, payload) {
  const table = new Table();
  for (const block of [...readBlocks(file)].slice(0, -1)) table.accept(block);
  try { return refusalOf(() => { for (const block of readBlocks(Uint8Array.of(...file.slice(0, 8), ...payload))) table.accept(block); }); } catch (e) {
    if (e instanceof Unreadable) return "unreadable";
    throw e;
  }
}

let context = null;
const LOBBY = 4;
for (const v of json("messages/index.json"))
  test(`message ${v.file}`, () => {
    const frame = bytes(`messages/${v.file}`);
    if (frame[0] === LOBBY) {
      const reader = gatheringReader(v, (file) => bytes(`messages/${file}`));
      if (v.outcome) assert.equal(outcomeOfGathering(reader, frame.slice(1)), v.outcome);
      return assert.deepEqual(faultsOfGathering(reader, frame.slice(1)), [v.check, v.then].filter(Boolean));
    }
    if (v.to === "spectator") return assert.equal(ofBlock(bytes("messages/context.304"), frame.slice(1)), v.unreadable ? "unreadable" : v.check);
    context ??= replayed("messages/context.304");
    assert.equal(judgeMessage(context, v, frame), v.check);
  });

for (const v of json("handshakes/index.json"))
  test(`handshake ${v.file}`, () => {
    const [reader, cert] = [handshakeReader(v.reader), fromHex(v.cert)];
    if (v.reader.role === "listener") return assert.equal(judgeAsListener(reader, cert, fromHex(v.hello)), v.check);
    assert.equal(judgeAsDialer(reader, cert, fromHex(v.greeting), bytesOrNull(v.answer)), v.check);
  });

test("gathering: an honest one is accepted", () => {
  for (const { reader, word, bytes } of honestGathering(json("presets.json").presets.pagat, ["Asha", "Bandu", "Chitra", "Dilan"]))
    assert.equal(judgeGathering(reader, bytes), null, word);
});

test("gathering: what is signed of a list", () => {
  const people = decode(fromHex(json("labelled_hashes.json").hashes.find((h) => h.label === "p2p304 list").parts[0]));
  const { people: guests, ...rest } = people;
  const list = { ...rest, t: "seated", sig: new Uint8Array(64), guests: guests.map((g) => ({ ...g, host: "h", port: 1 })) };
  assert.deepEqual(encode(listed(list)), encode(people));
});

test("gathering: the table that follows from a list", () => {
  const { parts, hash } = json("labelled_hashes.json").hashes.find((h) => h.label === "p2p304 table");
  const { players, v, ...rest } = decode(fromHex(parts[0]));
  const guests = players.map(({ pledge, ...who }) => ({ ...who, host: "h", port: 1 }));
  const list = { ...rest, t: "seated", opening: new Uint8Array(16), number: 1, sig: new Uint8Array(64), guests };
  assert.equal(toHex(tableOf(list, players.map((p) => p.pledge))), hash);
});

const { names, alike: pairs } = json("names.json");
for (const { comment, text, name } of names) test(`name: ${comment}`, () => assert.equal(isName(text), name));
for (const { comment, one, other, alike: are, table = false } of pairs)
  test(`alike: ${comment}`, { skip: table && "only the whole table of UTS 39 tells" }, () => {
    assert.equal(alike(one, other), are);
    assert.equal(alike(other, one), are);
  });
