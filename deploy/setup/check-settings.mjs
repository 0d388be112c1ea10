import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

/** Processes of a start before this one need a moment to end and to let go of their ports. */
const patienceMs = 10_000;

/**
 * The mistakes in a start's settings that can be found without packages and a build, which take minutes: the supervisor reads all settings once more
 * (`deploy/supervisor/settings.ts`, whose sentences these are). Resolves with a line for each.
 */
export async function wrongSettings(environment, args = []) {
  const problems = [];
  const value = (name) => environment[name] || ofFile(environment[`${name}_FILE`]) || undefined;
  const integer = (name, fallback, min, max) => {
    const text = value(name);
    const number = Number(text ?? fallback);
    if (Number.isInteger(number) && number >= min && number <= max) return number;
    problems.push(`${name} must be an integer from ${min} to ${max}, not ${JSON.stringify(text)}`);
    return fallback;
  };
  const isLive = value("PLATFORMS") === "live";
  if (value("PLATFORMS") !== undefined && !["sandbox", "live"].includes(value("PLATFORMS")))
    problems.push(`PLATFORMS must be one of sandbox, live, not ${JSON.stringify(value("PLATFORMS"))}`);
  if (isLive)
    for (const name of ["TELEGRAM_API_ID", "TELEGRAM_API_HASH"]) if (value(name) === undefined) problems.push(`${name} is not set`);
  const keys = wrongKeys(value("API_KEYS"));
  if (keys !== undefined) problems.push(`API_KEYS ${keys}`);
  const [routers, shards] = [integer("ROUTERS", 1, 1, 64), integer("SHARDS", 2, 1, 64)];
  const [http, admin] = [integer("PORT", 8080, 1, 65_535), integer("ADMIN_PORT", 9090, 1, 65_535)];
  const sandbox = integer("SANDBOX_PORT", 8090, 1, 65_000);
  if (problems.length > 0) return problems;
  const wanted = [
    ...count(routers).map((i) => ["PORT", http + i]),
    ...count(routers + shards + 1).map((i) => ["ADMIN_PORT", admin + i]),
    ...(isLive || args.includes("--join") ? [] : [0, 11, 12, 13].map((i) => ["SANDBOX_PORT", sandbox + i])),
  ];
  return await takenPorts(wanted);
}

/** Exits with the mistakes, before anything is installed. */
export async function leaveIfSettingsAreWrong() {
  const problems = await wrongSettings(process.env, process.argv.slice(2));
  if (problems.length === 0) return;
  for (const problem of problems) console.error(`trunkline: ${problem}`);
  process.exit(1);
}

const keyMinLength = 16;

/** What is wrong with `API_KEYS`, without a key. */
function wrongKeys(text) {
  for (const [index, entry] of (text === undefined ? [] : text.split(",")).entries()) {
    const [, role, key = ""] = /^(?:([^:]*):)?(.*)$/s.exec(entry.trim()) ?? [];
    if (role !== undefined && !["create", "admin"].includes(role)) return "must be a list of role:key with the roles create and admin";
    if (key === "" || key === "create" || key === "admin") return "must be a list of role:key without empty keys";
    if (key.length < keyMinLength) return `has a key of fewer than ${keyMinLength} characters (number ${index + 1} of the list)`;
  }
  return undefined;
}

async function takenPorts(wanted) {
  const until = performance.now() + patienceMs;
  for (const [setting, port] of wanted) {
    while (port <= 65_535 && (await isTaken(port))) {
      if (performance.now() > until)
        return [
          `port ${port} is in use: end the process that has it, or change ${setting}: ${setting}=${port > 65_000 ? port - 100 : port + 100} npm start`,
        ];
      await pause(250);
    }
  }
  return [];
}

function isTaken(port) {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error) => resolve(error.code === "EADDRINUSE"));
    server.listen({ port, exclusive: true }, () => server.close(() => resolve(false)));
  });
}

function ofFile(path) {
  try {
    return path ? readFileSync(path, "utf8").trim() : undefined;
  } catch {
    return undefined; // The supervisor says why.
  }
}

function count(length) {
  return Array.from({ length }, (_, i) => i);
}
