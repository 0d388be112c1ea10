import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { basename } from "node:path";

/** Longest command that a sentence for a person holds. */
const commandMax = 160;

/**
 * The process that listens on a port, such as `process 4711 (node dist/router/main.js)`. Undefined where the system does not tell: without /proc, and for another user's process
 * when we are not root.
 */
export function holderOfPort(port: number): string | undefined {
  const sockets = new Set(["tcp", "tcp6"].flatMap((table) => listeningSockets(table, port)));
  if (sockets.size === 0) return undefined;
  const pid = entries("/proc").find((name) => /^\d+$/.test(name) && holds(name, sockets));
  return pid === undefined ? undefined : `process ${pid} (${commandOf(pid)})`;
}

/** Of `/proc/net/tcp`: `sl local_address rem_address st … inode`, numbers hexadecimal; state 0A listens. */
function listeningSockets(table: string, port: number): string[] {
  const wanted = port.toString(16).toUpperCase().padStart(4, "0");
  return read(`/proc/net/${table}`)
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .flatMap(([, local = "", , state, , , , , , inode]) => (state === "0A" && local.endsWith(`:${wanted}`) ? [`socket:[${inode}]`] : []));
}

function holds(pid: string, sockets: ReadonlySet<string>): boolean {
  return entries(`/proc/${pid}/fd`).some((descriptor) => sockets.has(link(`/proc/${pid}/fd/${descriptor}`)));
}

/** The program and what it was given of files. Further arguments may be secrets, a password of Redis for instance. */
function commandOf(pid: string): string {
  const [program = "", ...further] = read(`/proc/${pid}/cmdline`).split("\0");
  const files = further.filter(
    (argument) => argument !== "" && existsSync(argument.startsWith("/") ? argument : `/proc/${pid}/cwd/${argument}`),
  );
  return [basename(program), ...files].join(" ").slice(0, commandMax) || "without a name";
}

function entries(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // It ended, is another user's, or this is not Linux.
  }
}

function link(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return ""; // Closed since.
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return ""; // As for `entries`.
  }
}
