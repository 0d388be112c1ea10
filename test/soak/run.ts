import { constants } from "node:os";
import { startGateway, type Gateway } from "../harness/gateway.js";
import { tableOf, type Findings } from "./findings.js";
import { gapSoak } from "./gap-soak.js";
import { webhookSoak } from "./webhook-soak.js";

/** `npm run soak` runs both soaks, `npm run soak -- <name>` one of them. Exits with 1 if there are violations. */
const progress = (line: string): void => console.error(`soak: ${line}`);
const soaks: Readonly<Record<string, (gateway: Gateway, signal: AbortSignal) => Promise<Findings>>> = {
  webhooks: (gateway, signal) =>
    webhookSoak(
      gateway,
      {
        sessions: 100,
        events: 250,
        happeningMs: 150_000,
        downMs: 60_000,
        kills: 2,
        maxFailures: 3,
        hangs: 0.01,
        drainMs: 420_000,
        progress,
      },
      signal,
    ),
  gaps: (gateway, signal) =>
    gapSoak(gateway, { sessions: 12, happeningMs: 150_000, pauseMs: 150, faultMs: 600, drainMs: 60_000, progress }, signal),
};

const interrupted = new AbortController();
for (const name of ["SIGINT", "SIGTERM"] as const) {
  process.on(name, () => {
    process.exitCode = 128 + constants.signals[name];
    interrupted.abort(new Error(`ended by ${name}`));
  });
}

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !Object.hasOwn(soaks, name));
if (unknown.length > 0) {
  console.error(`soak: no soak ${unknown.join(", ")}; there are: ${Object.keys(soaks).join(", ")}`);
  process.exitCode = 2;
} else {
  for (const [name, soak] of Object.entries(soaks)) if (asked.length === 0 || asked.includes(name)) await run(name, soak);
}

/** Runs one soak with a gateway of its own. */
async function run(name: string, soak: (gateway: Gateway, signal: AbortSignal) => Promise<Findings>): Promise<void> {
  if (interrupted.signal.aborted) return;
  progress(`${name} ...`);
  const gateway = await startGateway({ routers: 1, shards: 2 });
  // Aborts everything that still runs after the soak has failed.
  const over = new AbortController();
  interrupted.signal.addEventListener("abort", () => over.abort(interrupted.signal.reason), { once: true });
  try {
    const findings = await soak(gateway, over.signal);
    console.log(`${tableOf(findings)}\n`);
    if (findings.violations.length > 0) process.exitCode ??= 1;
  } catch (error) {
    console.error(interrupted.signal.aborted ? "soak: interrupted" : error);
    process.exitCode ??= 1;
  } finally {
    over.abort(new Error("the soak is over"));
    await gateway.stop();
  }
}
