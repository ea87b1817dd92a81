// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Writes the crossover charts of a report's data as SVG: node draw_crossover.mjs DATA_JSON NODE_MODULES OUTPUT.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";

const [data, modules, output] = process.argv.slice(2).map((word) => path.resolve(word));
const require = createRequire(pathToFileURL(path.join(modules, "..", "package.json")));
const esbuild = require("esbuild");

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "draw-crossover-"));
const bundle = path.join(folder, "crossover_svg.mjs");
await esbuild.build({
  entryPoints: [path.join(path.dirname(fileURLToPath(import.meta.url)), "crossover_svg.ts")],
  bundle: true,
  format: "esm",
  platform: "node",
  loader: { ".css": "text" },
  nodePaths: [modules],
  absWorkingDir: path.dirname(modules),
  outfile: bundle,
  logLevel: "warning",
});
try {
  const { crossoverSvg } = await import(pathToFileURL(bundle));
  fs.writeFileSync(output, crossoverSvg(JSON.parse(fs.readFileSync(data, "utf8"))));
} finally {
  fs.rmSync(folder, { recursive: true });
}
