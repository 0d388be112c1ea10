import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { afterEach, expect, it } from "vitest";
import { HttpApp } from "../../../../router/http/app.js";
import { silentLog } from "../../../../shared/log/logger.js";
import { claimPorts } from "../../../harness/claimed-ports.js";
import { RecordedMetrics } from "../support.js";

/** A router that is busy for a moment accepts nothing meanwhile. The kernel drops connections that do not fit into its queues. */
const burst = 1_000;
/** Code of `ESTABLISHED` in proc_pid_net(5). */
const established = "01";

let stop: (() => Promise<void>) | undefined;
afterEach(() => stop?.());

it(`has room for ${burst} connections that arrive while the router is busy`, async () => {
  const ports = await claimPorts();
  const port = ports.first;
  const app = new HttpApp({ host: "127.0.0.1", port, metrics: new RecordedMetrics(), log: silentLog });
  await app.listen();
  const sockets = Array.from({ length: burst }, () => connect(port, "127.0.0.1").on("error", () => undefined));
  stop = async () => {
    for (const socket of sockets) socket.destroy();
    await app.stop(0);
    ports.release();
  };
  // The sockets dial before this, and the app accepts after it.
  const connected = await new Promise<number>((resolve) => process.nextTick(() => resolve(connectionsTo(port))));
  expect(connected).toBe(burst);
});

/** Returns the connections of a port that the kernel has opened, accepted or not. */
function connectionsTo(port: number): number {
  const own = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  const rows = readFileSync("/proc/self/net/tcp", "utf8").split("\n").slice(1);
  const clients = rows.flatMap((row) => {
    const [, local = "", remote = "", state] = row.trim().split(/\s+/);
    return local.endsWith(own) && state === established ? [remote] : [];
  });
  // The table may show a row twice while it changes.
  return new Set(clients).size;
}
