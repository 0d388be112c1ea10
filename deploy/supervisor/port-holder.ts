import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { basename } from "node:path";

/** Maximum length of a command in a message. */
const commandMax = 160;

/**
 * Returns the process that listens on a port, such as `process 4711 (node dist/router/main.js)`, or else an outgoing connection. Undefined
 * if the system does not reveal it: without /proc, or for another user's process.
 */
export function holderOfPort(port: number): string | undefined {
  const sockets = ["tcp", "tcp6"].flatMap((table) => socketsAt(table, port));
  const listening = processOf(sockets.filter(({ listens }) => listens));
  if (listening !== undefined || sockets.length === 0 || sockets.some(({ listens }) => listens)) return listening;
  const other = processOf(sockets);
  return `an outgoing connection${other === undefined ? "" : ` of ${other}`}; the system takes ports from ${systemPorts()} for these`;
}

function processOf(sockets: readonly LocalSocket[]): string | undefined {
  const names = new Set(sockets.map(({ name }) => name));
  const pid = names.size === 0 ? undefined : entries("/proc").find((entry) => /^\d+$/.test(entry) && holds(entry, names));
  return pid === undefined ? undefined : `process ${pid} (${commandOf(pid)})`;
}

function systemPorts(): string {
  return read("/proc/sys/net/ipv4/ip_local_port_range").trim().replace(/\s+/, " to ") || "32768 to 60999";
}

interface LocalSocket {
  readonly name: string;
  readonly listens: boolean;
}

/** Parses `/proc/net/tcp`: `sl local_address rem_address st … inode`, numbers in hex; state 0A means listening. */
function socketsAt(table: string, port: number): LocalSocket[] {
  const wanted = port.toString(16).toUpperCase().padStart(4, "0");
  return read(`/proc/net/${table}`)
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .flatMap(([, local = "", , state, , , , , , inode]) =>
      local.endsWith(`:${wanted}`) ? [{ name: `socket:[${inode}]`, listens: state === "0A" }] : [],
    );
}

function holds(pid: string, sockets: ReadonlySet<string>): boolean {
  return entries(`/proc/${pid}/fd`).some((descriptor) => sockets.has(link(`/proc/${pid}/fd/${descriptor}`)));
}

/** Returns the program and its arguments that are files. Other arguments may be secrets, such as a Redis password. */
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
    return []; // The process ended or belongs to another user, or this is not Linux.
  }
}

function link(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return ""; // The descriptor was closed meanwhile.
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return ""; // The file is gone or not readable.
  }
}
