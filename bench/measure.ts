import { startGateway } from "../test/harness/gateway.js";
import { LoadGenerator } from "./load/load-generator.js";
import { resultsOf, type Results } from "./results.js";
import type { Scenario } from "./scenario.js";
import type { Size } from "./size.js";

/** Runs one scenario on a gateway of its own, so that one scenario's leftovers do not slow down the next. */
export async function measure(scenario: Scenario, size: Size, signal: AbortSignal): Promise<Results> {
  const startedAt = performance.now();
  const gateway = await startGateway(scenario.gateway);
  try {
    const load = new LoadGenerator(signal);
    try {
      signal.throwIfAborted();
      const findings = await scenario.run(gateway, load, signal, size);
      return resultsOf(scenario, size, (performance.now() - startedAt) / 1000, findings);
    } finally {
      await load.stop();
    }
  } finally {
    await gateway.stop();
  }
}
