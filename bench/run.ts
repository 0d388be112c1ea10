import { constants } from "node:os";
import { parseArgs } from "node:util";
import { measure } from "./measure.js";
import { scenarioSection } from "./report/scenario-section.js";
import { writeReport } from "./report/report.js";
import { readResults, writeResults } from "./results.js";
import type { Scenario } from "./scenario.js";
import { capacity } from "./scenarios/capacity.js";
import { commands } from "./scenarios/commands.js";
import { conversationTelegram } from "./scenarios/conversation-telegram.js";
import { conversationWhatsapp } from "./scenarios/conversation-whatsapp.js";
import { fairness } from "./scenarios/fairness.js";
import { growth } from "./scenarios/growth.js";
import { linkedTelegram } from "./scenarios/linked-telegram.js";
import { linkedWhatsapp } from "./scenarios/linked-whatsapp.js";
import { mediaCache } from "./scenarios/media-cache.js";
import { mediaCold } from "./scenarios/media-cold.js";
import { mediaSlowReaders } from "./scenarios/media-slow-readers.js";
import { mediaNginx } from "./scenarios/media-nginx.js";
import { mediaSeek } from "./scenarios/media-seek.js";
import { mediaSingleFlight } from "./scenarios/media-single-flight.js";
import { mediaWarm } from "./scenarios/media-warm.js";
import { memory } from "./scenarios/memory.js";
import { outage } from "./scenarios/outage.js";
import { outsiders } from "./scenarios/outsiders.js";
import { quotas } from "./scenarios/quotas.js";
import { records } from "./scenarios/records.js";
import { render } from "./scenarios/render.js";
import { scale } from "./scenarios/scale.js";
import { sessionRecord } from "./scenarios/session-record.js";
import { storedStart } from "./scenarios/stored-start.js";
import { telegramCrowd } from "./scenarios/telegram-crowd.js";
import { telegramIdle } from "./scenarios/telegram-idle.js";
import { telegramIncoming } from "./scenarios/telegram-incoming.js";
import { telegramSend } from "./scenarios/telegram-send.js";
import { typingTail } from "./scenarios/typing-tail.js";
import { whatsappCrowd } from "./scenarios/whatsapp-crowd.js";
import { whatsappGroup } from "./scenarios/whatsapp-group.js";
import { whatsappIncoming } from "./scenarios/whatsapp-incoming.js";
import { whatsappEvents } from "./scenarios/whatsapp-events.js";
import { whatsappIdle } from "./scenarios/whatsapp-idle.js";
import { whatsappLogin } from "./scenarios/whatsapp-login.js";
import { whatsappSend } from "./scenarios/whatsapp-send.js";
import { whatsappStatus } from "./scenarios/whatsapp-status.js";
import { capacityScenarios, costsOf } from "./capacity/costs-of.js";
import { writeCosts } from "./capacity/write-costs.js";
import type { Size } from "./size.js";
import { watch } from "./watch/watch.js";

/**
 * `npm run bench` runs all of these at quick size, `npm run bench -- <name>...` the named ones at full size; bench/README.md lists the
 * options. `--prometheus` runs a watched gateway until Ctrl-C instead.
 */
const scenarios: readonly Scenario[] = [
  mediaWarm,
  mediaCache,
  mediaCold,
  mediaSingleFlight,
  mediaSeek,
  mediaSlowReaders,
  mediaNginx,
  sessionRecord,
  commands,
  typingTail,
  conversationWhatsapp,
  conversationTelegram,
  linkedWhatsapp,
  linkedTelegram,
  fairness,
  quotas,
  records,
  render,
  scale,
  growth,
  whatsappIdle,
  whatsappCrowd,
  whatsappLogin,
  whatsappSend,
  whatsappStatus,
  whatsappGroup,
  whatsappIncoming,
  whatsappEvents,
  capacity,
  telegramIdle,
  telegramCrowd,
  telegramSend,
  telegramIncoming,
  outsiders,
  storedStart,
  outage,
  memory,
];

