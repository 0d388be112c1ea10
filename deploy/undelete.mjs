import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

// `npm run undelete -- <id of a session> …`, in a router's container `node deploy/undelete.mjs <id of a session> …`: brings back sessions that a timer deleted in
// the last 24 hours, with their logins. Asks a router at GATEWAY_URL (http://127.0.0.1:PORT when absent); the admin key is ADMIN_KEY, the one in API_KEYS (or in the
// file API_KEYS_FILE), or those of secrets.json in DATA_DIR and of deploy/.env, whichever fits.
const { GATEWAY_URL, PORT = "8080", ADMIN_KEY, API_KEYS, API_KEYS_FILE, DATA_DIR = ".data" } = process.env;
const base = GATEWAY_URL || `http://127.0.0.1:${PORT}`;
const ids = process.argv.slice(2);
const given = ADMIN_KEY || adminOf(API_KEYS || (API_KEYS_FILE && read(API_KEYS_FILE, (text) => text)));
const keptKeys = () => [
  adminOf(read(resolve(DATA_DIR, "secrets.json"), (text) => `admin:${JSON.parse(text).adminKey}`)),
  adminOf(read(fileURLToPath(new URL(".env", import.meta.url)), (text) => /^API_KEYS=(.*)$/m.exec(text)?.[1])),
];
// Both files are there after a trial without containers: the gateway that runs says whose key is its own.
const keys = (given ? [given] : keptKeys()).filter((key) => key !== undefined);
if (ids.length === 0) stop("usage: npm run undelete -- <id of a session> …, in a container: node deploy/undelete.mjs <id of a session> …");
if (keys.length === 0) stop("no admin key: set ADMIN_KEY");
for (const id of ids) {
  const outcome = await undelete(id).catch((error) => `no answer from ${base} (${error.cause?.code ?? error.message})`);
  console.log(`${id}: ${outcome ?? "undeleted"}`);
  if (outcome !== undefined) process.exitCode = 1;
}

async function undelete(id) {
  const answer = await ask(id, keys[0]);
  if (answer.status === 200) return undefined;
  if (answer.status === 401 && keys.length > 1) {
    keys.shift();
    return undelete(id);
  }
  const body = await answer.json().catch(() => ({}));
  return `${answer.status} ${body.message ?? answer.statusText}`;
}

function ask(id, key) {
  return fetch(`${base}/admin/sessions/${encodeURIComponent(id)}/undelete`, {
    method: "POST",
    headers: { "x-api-key": key },
    signal: AbortSignal.timeout(30_000),
  });
}

function adminOf(list) {
  return list
    ?.split(",")
    .map((entry) => entry.trim())
    .find((entry) => entry.startsWith("admin:"))
    ?.slice("admin:".length);
}

function read(file, parse) {
  try {
    return parse(readFileSync(file, "utf8"));
  } catch {
    return undefined; // Not there, or not for us.
  }
}

function stop(message) {
  console.error(message);
  process.exit(1);
}
