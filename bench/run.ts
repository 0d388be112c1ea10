import { constants } from "node:os";
import { startGateway } from "../test/harness/gateway.js";
import { LoadGenerator } from "./load/load-generator.js";
import { report } from "./report.js";
import type { Scenario } from "./scenario.js";
import { mediaWarm } from "./scenarios/media-warm.js";
import { sessionRecord } from "./scenarios/session-record.js";
import { telegramIdle } from "./scenarios/telegram-idle.js";
import { telegramIncoming } from "./scenarios/telegram-incoming.js";
import { telegramSend } from "./scenarios/telegram-send.js";
import { whatsappIdle } from "./scenarios/whatsapp-idle.js";
import { whatsappLogin } from "./scenarios/whatsapp-login.js";
import { whatsappSend } from "./scenarios/whatsapp-send.js";
import { whatsappStatus } from "./scenarios/whatsapp-status.js";

/** `npm run bench` runs all, `npm run bench -- <name>...` those that are named, in this order. */
const scenarios: readonly Scenario[] = [mediaWarm, sessionRecord, whatsappIdle, whatsappLogin, whatsappSend, whatsappStatus, telegramIdle, telegramSend, telegramIncoming];

/** Its message is all that the person at the terminal needs. */
class UsageError extends Error {}

const interrupted = new AbortController();
for (const name of ["SIGINT", "SIGTERM"] as const) {
  process.on(name, () => {
    process.exitCode = 128 + constants.signals[name];
    interrupted.abort(new Error(`ended by ${name}`));
  });
}

try {
  for (const scenario of chosen(process.argv.slice(2))) await measure(scenario, interrupted.signal);
} catch (error) {
  // Everything that was started is stopped by now.
  console.error(interrupted.signal.aborted ? "bench: interrupted" : error instanceof UsageError ? `bench: ${error.message}` : error);
  process.exitCode ??= 1;
}

/** Each scenario has a gateway of its own: nothing that one leaves behind slows the next. */
async function measure(scenario: Scenario, signal: AbortSignal): Promise<void> {
  console.log(`bench: ${scenario.name} ...`);
  const gateway = await startGateway({ routers: 1, shards: 2, ...scenario.gateway });
  try {
    const load = new LoadGenerator(signal);
    try {
      signal.throwIfAborted();
      console.log(`${await report(scenario, await scenario.run(gateway, load, signal))}\n`);
    } finally {
      await load.stop();
    }
  } finally {
    await gateway.stop();
  }
}

function chosen(names: readonly string[]): readonly Scenario[] {
  const unknown = names.filter((name) => !scenarios.some((scenario) => scenario.name === name));
  if (unknown.length > 0) throw new UsageError(`no scenario ${unknown.join(", ")}; there are: ${scenarios.map(({ name }) => name).join(", ")}`);
  return names.length === 0 ? scenarios : scenarios.filter(({ name }) => names.includes(name));
}
