// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Bundles the charts into one script, with the licences of what it carries: node build.mjs SOURCE NODE_MODULES OUTPUT.
import fs from "node:fs";
import path from "node:path";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [source, modules, output] = process.argv.slice(2).map((word) => path.resolve(word));
const require = createRequire(pathToFileURL(path.join(modules, "..", "package.json")));
const esbuild = require("esbuild");

/** The module "charts": the drawers of every file of charts/, by the names of the figures they draw. */
const charts = {
  name: "charts",
  setup(build) {
    build.onResolve({ filter: /^charts$/ }, () => ({ path: "charts", namespace: "charts" }));
    build.onLoad({ filter: /.*/, namespace: "charts" }, () => {
      const files = fs.readdirSync(path.join(source, "charts")).filter((file) => file.endsWith(".ts")).sort();
      const imports = files.map((file, index) => `import { drawers as of${index} } from "./charts/${file}";`);
      const all = files.map((_, index) => `...of${index}`);
      return { contents: `${imports.join("\n")}\nexport const drawers = { ${all.join(", ")} };`, resolveDir: source };
    });
  },
};

const result = await esbuild.build({
  entryPoints: [path.join(source, "main.ts")],
  bundle: true,
  plugins: [charts],
  minify: true,
  format: "iife",
  target: "es2020",
  charset: "ascii",
  legalComments: "none",
  nodePaths: [modules],
  absWorkingDir: path.dirname(modules),
  metafile: true,
  write: false,
  logLevel: "warning",
});

/** The packages the bundle took files from, each with its licence text. */
function licences() {
  const folders = new Set();
  for (const input of Object.keys(result.metafile.inputs)) {
    const found = input.match(/^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//);
    if (found) folders.add(path.resolve(path.dirname(modules), found[1]));
  }
  const packages = new Map();
  for (const folder of [...folders].sort()) {
    const { name, version, license } = JSON.parse(fs.readFileSync(path.join(folder, "package.json"), "utf8"));
    const file = fs.readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    if (!file) throw new Error(`${name}: no licence file`);
    const text = fs.readFileSync(path.join(folder, file), "utf8").trim().replaceAll("*/", "* /");
    packages.set(text, [...(packages.get(text) ?? []), `${name} ${version} (${license})`]);
  }
  return [...packages].map(([text, names]) => `${names.join(", ")}\n\n${text}\n`).join("\n");
}

const code = result.outputFiles[0].text;
const bundle = `/* This page carries:\n\n${licences()}*/\n${code}`;
// Both would end or hide the script element the bundle is put into.
for (const poison of ["</script", "<!--"])
  if (bundle.includes(poison)) throw new Error(`the bundle holds "${poison}"`);
fs.writeFileSync(output, bundle);
