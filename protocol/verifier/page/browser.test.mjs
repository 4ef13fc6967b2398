// node --test page/browser.test.mjs: the page in a real browser (Chromium), opened from its file as people open it. CHROMIUM names
// the program, PAGE the file, FAIRNESS a page of `p2p304 fairness --html`, CONTRADICTING two transcripts of one table, parted by |.
// No request may leave the page, and nothing may be written to the console. PICTURES names a folder for the pictures that are taken.

import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { encode } from "../canonical.mjs";
import { bigEndian, concat } from "../bytes.mjs";
import en from "./lang/en.mjs";
import si from "./lang/si.mjs";
import ta from "./lang/ta.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const PAGE = process.env.PAGE ?? here("../../../p2p304/offline/verifier.html");
const CHROMIUM = process.env.CHROMIUM ?? ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
const protocol = (path) => here(`../../${path}`);
const rows = (folder) => JSON.parse(readFileSync(protocol(`${folder}/index.json`), "utf8"));
// Long enough that no computer is through before a person, or this test, presses stop
const LONG = Array.from({ length: 12 }, (_, i) => ({ name: `long-${i}.304`, mimeType: "", buffer: readFileSync(protocol("transcripts/gathered.304")) }));

let browser, page, faults = [];

before(async () => {
  browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox", "--disable-dev-shm-usage"] });
  page = await opened(PAGE);
});
after(() => browser.close());

async function opened(file, more = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: "en", ...more });
  const made = await context.newPage();
  const url = pathToFileURL(file).href;
  made.on("request", (r) => { if (r.url() !== url && !/^(blob|data):/.test(r.url())) faults.push(`request: ${r.url()}`); });
  made.on("console", (m) => faults.push(`console: ${m.text()}`));
  made.on("pageerror", (e) => faults.push(`error: ${e.message}`));
  made.on("dialog", (d) => { faults.push(`dialog: ${d.message()}`); d.dismiss(); });
  await made.goto(url);
  return made;
}

const done = (p = page) => p.waitForSelector("body[data-state=done]", { timeout: 20000 });
async function judged(files, p = page) {
  await p.setInputFiles("#file", files);
  await done(p);
}
const verdicts = (p = page) => p.$$eval(".verdict", (list) => list.map((v) => ({ ...v.dataset, text: v.innerText })));

// A drop as the browser gives it
const drop = (name, bytes) => page.evaluate(([name, base64]) => {
  const transfer = new DataTransfer();
  transfer.items.add(new File([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], name));
  document.body.dispatchEvent(new DragEvent("dragover", { dataTransfer: transfer, bubbles: true, cancelable: true }));
  document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
}, [name, bytes.toString("base64")]);

test("the three languages have the same words", () => {
  for (const other of [si, ta]) {
    assert.deepEqual(Object.keys(other).sort(), Object.keys(en).sort());
    for (const key of Object.keys(en)) assert.deepEqual(other[key].match(/\{\w+\}/g)?.sort(), en[key].match(/\{\w+\}/g)?.sort(), key);
  }
});

test("it opens in the language for which it was made, and the reader can choose another", async () => {
  const folder = mkdtempSync(join(tmpdir(), "p2p304-"));
  const made = join(folder, "made.html");
  writeFileSync(made, readFileSync(PAGE, "utf8").replace('<html lang="en">', '<html lang="en" data-language="ta">'));
  const p = await opened(made, { locale: "si" });
  const shown = async () => [await p.getAttribute("html", "lang"), await p.inputValue("#language"), await p.textContent("h1")];
  assert.deepEqual(await shown(), ["ta", "ta", ta.title]);
  await p.selectOption("#language", "en");
  assert.deepEqual(await shown(), ["en", "en", en.title]);
  await p.goto(pathToFileURL(PAGE).href);
  assert.deepEqual(await shown(), ["si", "si", si.title]);
  await p.context().close();
  rmSync(folder, { recursive: true });
  faults = faults.filter((fault) => fault !== `request: ${pathToFileURL(PAGE).href}`); // this test itself went there
});

