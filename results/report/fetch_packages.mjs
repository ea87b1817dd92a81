// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Fetches the packages of a lock file that fit this machine, without npm: node fetch_packages.mjs PACKAGE-LOCK FOLDER.
// Each archive must have the lock's SHA-512. They go into FOLDER/node_modules, whose .package-lock.json lists them as npm's does.
// The registry is that of npm_config_registry or ~/.npmrc; HTTPS_PROXY and NO_PROXY count.
import { spawnSync } from "node:child_process";
import crypto from "node:crypto";
import fs from "node:fs";
import http from "node:http";
import https from "node:https";
import os from "node:os";
import path from "node:path";
import tls from "node:tls";

const [lockFile, folder] = process.argv.slice(2);
const atOnce = 8;
const tries = 3;
const longestMs = 60_000; // without a byte

function registry() {
  const file = path.join(os.homedir(), ".npmrc");
  const lines = fs.existsSync(file) ? fs.readFileSync(file, "utf8") : "";
  const named = process.env.npm_config_registry ?? lines.match(/^registry\s*=\s*(\S+)/m)?.[1];
  return (named ?? "https://registry.npmjs.org").replace(/\/+$/, "");
}

function proxyFor(url) {
  const proxy = process.env.https_proxy ?? process.env.HTTPS_PROXY;
  const direct = (process.env.no_proxy ?? process.env.NO_PROXY ?? "").split(",").map((name) => name.trim().replace(/^\*?\./, ""));
  const isDirect = direct.some((name) => name === "*" || (name !== "" && (url.hostname === name || url.hostname.endsWith(`.${name}`))));
  return proxy && url.protocol === "https:" && !isDirect ? new URL(proxy) : null;
}

/** A connection to the url's host through the proxy. */
function tunnel(proxy, url) {
  return new Promise((resolve, reject) => {
    const host = `${url.hostname}:${url.port || 443}`;
    const login = proxy.username && Buffer.from(decodeURIComponent(`${proxy.username}:${proxy.password}`)).toString("base64");
    const headers = { host, ...(login && { "proxy-authorization": `Basic ${login}` }) };
    const { request } = proxy.protocol === "https:" ? https : http;
    request({ hostname: proxy.hostname, port: proxy.port, method: "CONNECT", path: host, headers, timeout: longestMs })
      .on("connect", (response, socket) =>
        response.statusCode === 200
          ? resolve(tls.connect({ socket, servername: url.hostname }))
          : reject(new Error(`the proxy answered ${response.statusCode}`)))
      .on("timeout", function () { this.destroy(new Error("the proxy does not answer")); })
      .on("error", reject)
      .end();
  });
}

async function get(address, redirections = 3) {
  const url = new URL(address);
  const proxy = proxyFor(url);
  const socket = proxy && (await tunnel(proxy, url));
  const options = { timeout: longestMs, ...(socket && { agent: false, createConnection: () => socket }) };
  const response = await new Promise((resolve, reject) =>
    (url.protocol === "https:" ? https : http)
      .get(url, options, resolve)
      .on("timeout", function () { this.destroy(new Error("no answer")); })
      .on("error", reject));
  const { statusCode, headers } = response;
  if (statusCode >= 300 && statusCode < 400 && headers.location && redirections > 0) {
    response.resume();
    return get(new URL(headers.location, url).href, redirections - 1);
  }
  const parts = [];
  for await (const part of response) parts.push(part);
  if (statusCode !== 200) throw new Error(`the server answered ${statusCode}`);
  return Buffer.concat(parts);
}

async function getInTries(address) {
  for (let left = tries; ; --left) {
    try {
      return await get(address);
    } catch (error) {
      if (left === 1) throw new Error(`${address}: ${error.message || error.code}`);
    }
  }
}

async function install(place, { version, integrity }) {
  const name = place.replace(/^.*node_modules\//, "");
  const address = `${registry()}/${name}/-/${path.basename(name)}-${version}.tgz`;
  const archive = await getInTries(address);
  const sum = `sha512-${crypto.createHash("sha512").update(archive).digest("base64")}`;
  if (sum !== integrity) throw new Error(`${address}: expected ${integrity}, got ${sum}`);
  const into = path.join(folder, place);
  fs.mkdirSync(into, { recursive: true });
  const unpacked = spawnSync("tar", ["xzf", "-", "--strip-components=1", "--no-same-owner", "-C", into], { input: archive });
  if (unpacked.status !== 0) throw new Error(`${address}: ${unpacked.error ?? unpacked.stderr}`);
}

const fits = ({ os: systems, cpu }) =>
  (systems ?? [process.platform]).includes(process.platform) && (cpu ?? [process.arch]).includes(process.arch);

const lock = JSON.parse(fs.readFileSync(lockFile, "utf8"));
const packages = Object.fromEntries(Object.entries(lock.packages).filter(([place, about]) => place !== "" && fits(about)));
fs.rmSync(path.join(folder, "node_modules"), { recursive: true, force: true });
const waiting = Object.entries(packages);
const worker = async () => {
  for (let next = waiting.shift(); next; next = waiting.shift()) await install(...next);
};
try {
  await Promise.all(Array.from({ length: atOnce }, worker));
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
fs.writeFileSync(path.join(folder, "node_modules", ".package-lock.json"), JSON.stringify({ ...lock, packages }, null, 2));
