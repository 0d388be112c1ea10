import { accessSync, constants, existsSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { dirname } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import {
  ConfigError,
  plannedPorts,
  planChildren,
  readRouterSettings,
  readShardSettings,
  readSupervisorSettings,
} from "./settings-readers.js";

/** Processes of an earlier start need a moment to exit and to release their ports. */
const timeoutMs = 10_000;

/**
 * Resolves with one line per wrong setting of the supervisor, routers and shards, or for the first port that stays in use. Needs neither
 * packages nor a build, which take minutes.
 */
export async function wrongSettings(environment, args = []) {
  const own = readBy(() => readSupervisorSettings(environment, args));
  // The children's settings are checked even if a supervisor setting is wrong, so that all mistakes are reported at once.
  const supervisor = own.problems.length === 0 ? own : readBy(() => readSupervisorSettings(without(environment, own.problems), args));
  const children = supervisor.read === undefined ? [] : childrenOf(supervisor.read, without(environment, own.problems));
  const problems = [...new Set([...own.problems, ...children.flatMap((child) => child.problems)])];
  if (problems.length > 0) return problems;
  const { settings } = own.read;
  const read = children.map((child) => child.read.settings);
  const unusable = [
    ...unusableFolder(settings.dataDir),
    ...(settings.platforms === "live" ? unreadableFiles(read) : []),
    ...(await unusableAddresses(read)),
  ];
  return unusable.length > 0 ? unusable : await takenPorts(plannedPorts(settings));
}

/** Prints the mistakes and exits before anything is installed. */
export async function leaveIfSettingsAreWrong() {
  const problems = await wrongSettings(process.env, process.argv.slice(2));
  if (problems.length === 0) return;
  for (const problem of problems) console.error(`trunkline: ${problem}`);
  process.exit(1);
}

function readBy(reader) {
  try {
    return { read: reader(), problems: [] };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { read: undefined, problems: error.problems };
  }
}

/** Placeholders for values that a start generates or learns from its sandbox. */
const ring = `a:${Buffer.alloc(32, 1).toString("base64")}`;
const sandbox = {
  telegram: { dcMap: "127.0.0.1=127.0.0.1:1", publicKeyPath: "public-key" },
  whatsapp: { url: "ws://127.0.0.1:1", rootKeyPath: "root-key", mediaCaPath: "media-ca" },
};

/** Reads the settings of each router and shard from the environment that the supervisor would start it with. */
function childrenOf({ settings, given }, environment) {
  const { routers, shards } = planChildren({
    settings,
    secrets: { apiKeys: given.apiKeys ?? "", credKeys: given.credKeys ?? ring, mediaKeys: given.mediaKeys ?? ring },
    environment,
    redisUrl: settings.redisUrl ?? "redis://127.0.0.1:6379",
    redisCacheUrl: settings.redisCacheUrl ?? settings.redisUrl ?? "redis://127.0.0.1:6379",
    sandbox: () => sandbox,
    system: process.platform,
  });
  return [
    ...routers.map((plan) => readBy(() => readRouterSettings(plan.env()))),
    ...shards.map((plan) => readBy(() => readShardSettings(plan.env()))),
  ];
}

/** Returns the environment without the settings that the problems name. */
function without(environment, problems) {
  const wrong = new Set(problems.map((problem) => problem.split(" ", 1)[0].replace(/_FILE$/, "")));
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !wrong.has(name.replace(/_FILE$/, ""))));
}

/** The folder may not exist yet: then the nearest existing parent counts. */
function unusableFolder(dataDir) {
  let folder = dataDir;
  while (!existsSync(folder)) folder = dirname(folder);
  const isFolder = statSync(folder).isDirectory();
  const refusal = isFolder ? refusalOfAccess(folder, constants.W_OK | constants.X_OK) : "ENOTDIR";
  return refusal === undefined ? [] : [`DATA_DIR must be a folder that this user may write (${refusal}), not ${JSON.stringify(dataDir)}`];
}

function unreadableFiles(children) {
  const given = children.flatMap(({ telegram, whatsapp }) => [
    ["TELEGRAM_SERVER_KEYS", telegram?.serverKeysPath],
    ["WHATSAPP_ROOT_KEY", whatsapp?.rootKeyPath],
    ["WHATSAPP_MEDIA_CA", whatsapp?.mediaCaPath],
  ]);
  const problems = given.flatMap(([setting, path]) => {
    const refusal = path === undefined ? undefined : refusalOfAccess(path, constants.R_OK);
    return refusal === undefined ? [] : [`${setting} must name a file that can be read (${refusal}), not ${JSON.stringify(path)}`];
  });
  return [...new Set(problems)];
}

function refusalOfAccess(path, mode) {
  try {
    accessSync(path, mode);
    return undefined;
  } catch (error) {
    return error.code;
  }
}

async function unusableAddresses(children) {
  const given = children.flatMap(({ http, admin, egressAddress }) => [
    ["HOST", http?.host],
    ["ADMIN_HOST", admin.host],
    ["EGRESS_ADDRESS", egressAddress],
  ]);
  const problems = new Map();
  for (const [setting, host] of given) {
    if (host === undefined || problems.has(setting)) continue;
    const refusal = await refusalOf({ host, port: 0 });
    if (refusal !== undefined)
      problems.set(setting, `${setting} must be an address of this machine (${refusal}), not ${JSON.stringify(host)}`);
  }
  return [...problems.values()];
}

async function takenPorts(wanted) {
  const until = performance.now() + timeoutMs;
  for (const { port, owner } of wanted) {
    const setting = /sandbox/.test(owner) ? "SANDBOX_PORT" : owner.startsWith("admin") ? "ADMIN_PORT" : "PORT";
    for (let refusal; (refusal = await refusalOf({ port })) !== undefined; await pause(250)) {
      if (refusal === "EADDRINUSE" && performance.now() <= until) continue;
      const problem = refusal === "EADDRINUSE" ? "is in use: end the process that has it, or" : `cannot be used (${refusal}):`;
      return [`port ${port} ${problem} change ${setting}: ${setting}=${port > 65_000 ? port - 100 : port + 100} npm start`];
    }
  }
  return [];
}

/** Resolves with the reason why the address cannot be listened on, such as `EADDRINUSE`, otherwise `undefined`. */
function refusalOf(place) {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error) => resolve(error.code ?? error.message));
    server.listen({ ...place, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}
