import { isIPv4 } from "node:net";
import type { ProtocolLog } from "./telegram/protocol/protocol-log.js";
import { onParentGone, startBeats, tellParent } from "./parent-process.js";
import { startSandbox } from "./sandbox.js";

/** Writes one JSON object per line. The protocol's debug messages are hidden by default. */
const levels = ["error", "warn", "info", "debug"];
const shown = levels.slice(0, levels.indexOf(process.env["LOG_LEVEL"] ?? "info") + 1);
const log: ProtocolLog & { info(message: string, fields?: Readonly<Record<string, unknown>>): void } = {
  debug: () => undefined,
  info: (message, fields) => write("info", message, fields),
  warn: (message, fields) => write("warn", message, fields),
  error: (message, fields) => write("error", message, fields),
};

const stopDeadlineMs = 10_000;
const port = readPort(process.env["SANDBOX_PORT"] ?? "8090");
const host = readHost(process.env["SANDBOX_HOST"] || "127.0.0.1");
startBeats();
const starting = startSandbox({
  dataDir: process.env["DATA_DIR"] ?? ".data",
  cacheFolder: process.env["SANDBOX_CACHE"],
  host,
  controlPort: port,
  telegramPort: (dcId) => port + 10 + dcId,
  whatsappPorts: { socket: port + 21, media: port + 22 },
  load: process.env["SANDBOX_LOAD"] === "1",
  log,
});
let stopping = false;
// Ctrl-C signals the whole process group, and the supervisor signals again. A second signal must not interrupt the writing.
const stop = (reason: string): void => {
  if (stopping) return;
  stopping = true;
  setTimeout(() => process.exit(1), stopDeadlineMs).unref();
  log.info("sandbox stopping", { reason });
  starting
    .then((sandbox) => sandbox.stop())
    .then(
      () => process.exit(0),
      (error: unknown) => {
        log.error("sandbox did not stop cleanly", { error });
        process.exit(1);
      },
    );
};
process.on("SIGTERM", () => stop("SIGTERM"));
process.on("SIGINT", () => stop("SIGINT"));
// The sandbox must not keep its ports after its supervisor died.
onParentGone(() => stop("parent gone"));

const sandbox = await starting;
const { dcMap, publicKeyPath } = sandbox.telegram;
const { url, rootKeyPath, mediaCaPath, media } = sandbox.whatsapp;
log.info("sandbox ready", { control: sandbox.controlUrl, dcMap, publicKeyPath, whatsapp: url });
tellParent({ type: "ready", telegram: { dcMap, publicKeyPath }, whatsapp: { url, rootKeyPath, mediaCaPath, mediaHost: media.address } });

/** Clients receive this address, so it must be a single one. */
function readHost(text: string): string {
  if (!isIPv4(text) || text === "0.0.0.0") throw new Error(`SANDBOX_HOST must be an IPv4 address of this machine, not ${text}`);
  return text;
}

function readPort(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > 65_000) throw new Error(`SANDBOX_PORT must be a port up to 65000, not ${text}`);
  return value;
}

function write(level: string, message: string, fields: Readonly<Record<string, unknown>> = {}): void {
  if (!shown.includes(level)) return;
  const error = fields["error"] instanceof Error ? { error: fields["error"].stack } : {};
  process.stdout.write(`${JSON.stringify({ time: new Date().toISOString(), level, part: "sandbox", message, ...fields, ...error })}\n`);
}
