#!/usr/bin/env node
// node protocol/verifier/cli.mjs FILE...: one JSON line for each transcript. The only file that uses Node's own API,
// beside the tests.

import { readFileSync } from "node:fs";
import { audit } from "./audit.mjs";

let worst = 0;
for (const file of process.argv.slice(2)) {
  const { table, ...verdict } = audit(new Uint8Array(readFileSync(file)));
  console.log(JSON.stringify({ file, ...verdict }));
  worst = Math.max(worst, { sound: 0, "not sound": 1 }[verdict.verdict] ?? 2);
}
process.exitCode = worst;