test("it can be used with keys alone, and its controls have names", async () => {
  const names = [];
  for (let i = 0; i < 3; i++) {
    await page.keyboard.press("Tab");
    names.push(await page.evaluate(() => document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent));
  }
  assert.deepEqual(names, [en.skip, en.choose_language, en.choose_file]);
  assert.equal(await page.getAttribute("html", "lang"), "en");
  assert.deepEqual(await page.$$eval("header, main, footer, h1", (list) => list.map((e) => e.tagName)), ["HEADER", "H1", "MAIN", "FOOTER"]);
});

test("a sound file that is dropped", async () => {
  await drop("closed.304", readFileSync(protocol("transcripts/closed.304")));
  await done();
  const [v] = await verdicts();
  assert.equal(v.verdict, "sound");
  assert.match(v.text, /Sound/);
  assert.match(await page.textContent("#live"), /closed\.304: Verdict: Sound/);
  assert.equal(await page.textContent(".code strong"), "TLM-8DY");
  assert.equal(await page.locator(".trick").count(), 8);
  assert.equal(await page.locator(".held .card").count(), 32);
  assert.match(await page.textContent(".hand"), /failed 190 with 141 points\./);
  assert.match(await page.getAttribute(".bar", "aria-label"), /Bid 190, made 141 of 304 points/);
});

test("a hand that is dealt again keeps its number, as in p2p304 audit", async () => {
  await judged(protocol("transcripts/spoilt.304"));
  assert.deepEqual(await page.$$eval(".hand-number", (list) => list.map((e) => e.textContent)), ["Hand 1", "Hand 1, dealt again (deal 2)"]);
  await judged(protocol("transcripts/closed.304"));
});

test("a fact leads to the entry that proves it, and the entry to its bytes", async () => {
  await page.click(".cross .down a");
  const entry = page.locator(".entry[open]");
  assert.match(await entry.locator("summary").first().textContent(), /plays a card face down/);
  assert.equal(await page.evaluate(() => document.activeElement.parentElement.classList.contains("entry")), true);
  const text = await entry.textContent();
  for (const words of ["follow", "P09", "Logarithms that differ", "M(", "X1 = u·", "L06 to L12: 3 receipts"]) assert.ok(text.includes(words), words);
  await entry.locator(".raw summary").click();
  assert.match(await entry.locator(".raw pre").textContent(), /^00000 {2}88 a6 61 75 74 68 6f 72/);
});

test("every fact that is told has a link to its entry, and each link leads somewhere", async () => {
  await judged(protocol("transcripts/played-out.304"));
  for (const fact of [".verdict p:not(.quiet)", ".players > p:first-of-type", ".code p:first-child", ".people caption", ".trick figcaption", ".said li", ".hand section:last-of-type p"]) {
    const without = await page.$$eval(fact, (list) => list.filter((one) => !one.querySelector("a.ref")).map((one) => one.textContent));
    assert.deepEqual([await page.locator(fact).count() > 0, without], [true, []], fact);
  }
  await judged(protocol("transcripts/closed.304"));
  assert.match(await page.getAttribute(".winner a.ref", "href"), /e67$/);
  const places = await page.$$eval("a[data-entry]", (list) => [...new Set(list.map((one) => one.dataset.entry))]);
  for (const place of places) {
    await page.locator(`a[data-entry="${place}"]`).first().evaluate((one) => one.click());
    assert.equal(await page.evaluate(() => document.activeElement.parentElement.dataset.seq), place);
  }
  const levels = await page.$$eval("main :is(h2, h3, h4, h5, h6)", (list) => list.map((one) => Number(one.tagName[1])));
  assert.ok(levels.every((level, i) => i === 0 || level <= levels[i - 1] + 1), `${levels}`);
});

