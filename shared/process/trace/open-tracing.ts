import type { ProcessSettings } from "../settings.js";
import { ConfigError } from "../../config/env.js";
import type { Lifecycle } from "../lifecycle.js";
import type { Tracing } from "./tracing.js";

/** Returns spans for the configured endpoint; without one returns `undefined` and loads nothing. */
export async function openTracing(
  role: "router" | "shard",
  { name, tracesEndpoint }: Pick<ProcessSettings, "name" | "tracesEndpoint">,
  lifecycle: Lifecycle,
): Promise<Tracing | undefined> {
  if (tracesEndpoint === undefined) return undefined;
  const { OpenTelemetry } = await import("./open-telemetry.js").catch((cause: unknown) => {
    const problem = "OTEL_EXPORTER_OTLP_ENDPOINT is set, but the optional packages @opentelemetry/* are not installed";
    throw Object.assign(new ConfigError([problem]), { cause });
  });
  const tracing = new OpenTelemetry(role, name, tracesEndpoint);
  // Flushed last, once every part that makes spans has stopped.
  lifecycle.add(["tracing", { stop: () => tracing.stop() }, { stopMs: 3_000 }]);
  return tracing;
}
