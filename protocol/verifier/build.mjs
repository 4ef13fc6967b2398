#!/usr/bin/env node
// node protocol/verifier/build.mjs [FILE]: writes the page, one HTML file with everything in it. The same sources give the
// same bytes. Without FILE it goes where the package p2p304 has it.

import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const read = (path) => readFileSync(here(path), "utf8");
const PACKAGES = ["@noble/curves", "@noble/hashes"];

async function bundle(path) {
  const done = await build({ entryPoints: [here(path)], bundle: true, write: false, minify: true, format: "iife", target: "es2022", charset: "utf8", legalComments: "none" });
  const text = done.outputFiles[0].text.trim();
  if (/<\/script|<!--/i.test(text)) throw new Error(`${path}: its bundle would end the script that holds it`);
  return text;
}

const style = (await build({ entryPoints: [here("page/style.css")], write: false, minify: true, charset: "utf8" })).outputFiles[0].text.trim();
const [worker, main] = [await bundle("page/worker.mjs"), await bundle("page/main.mjs")];
const hash = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
const licences = PACKAGES.map((name) => {
  const { version } = JSON.parse(read(`node_modules/${name}/package.json`));
  return `${name} ${version}\n\n${read(`node_modules/${name}/LICENSE`).replaceAll("\r\n", "\n").replaceAll("--", "- -").trim()}`;
}).join("\n\n");
const policy = ["default-src 'none'", `script-src ${hash(main)}`, `style-src ${hash(style)}`, "worker-src blob:", "img-src data:", "base-uri 'none'", "form-action 'none'",
  "require-trusted-types-for 'script'", "trusted-types worker"].join("; ");

const parts = { policy, style, worker, main, licences };
const page = read("page/template.html").replace(/\{\{(\w+)\}\}/g, (_, name) => parts[name]);
const target = process.argv[2] ?? here("../../p2p304/offline/verifier.html");
writeFileSync(target, page);
console.log(`${target}: ${page.length} characters, ${Buffer.byteLength(page)} bytes`);
