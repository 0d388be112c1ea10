import { existsSync, readFileSync, statSync } from "node:fs";
import { connect } from "node:net";
import { fileURLToPath } from "node:url";
import typia from "typia";
import { version } from "../../shared/process/version.js";

/** What a supervisor says of itself to whoever connects to its lock. */
export interface RunningSupervisor {
  pid: number;
  version: string;
  /** Of the sources that it was built from; empty where the set-up did not build it. */
  build: string;
  /** ISO 8601. */
  built: string;
  started: string;
}

/** The set-up's record beside the build. */
const stamp = fileURLToPath(new URL("../../.setup-stamp", import.meta.url));
const answerMs = 1_000;

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

/** Resolves with `undefined` for one that says nothing, as those up to 0.2 do. */
export function askRunning(lock: string): Promise<RunningSupervisor | undefined> {
  return new Promise((resolve) => {
    const socket = connect(lock).setEncoding("utf8").setTimeout(answerMs);
    let text = "";
    socket.on("data", (part: string) => (text = (text + part).slice(0, 4_096)));
    socket.once("timeout", () => socket.destroy());
    socket.once("error", () => socket.destroy());
    socket.once("close", () => resolve(parsed(text)));
  });
}

/** A sentence for who has just started another one on the same data. Pure. */
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
    return undefined; // It said nothing, or something else.
  }
}
