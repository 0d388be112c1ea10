/** Returns one scrape of a process's admin port. */
export async function scrape(adminPort: number): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${adminPort}/metrics`, { signal: AbortSignal.timeout(60_000) });
  return await response.text();
}

/** Returns a metric of a scrape, summed over its series whose labels contain `label`. */
export function metricOf(text: string, name: string, label = ""): number {
  const lines = text.split("\n").filter((line) => line.startsWith(`${name}{`) && line.includes(label));
  return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(" "))), 0);
}

/** Admin ports of the scraped gateway, routers first, and an address per router. */
interface Scraped {
  readonly adminPorts: readonly number[];
  readonly telegram: readonly string[];
}

/**
 * Counts open media streams, commands in progress in shards, and chunks in flight from the platform. Commands in a stream are not counted,
 * because they appear only between two polls.
 */
export async function inFlight(gateway: Scraped): Promise<number> {
  const texts = await Promise.all(gateway.adminPorts.map(scrape));
  const lines = texts
    .flatMap((text) => text.split("\n"))
    .filter((line) =>
      /^gateway_(shard_telegram_chunks_(in_flight|waiting)_chunks|shard_commands_in_flight_commands|router_media_streams_open)\{/.test(
        line,
      ),
    );
  const routers = gateway.telegram.length;
  if (lines.length !== routers + 3 * (gateway.adminPorts.length - routers)) throw new Error(`metrics are missing: ${lines.join(", ")}`);
  return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(" "))), 0);
}