test("the longest proof is shown whole, with what the verifier computed", async () => {
  await judged(protocol("transcripts/exhausted.304"));
  const place = await page.$$eval(".said li", (list) => list.find((one) => one.textContent.includes("plays closed trump")).querySelector("a").dataset.entry);
  await page.locator(`.said a[data-entry="${place}"]`).click();
  const stuck = await page.locator(".entry[open] .proof", { hasText: "stuck" }).locator("pre").textContent();
  assert.equal(stuck.split("AnyOf").length - 1, 4);
  assert.ok(!stuck.includes("…\n") && stuck.includes("no P_k is a Q_i") && stuck.includes("c = H("), stuck);
});

test("a cheat: verdict, place, check and player of the index", async () => {
  const row = rows("transcripts").find((r) => r.file === "P09.304");
  await judged(protocol(`transcripts/${row.file}`));
  const [v] = await verdicts();
  assert.deepEqual([v.verdict, v.check, v.place, v.who], ["not sound", row.check, String(row.place), String(row.player)]);
  assert.match(v.text, /Not sound[^]*At entry 13 ?, check P09 fails[^]*must prove to have no card of it[^]*The signature of Asha \(Seat 2\) proves this fault/);
  await page.click(".verdict a.ref");
  assert.match(await page.locator(".entry[open] summary .state").first().textContent(), /refused/);
  assert.match(await page.textContent(".entry[open] .proof .refused"), /does not hold/);
});

test("two signatures that exclude each other prove no intent", async () => {
  for (const name of ["fork", "split", "part", "words"]) {
    await judged(protocol(`evidence/${name}.evidence`));
    const [v] = await verdicts();
    assert.equal(v.verdict, "proven", name);
    assert.ok(v.text.includes(en.fork_note), name);
  }
  await judged(protocol("evidence/false.evidence"));
  assert.ok(!(await verdicts())[0].text.includes(en.fork_note));
});

