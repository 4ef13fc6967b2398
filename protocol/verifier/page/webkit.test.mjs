// node --test page/webkit.test.mjs: the page in WebKit, the engine of Safari, with every transcript and evidence file of protocol/.
// It needs WebKitWebDriver and xvfb-run (Debian: webkit2gtk-driver, xvfb) and is left out where they are missing. It speaks the
// protocol of W3C WebDriver itself: the driver of the other browser test knows Chromium alone.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { accessSync, constants, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import si from "./lang/si.mjs";
import ta from "./lang/ta.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const PAGE = here("../../../p2p304/offline/verifier.html");
const protocol = (path) => here(`../../${path}`);
const installed = (name) => process.env.PATH.split(delimiter).some((folder) => {
  try { accessSync(join(folder, name), constants.X_OK); return true; } catch { return false; }
});
const skip = installed("WebKitWebDriver") && installed("xvfb-run") ? false : "WebKitWebDriver or xvfb-run is not installed";
const sleep = (ms) => new Promise((wake) => setTimeout(wake, ms));

let driver, session, address;

before(async () => {
  if (skip) return;
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((listening) => server.once("listening", listening));
  const { port } = server.address();
  await new Promise((closed) => server.close(closed));
  address = `http://127.0.0.1:${port}`;
  driver = spawn("xvfb-run", ["-a", "-s", "-screen 0 1280x900x24", "WebKitWebDriver", `--port=${port}`], { stdio: "ignore", detached: true });
  for (let i = 0; i < 100 && !session; i++) {
    await sleep(100);
    const made = await call("POST", "/session", { capabilities: {} }).catch(() => undefined);
    session = made && `/session/${made.sessionId}`;
  }
  assert.ok(session, "the driver begins a session within ten seconds");
});
after(async () => {
  if (session) await call("DELETE", session);
  if (driver) process.kill(-driver.pid);
});

async function call(method, path, body) {
  const response = await fetch(address + path, { method, body: body && JSON.stringify(body) });
  const { value } = await response.json();
  if (!response.ok) throw new Error(`${value.error}: ${value.message}`);
  return value;
}
const page = (script, ...args) => call("POST", `${session}/execute/sync`, { script, args });

async function open(file) {
  await call("POST", `${session}/url`, { url: pathToFileURL(file).href });
  await page("window.faults = []; for (const kind of ['error', 'unhandledrejection', 'securitypolicyviolation']) addEventListener(kind, (e) => faults.push(`${kind}: ${e.message ?? e.reason ?? e.blockedURI}`));");
}
async function done() {
  for (let i = 0; i < 400; i++) {
    if (await page("return document.body.dataset.state") === "done") return;
    await sleep(50);
  }
  throw new Error("no verdict within twenty seconds");
}
async function judged(file) {
  await page("document.body.dataset.state = ''");
  const [id] = Object.values(await call("POST", `${session}/element`, { using: "css selector", value: "#file" }));
  await call("POST", `${session}/element/${id}/value`, { text: file });
  await done();
  return page("return [...document.querySelectorAll('.verdict')].map((v) => ({ ...v.dataset }))");
}

for (const folder of ["transcripts", "evidence"]) {
  test(`verdict, check and place of all ${folder}`, { skip }, async () => {
    await open(PAGE);
    for (const row of JSON.parse(readFileSync(protocol(`${folder}/index.json`), "utf8"))) {
      const [found, ...others] = await judged(protocol(`${folder}/${row.file}`));
      assert.deepEqual(others, [], row.file);
      assert.deepEqual([found.verdict, found.check ?? null], [row.expect, row.check], row.file);
      if (row.place !== undefined) assert.equal(found.place, String(row.place), row.file);
    }
    assert.deepEqual(await page("return faults"), []);
  });
}

test("a drop, a tap that leads to the proof, two languages, a small window", { skip }, async () => {
  await open(PAGE);
  await call("POST", `${session}/window/rect`, { width: 360, height: 740 });
  await page(`document.body.dataset.state = "";
    const transfer = new DataTransfer();
    transfer.items.add(new File([Uint8Array.from(atob(arguments[0]), (c) => c.charCodeAt(0))], "closed.304"));
    for (const kind of ["dragover", "drop"]) document.body.dispatchEvent(new DragEvent(kind, { dataTransfer: transfer, bubbles: true, cancelable: true }));`,
  readFileSync(protocol("transcripts/closed.304")).toString("base64"));
  await done();
  assert.equal(await page("return document.querySelector('.code strong').textContent"), "TLM-8DY");
  await page("document.querySelector('.cross .down a').click()");
  assert.match(await page("return document.querySelector('.entry[open]').textContent"), /P09[^]*Logarithms that differ/);
  for (const [code, words] of [["ta", ta], ["si", si]]) {
    await page("const list = document.getElementById('language'); list.value = arguments[0]; list.dispatchEvent(new Event('change', { bubbles: true }))", code);
    assert.equal(await page("return document.querySelector('.verdict h3').textContent"), `✓ ${words.sound}`);
    assert.ok(await page("return document.documentElement.scrollWidth <= innerWidth"), code);
  }
  assert.deepEqual(await page("return faults"), []);
});

test("a file that was put into the page is judged at once", { skip }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "p2p304-webkit-"));
  try {
    const report = join(folder, "report.html"), bytes = readFileSync(protocol("transcripts/lost.304")).toString("base64");
    writeFileSync(report, readFileSync(PAGE, "utf8").replace("<!-- embedded file -->",
      () => `<script type="application/octet-stream" id="embedded" data-name="lost.304">${bytes}</script>`));
    await open(report);
    await done();
    assert.deepEqual(await page("return [...document.querySelectorAll('.verdict')].map((v) => v.dataset.verdict)"), ["sound"]);
  } finally { rmSync(folder, { recursive: true }); }
});
