import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

// `npm run undelete -- <id of a session> …`: brings back sessions that a timer deleted in the last 24 hours, with their logins. Asks a router at GATEWAY_URL
// (http://127.0.0.1:PORT when absent); the admin key is ADMIN_KEY, the one in API_KEYS, that of secrets.json in DATA_DIR, or that of deploy/.env.
const { GATEWAY_URL, PORT = "8080", ADMIN_KEY, API_KEYS, DATA_DIR = ".data" } = process.env;
const base = GATEWAY_URL || `http://127.0.0.1:${PORT}`;
const ids = process.argv.slice(2);
const key = ADMIN_KEY || adminOf(API_KEYS) || adminOf(read(resolve(DATA_DIR, "secrets.json"), (text) => `admin:${JSON.parse(text).adminKey}`)) || adminOf(read(fileURLToPath(new URL(".env", import.meta.url)), (text) => /^API_KEYS=(.*)$/m.exec(text)?.[1]));
if (ids.length === 0) stop("usage: npm run undelete -- <id of a session> …");
if (key === undefined) stop("no admin key: set ADMIN_KEY");
for (const id of ids) {
  const outcome = await undelete(id).catch((error) => `no answer from ${base} (${error.cause?.code ?? error.message})`);
  console.log(`${id}: ${outcome ?? "undeleted"}`);
  if (outcome !== undefined) process.exitCode = 1;
}

async function undelete(id) {
  const answer = await fetch(`${base}/admin/sessions/${encodeURIComponent(id)}/undelete`, { method: "POST", headers: { "x-api-key": key }, signal: AbortSignal.timeout(30_000) });
  if (answer.status === 200) return undefined;
  const body = await answer.json().catch(() => ({}));
  return `${answer.status} ${body.message ?? answer.statusText}`;
}

function adminOf(keys) {
  return keys?.split(",").map((entry) => entry.trim()).find((entry) => entry.startsWith("admin:"))?.slice("admin:".length);
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
