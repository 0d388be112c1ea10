import { existsSync, readFileSync, statSync } from "node:fs";
import { connect } from "node:net";
import { fileURLToPath } from "node:url";
import typia from "typia";
import { version } from "../../shared/process/version.js";

/** Facts that a supervisor sends to every connection on its lock. */
export interface RunningSupervisor {
  pid: number;
  version: string;
  /** Fingerprint of the sources of its build; empty if the setup did not build it. */
  build: string;
  /** ISO 8601. */
  built: string;
  started: string;
}

/** Stamp file of the setup beside the build. */
const stamp = fileURLToPath(new URL("../../.setup-stamp", import.meta.url));
const responseTimeoutMs = 1_000;

export function ourselves(): RunningSupervisor {
  const isBuilt = existsSync(stamp);
  return {
    pid: process.pid,
    version,
    build: isBuilt ? readFileSync(stamp, "utf8").trim() : "",
    built: isBuilt ? statSync(stamp).mtime.toISOString() : "",
    started: new Date().toISOString(),
  };
}

/** Resolves with `undefined` if the supervisor sends nothing, as versions up to 0.2 do. */
export function readRunning(lock: string): Promise<RunningSupervisor | undefined> {
  return new Promise((resolve) => {
    const socket = connect(lock).setEncoding("utf8").setTimeout(responseTimeoutMs);
    let text = "";
    socket.on("data", (part: string) => (text = (text + part).slice(0, 4_096)));
    socket.once("timeout", () => socket.destroy());
    socket.once("error", () => socket.destroy());
    socket.once("close", () => resolve(parsed(text)));
  });
}

/** Returns a sentence for a person who starts a second supervisor on the same data. Pure. */
export function alreadyRunning(
  dataDir: string,
  running: RunningSupervisor | undefined,
  own: Pick<RunningSupervisor, "build" | "built">,
): string {
  const found = `another supervisor is running with DATA_DIR ${dataDir}`;
  if (running === undefined)
    return `${found}, of an older version: to upgrade, end it with Ctrl-C where it was started, and start again (deploy/docs/upgrade.md)`;
  const { pid, version: its, build, built, started } = running;
  const who = `version ${its}, process ${pid}, since ${started}`;
  if (build === own.build) return `${found} (${who}): use that one, or end it with: kill ${pid}`;
  const age = built < own.built ? "an older" : "a newer";
  return `${found}, of ${age} build (${who}): to change over to this one, end it with: kill ${pid}, and start again; sessions come back by themselves (deploy/docs/upgrade.md)`;
}

const parse = typia.json.createIsParse<RunningSupervisor>();

function parsed(text: string): RunningSupervisor | undefined {
  try {
    return parse(text) ?? undefined;
  } catch {
    return undefined; // The supervisor sent nothing, or something else.
  }
}