test("evidence, and bytes that are nothing", async () => {
  const file = (name, bytes) => ({ name, mimeType: "", buffer: Buffer.from(bytes) }), evidence = (name) => file(name, readFileSync(protocol(`evidence/${name}`)));
  await judged([evidence("false.evidence"), evidence("claimless.evidence"), file("noise.304", "no transcript"), file("short.evidence", "p2p304e\x01"), file("empty.304", ""), file("cut.304", readFileSync(protocol("transcripts/good.304")).subarray(0, 30000))]);
  const found = await verdicts();
  assert.deepEqual(found.map((v) => v.verdict), ["proven", "nothing", "unreadable", "nothing", "unreadable", "unreadable"]);
  assert.match(found[0].text, /proves a fault of Asha \(Seat 2\)\. Check P09/);
  assert.match(found[2].text, /says nothing about anybody's honesty/);
  assert.match(found[5].text, /breaks off or is damaged after entry 15\..*Ask another player/);
  assert.equal(await page.locator(".summary li").count(), 6);
  assert.match(await page.locator(".file").first().locator(".proof .refused").textContent(), /does not hold/);
});

test("two files of which one goes on from the other", async () => {
  await judged([protocol("continued/ended.304"), protocol("continued/good.304"), protocol("continued/richer.304")]);
  assert.deepEqual(await page.$$eval("[data-continued]", (list) => list.map((e) => e.dataset.continued)), ["ok", "A05"]);
  assert.deepEqual((await verdicts()).map((v) => v.verdict), ["sound", "sound", "not sound"]);
});

test("two files of one table that contradict each other", { skip: !process.env.CONTRADICTING }, async () => {
  await judged(process.env.CONTRADICTING.split("|"));
  assert.deepEqual((await verdicts()).map((v) => v.verdict), ["sound", "sound"]);
  const said = await page.$$eval("[data-contradiction]", (list) => list.map((e) => e.innerText));
  assert.equal(said.length, 2, "above all files, and in the later one");
  for (const nick of ["Asha", "Bandu", "Chitra", "Dilan"]) assert.ok(said[0].includes(nick), said[0]);
  assert.match(said[1], /contradict each other at entry [0-9]+\..*L11.*L10/s);
});

test("a file that ends without a player, and one in which the others went on with that player", async () => {
  await judged([protocol("several/without-2.304"), protocol("several/played-on.304")]);
  const said = await page.$$eval("[data-contradiction]", (list) => list.map((e) => e.innerText));
  assert.match(said[1], /Asha \(West\), Bandu \(North\), Dilan \(South\) signed to go on without a player, and went on with them \(E06\)/);
});

test("several sound files: fairness in numbers, reached with keys", async () => {
  await judged([protocol("transcripts/good.304"), protocol("transcripts/closed.304")]);
  await page.focus(".fairness > summary");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".fairness table");
  await page.setViewportSize({ width: 360, height: 740 });
  for (const [code, words] of [["ta", ta], ["si", si], ["en", en]]) {
    await page.selectOption("#language", code);
    assert.equal(await page.textContent(".fairness > summary"), words.fairness);
    await page.click(".fairness > summary");
    await page.waitForSelector(".fairness table");
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= 360, code);
  }
  await page.setViewportSize({ width: 1280, height: 900 });
  const tables = await page.$$eval(".fairness table", (list) => list.map((one) => `${one.dataset.of} ${one.dataset.by} ${one.querySelectorAll("tbody tr").length}`));
  assert.deepEqual(tables, ["place", "seat"].flatMap((by) => ["J", "9", "S", "H", "D", "C"].map((of) => `${of} ${by} 4`)));
  const text = await page.textContent(".fairness");
  for (const words of ["Tables: 2. Hands dealt: 2; seen: 2.", "Too few hands for bands: 40 are needed.", "A count within its band proves nothing."]) assert.ok(text.includes(words), words);
  assert.equal((await page.$$eval('[data-of="J"][data-by="seat"] td:nth-child(3)', (cells) => cells.map((c) => Number(c.textContent)))).reduce((a, b) => a + b), 8);
  assert.equal(await page.$$eval(".fairness svg", (list) => list.every((one) => one.getAttribute("aria-hidden") === "true")), true);
  await judged(protocol("transcripts/good.304"));
  assert.equal(await page.locator(".fairness").count(), 0);
  const winner = await page.textContent(".winner");
  assert.ok(winner.startsWith(en.hands_played) && /finished ahead\. [0-9]+$/.test(winner), winner);
});

test("where a game counts in tenths, so does every figure of a hand", async () => {
  await judged(protocol("transcripts/tenths.304"));
  assert.match(await page.textContent(".said"), /bids [1-3]\.[0-9] /);
  assert.match(await page.getAttribute(".bar", "aria-label"), /^Bid [1-3]\.[0-9], made [0-9]+\.[0-9] of 30\.4 points$/);
  const tricks = await page.$$eval(".trick figcaption", (list) => list.map((one) => Number(/([0-9.]+) points/.exec(one.textContent)[1])));
  assert.ok(Math.abs(tricks.reduce((a, b) => a + b) - 30.4) < 0.01, `${tricks}`);
  assert.match(await page.textContent(".winner"), /Games won: .*1/);
  await page.$$eval("details", (all) => all.forEach((one) => { one.open = true; }));
  const said = await page.$$eval(".entry .did", (list) => list.map((one) => one.textContent).filter((one) => /[0-9]/.test(one) && one.startsWith("says")));
  assert.ok(said.length > 0 && said.every((one) => /[1-3]\.[0-9]$/.test(one)), `${said}`);
});

