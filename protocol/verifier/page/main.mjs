// The page: takes files, has the worker judge them, and shows what it found.

import { h, name } from "./dom.mjs";
import { fairness } from "./fairness_view.mjs";
import { FileView, outcome, verdictWord } from "./file_view.mjs";
import { choose, language, languages, number, preferred, t, text } from "./words.mjs";

const LARGEST = 256 * 2 ** 20;
const policy = globalThis.trustedTypes?.createPolicy("worker", { createScriptURL: (url) => url }) ?? { createScriptURL: (url) => url };
const workerUrl = policy.createScriptURL(URL.createObjectURL(new Blob([document.getElementById("worker").textContent], { type: "text/javascript" })));

const $ = (id) => document.getElementById(id);
let worker = null, files = [], views = [], current = 0;

// ---- files

// `embedded`: the file came with the page
async function take(list, embedded = false) {
  const chosen = [...list];
  if (chosen.length === 0) return;
  stopWorker();
  files = chosen.map((f) => ({ name: f.name, size: f.size, bytes: null, entries: [], hands: [], embedded, proofs: [], table: null, verdict: null, end: null, continued: null, contradiction: null, done: 0 }));
  current = 0;
  views = [];
  // Nothing of the files before stands there while these are read
  document.body.dataset.state = "busy";
  $("bar").value = 0;
  $("results").replaceChildren();
  try {
    for (const [i, f] of chosen.entries()) {
      if (f.size > LARGEST) throw new RangeError(text("too_large"));
      files[i].bytes = new Uint8Array(await f.arrayBuffer());
    }
  } catch (error) {
    files = [];
    show();
    return say(error instanceof RangeError ? error.message : text("fault", { sentence: String(error.message) }), true);
  }
  begin();
}

function begin() {
  worker = new Worker(workerUrl);
  worker.onmessage = ({ data }) => hear(data);
  worker.onerror = (event) => { event.preventDefault(); failed(event.message ?? "worker"); };
  worker.postMessage(files.map((f) => f.bytes.slice().buffer));
  show();
}

function hear(m) {
  const file = files[m.file];
  if (m.what === "progress") {
    current = m.file;
    file.start ??= m.entries[0]?.at;
    file.table ??= m.table;
    file.entries.push(...m.entries);
    file.done = m.done;
    return progress();
  }
  if (m.what === "hand") file.hands.push(m.hand);
  if (m.what === "verdict") Object.assign(file, { verdict: m.verdict, end: m.end, table: m.end?.table ?? null, proofs: m.proofs, done: file.size });
  if (m.what === "continued") {
    file.continued = m;
    if (m.check) file.verdict = { ...file.verdict, verdict: "not sound", place: 0, check: m.check, sentence: m.sentence, who: null };
  }
  if (m.what === "contradiction") file.contradiction = m;
  if (m.what === "over") { stopWorker(); show(); announce(); }
}

function stopWorker() {
  worker?.terminate();
  worker = null;
}

function stop() {
  stopWorker();
  for (const f of files) f.verdict ??= { verdict: "stopped", check: null, place: null, who: null };
  show();
  announce();
}

function failed(sentence) {
  stopWorker();
  for (const f of files) f.verdict ??= { verdict: "fault", sentence, check: null, place: null, who: null };
  show();
  announce();
}

// ---- what is shown

function show() {
  choose(language());
  for (const element of document.querySelectorAll("[data-t]")) element.replaceChildren(...t(element.dataset.t));
  $("language").setAttribute("aria-label", text("choose_language"));
  $("bar").setAttribute("aria-label", text("progress"));
  const busy = worker !== null, done = !busy && files.length > 0;
  document.body.dataset.state = busy ? "busy" : done ? "done" : "idle";
  document.title = done && files.length === 1 ? `${verdictWord(files[0]).join("")}: ${files[0].name}, p2p304` : text("title");
  $("about").hidden = busy || done;
  $("choose").replaceChildren(...t(done ? "again" : "choose_file"));
  $("progress").hidden = !busy;
  if (!done && !busy) say("");
  if (busy) progress();
  views = done ? files.map((f, i) => new FileView(f, i, files)) : [];
  $("results").replaceChildren(...(done ? [files.length > 1 ? summary() : null, ...views.map((v) => v.element())].filter(Boolean) : []));
}

function summary() {
  return h("section", { class: "summary" }, h("h2", {}, t("several", { n: files.length })),
    h("ul", {}, files.map((f, i) => h("li", { class: outcome(f) }, h("a", { href: `#file-${i}` }, name(f.name)), " ", h("b", {}, verdictWord(f))))), views.map((v) => v.contradiction()), fairness(files));
}

let toldAt = 0;
function progress() {
  const f = files[current], total = files.reduce((n, x) => n + x.size, 0), done = files.reduce((n, x) => n + x.done, 0);
  $("bar").max = Math.max(1, total);
  $("bar").value = done;
  const line = t("working", { file: name(f.name), percent: Math.floor((100 * done) / Math.max(1, total)), entries: f.entries.length });
  $("status").replaceChildren(...line);
  if (Date.now() - toldAt > 5000) { toldAt = Date.now(); $("live").textContent = $("status").textContent; }
}

function say(words, isError = false) {
  $("notice").textContent = words;
  $("notice").classList.toggle("error", isError);
}

// The verdicts, for screen readers; and the page goes there
function announce() {
  $("live").textContent = files.map((f, i) => `${f.name}: ${text("verdict")}: ${verdictWord(f).join("")}`).join(". ");
  $("results").focus({ preventScroll: true });
}

// ---- what people do

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[data-entry]");
  if (!link) return;
  event.preventDefault();
  views[Number(link.dataset.file)]?.reveal(Number(link.dataset.entry));
});

$("file").addEventListener("change", (event) => { take(event.target.files); event.target.value = ""; });
$("choose").addEventListener("click", () => $("file").click());
$("stop").addEventListener("click", stop);
for (const kind of ["dragenter", "dragover"]) document.addEventListener(kind, (event) => { event.preventDefault(); document.body.classList.add("over"); });
document.addEventListener("dragleave", (event) => { if (event.relatedTarget === null) document.body.classList.remove("over"); });
document.addEventListener("drop", (event) => { event.preventDefault(); document.body.classList.remove("over"); take(event.dataTransfer.files); });

// Paper shows every hand, and no entries
let opened = [];
addEventListener("beforeprint", () => {
  opened = [...document.querySelectorAll("details.hand:not([open])")];
  for (const d of opened) d.show();
});
addEventListener("afterprint", () => { for (const d of opened) d.open = false; });

for (const { code, name: own } of languages) $("language").append(h("option", { value: code, lang: code }, own));
choose(preferred());
$("language").value = language();
$("language").addEventListener("change", () => { choose($("language").value); show(); });
show();

// A file that was put into the page
const embedded = $("embedded");
if (embedded) {
  try {
    const bytes = Uint8Array.from(atob(embedded.textContent.trim()), (c) => c.charCodeAt(0));
    take([new File([bytes], embedded.dataset.name || "embedded")], true);
  } catch (error) { say(text("fault", { sentence: String(error.message) }), true); }
}