/** The terminal shows its message without a stack. */
class UsageError extends Error {}

const interrupted = new AbortController();
for (const name of ["SIGINT", "SIGTERM"] as const) {
  process.on(name, () => {
    process.exitCode = 128 + constants.signals[name];
    interrupted.abort(new Error(`ended by ${name}`));
  });
}

try {
  const { chosen, size, watched, forModel } = argumentsOf(process.argv.slice(2));
  if (watched !== undefined) {
    await watch(watched.charts, interrupted.signal);
    process.exitCode = 0; // Ctrl-C is the normal end.
  } else {
    const failed = await runAll(chosen, size);
    await writeReport(scenarios.map(({ name }) => name));
    // A failed run leaves the figures unchanged.
    if (forModel && failed.length === 0) await writeCosts(costsOf(await readResults(size)));
    if (failed.length > 0) throw new UsageError(`failed: ${failed.join(", ")}`);
  }
} catch (error) {
  console.error(interrupted.signal.aborted ? "bench: interrupted" : error instanceof UsageError ? `bench: ${error.message}` : error);
  process.exitCode ??= 1;
}
// A failed scenario may have left connections or children open. Children end with this process.
process.exit();

/** Resolves with the names of failed scenarios, which do not stop the others. An interruption ends all of them. */
async function runAll(chosen: readonly Scenario[], size: Size): Promise<string[]> {
  const failed: string[] = [];
  for (const scenario of chosen) {
    const lacking = await scenario.lacks?.();
    if (lacking !== undefined) {
      console.log(`bench: ${scenario.name} left out: ${lacking}\n`);
      continue;
    }
    console.log(`bench: ${scenario.name} ...`);
    try {
      const results = await measure(scenario, size, interrupted.signal);
      await writeResults(results);
      console.log(`${scenarioSection(results).join("\n")}\n`);
    } catch (error) {
      interrupted.signal.throwIfAborted();
      console.error(`bench: ${scenario.name} failed:`, error);
      failed.push(scenario.name);
    }
  }
  return failed;
}

interface Arguments {
  readonly chosen: readonly Scenario[];
  readonly size: Size;
  /** If set, nothing is measured. */
  readonly watched?: { readonly charts: boolean };
  /** True if the results become the figures of `trunkline capacity`. */
  readonly forModel: boolean;
}

function argumentsOf(args: string[]): Arguments {
  const { values, positionals: names } = parsed(args);
  const unknown = names.filter((name) => !scenarios.some((scenario) => scenario.name === name));
  if (unknown.length > 0)
    throw new UsageError(`no scenario ${unknown.join(", ")}; there are: ${scenarios.map(({ name }) => name).join(", ")}`);
  if (values.full && values.quick) throw new UsageError("--full or --quick, not both");
  const size = values.full ? "full" : values.quick || names.length === 0 ? "quick" : "full";
  if (values.prometheus) return { chosen: [], size, watched: { charts: values.charts }, forModel: false };
  if (values.report) return { chosen: [], size, forModel: false };
  if (values.capacity) {
    if (names.length > 0) throw new UsageError("--capacity measures what the model wants, and nothing else");
    const wanted: readonly string[] = capacityScenarios;
    // A quick run is too small to measure the cost of a session, so it does not change the model's figures.
    const forModel = !values.quick;
    return { chosen: scenarios.filter(({ name }) => wanted.includes(name)), size: forModel ? "full" : "quick", forModel };
  }
  return { forModel: false, chosen: names.length === 0 ? scenarios : scenarios.filter(({ name }) => names.includes(name)), size };
}

function parsed(args: string[]) {
  try {
    const flag = { type: "boolean", default: false } as const;
    return parseArgs({
      args,
      allowPositionals: true,
      options: { full: flag, quick: flag, report: flag, prometheus: flag, charts: flag, capacity: flag },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