test("the bar moves, the page answers, and stop stops", async () => {
  await page.setInputFiles("#file", LONG);
  await page.waitForFunction(() => document.getElementById("bar").value > 0);
  const first = await page.$eval("#bar", (b) => b.value / b.max);
  await page.waitForFunction((was) => document.getElementById("bar").value / document.getElementById("bar").max > was, first);
  await page.selectOption("#language", "ta");
  assert.equal(await page.textContent("#stop"), ta.stop);
  await page.selectOption("#language", "en");
  assert.equal(page.workers().length, 1);
  await page.click("#stop");
  await page.waitForFunction(() => document.body.dataset.state === "done");
  const last = (await verdicts()).at(-1);
  assert.deepEqual([last.verdict, last.text.includes(en.stopped)], ["stopped", true]);
  // Chromium gives a busy worker two seconds to end by itself
  for (let i = 0; i < 50 && page.workers().length > 0; i++) await page.waitForTimeout(100);
  assert.equal(page.workers().length, 0);
});

test("a hostile file puts nothing into the page", async () => {
  const evil = "<img src=x onerror=alert(1)>\u202e", terms = { v: 1, name: evil, hands: 1, players: [{ nick: evil }], rules: { [evil]: evil } };
  const entry = encode({ author: 0, body: { assents: [], terms }, kind: "agreement", prev: new Uint8Array(32), seq: 0, sig: new Uint8Array(64), table: new Uint8Array(32), v: 1 });
  const block = encode({ entry, receipts: [] });
  const file = concat(Uint8Array.of(0x70, 0x32, 0x70, 0x33, 0x30, 0x34, 0, 1), bigEndian(block.length, 4), block);
  await judged({ name: `${evil}.304`, mimeType: "", buffer: Buffer.from(file) });
  assert.equal((await verdicts())[0].verdict, "not sound");
  await page.click(".verdict a.ref");
  assert.equal(await page.locator("img").count(), 0);
  assert.ok((await page.textContent(".entry[open]")).includes(evil));
  assert.equal(await page.$eval("h2 bdi", (e) => e.textContent), `${evil}.304`);
});

test("a file that was put into the page is judged at once", async () => {
  const folder = mkdtempSync(join(tmpdir(), "p2p304-page-"));
  try {
    const file = join(folder, "report.html"), bytes = readFileSync(protocol("transcripts/lost.304"));
    const script = `<script type="application/octet-stream" id="embedded" data-name="lost.304">${bytes.toString("base64")}</script>`;
    writeFileSync(file, readFileSync(PAGE, "utf8").replace("<!-- embedded file -->", () => script));
    const report = await opened(file);
    await done(report);
    assert.deepEqual((await verdicts(report)).map((v) => v.verdict), ["sound"]);
    assert.match(await report.textContent(".verdict"), /ended the table without Chitra/);
    assert.equal(await report.title(), "Sound: lost.304, p2p304");
    const [saved] = await Promise.all([report.waitForEvent("download"), report.click("a[download]")]);
    assert.deepEqual([saved.suggestedFilename(), readFileSync(await saved.path())], ["lost.304", bytes]);
    await report.context().close();
  } finally { rmSync(folder, { recursive: true }); }
});

test("on a telephone, in each language and on paper", async () => {
  const phone = await opened(PAGE, { viewport: { width: 360, height: 740 }, locale: "ta", colorScheme: "dark" });
  assert.equal(await phone.textContent("h1"), ta.title);
  await judged(protocol("transcripts/half-court.304"), phone);
  for (const [code, words] of [["ta", ta], ["si", si], ["en", en]]) {
    await phone.selectOption("#language", code);
    assert.equal(await phone.textContent(".verdict h3"), `✓ ${words.sound}`);
    assert.ok(await phone.evaluate(() => document.documentElement.scrollWidth) <= 360, code);
    const nicks = await phone.$$eval(".people tbody th bdi", (list) => list.map((one) => [one.textContent, one.getClientRects().length]));
    assert.ok(nicks.every(([, lines]) => lines === 1), `${code}: ${nicks}`);
  }
  await phone.emulateMedia({ media: "print" });
  assert.equal(await phone.isVisible("#choose"), false);
  assert.equal(await phone.isVisible(".verdict"), true);
  assert.equal(await phone.isVisible(".trick"), true);
  await phone.context().close();
});

