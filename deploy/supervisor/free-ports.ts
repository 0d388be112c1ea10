import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "../../shared/log/logger.js";
import { holderOfPort } from "./port-holder.js";

/**
 * Resolves when all ports are free; rejects with a sentence about the first port that stays in use. Needed because the HTTP engine would
 * silently share a port. Processes of a killed supervisor get `patienceMs` to exit.
 */
export async function waitForFreePorts(
  wanted: readonly { port: number; owner: string }[],
  log: Log,
  signal: AbortSignal,
  timeoutMs = 10_000,
): Promise<void> {
  const until = performance.now() + timeoutMs;
  let waiting = false;
  for (const { port, owner } of wanted) {
    for (let reason = await portRefusal(port); reason !== undefined; reason = await portRefusal(port)) {
      if (performance.now() > until)
        throw new Error(
          `port ${port} (${owner}) is in use${whyRefused(reason, port)}; stop that process, or use another port: ${commandFor(port, owner)}`,
        );
      if (!waiting) log.warn({ port, owner, reason, patienceMs: timeoutMs }, "port in use, waiting");
      waiting = true;
      await sleep(250, undefined, { signal });
    }
  }
}

/** Large enough to skip a second deployment that counts up from the default ports. */
const portStep = 100;

function commandFor(port: number, owner: string): string {
  const setting = /sandbox/.test(owner) ? "SANDBOX_PORT" : owner.startsWith("admin") ? "ADMIN_PORT" : "PORT";
  const pid = /^process (\d+)/.exec(holderOfPort(port) ?? "")?.[1];
  return [...(pid === undefined ? [] : [`kill ${pid}`]), `${setting}=${port > 65_000 ? port - portStep : port + portStep} npm start`].join(
    ", or ",
  );
}

/** Names the process that holds the port, if the system reveals it. */
function whyRefused(reason: string, port: number): string {
  if (reason !== "EADDRINUSE") return ` or unavailable (${reason})`;
  return ` by ${holderOfPort(port) ?? "another process, possibly by an outgoing connection (32768-60999 is the system's own range)"}`;
}

/** Returns the reason why a port cannot be listened on, such as `EADDRINUSE`, otherwise undefined. */
export function portRefusal(port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ port, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}