// The share of a picture (a PNG) in each of these colours, "rgb(r, g, b)", within four steps of each part
async function shares(png, colours) {
  const blank = await browser.newPage();
  try {
    return await blank.evaluate(async ([source, wanted]) => {
      const image = new Image();
      image.src = source;
      await image.decode();
      const canvas = Object.assign(document.createElement("canvas"), { width: image.width, height: image.height }), context = canvas.getContext("2d");
      context.drawImage(image, 0, 0);
      const { data } = context.getImageData(0, 0, image.width, image.height);
      return wanted.map((colour) => {
        const [r, g, b] = colour.match(/[0-9]+/g).map(Number);
        let found = 0;
        for (let i = 0; i < data.length; i += 4) found += Math.max(Math.abs(data[i] - r), Math.abs(data[i + 1] - g), Math.abs(data[i + 2] - b)) <= 4;
        return found / (data.length / 4);
      });
    }, [`data:image/png;base64,${png.toString("base64")}`, colours]);
  } finally { await blank.close(); }
}

test("pictures of a match by day, at night and on paper show verdict, cards and crosses", async () => {
  const looks = { day: {}, night: { colorScheme: "dark" }, telephone: { viewport: { width: 360, height: 740 } }, paper: {} };
  for (const [name, more] of Object.entries(looks)) {
    const made = await opened(PAGE, more);
    if (name === "paper") await made.emulateMedia({ media: "print" });
    await made.setInputFiles("#file", protocol("transcripts/good.304"));
    await done(made);
    const shown = async (where, property) => {
      const part = made.locator(where).first();
      await part.scrollIntoViewIfNeeded();
      return [await part.screenshot(), await part.evaluate((e, property) => getComputedStyle(e)[property], property)];
    };
    const [verdict, green] = await shown(".verdict", "backgroundColor"), [word, ink] = await shown(".verdict h3", "color");
    assert.ok((await shares(verdict, [green]))[0] > 0.6, name);
    assert.ok((await shares(word, [ink]))[0] > 0.005, name);
    const [hand, felt] = await shown(".trick", "backgroundColor"), red = await made.locator(".suit-H").first().evaluate((e) => getComputedStyle(e).color);
    const [ground, drops] = await shares(hand, [felt, red]);
    assert.ok(ground > 0.3 && drops > 0.0005, `${name}: ${ground} ${drops}`);
    const places = await made.locator(".cross").first().evaluate((cross) => [...cross.children].map((e) => {
      const all = cross.getBoundingClientRect(), box = e.getBoundingClientRect();
      return [Math.sign(Math.round((box.left + box.right - all.left - all.right) / 20)), Math.sign(Math.round((box.top + box.bottom - all.top - all.bottom) / 20))].join();
    }).sort());
    assert.deepEqual(places, ["-1,0", "0,-1", "0,1", "1,0"], `${name}: a cross`);
    const all = await made.screenshot({ fullPage: true });
    if (process.env.PICTURES) writeFileSync(join(process.env.PICTURES, `${name}.png`), all);
    assert.ok((await shares(all, [name === "night" ? "rgb(30, 34, 38)" : "rgb(255, 255, 255)"]))[0] > 0.4, name);
    await made.context().close();
  }
});

test("the page of p2p304 fairness on a telephone", { skip: !process.env.FAIRNESS }, async () => {
  const phone = await opened(process.env.FAIRNESS, { viewport: { width: 360, height: 740 } });
  assert.ok(await phone.locator("svg").count() > 20);
  assert.ok(await phone.evaluate(() => document.documentElement.scrollWidth) <= 360);
  const drawing = await phone.$eval("svg", (e) => { const box = e.getBoundingClientRect(), around = e.closest(".wide").getBoundingClientRect(); return [box.width, box.right - around.right]; });
  assert.ok(drawing[0] >= 60 && drawing[1] <= 0, `${drawing}`);
  await phone.context().close();
});

test("all this time nothing was asked of a network, and nothing went wrong", () => assert.deepEqual(faults, []));
