/** One scrape of a process's admin port. */
export async function scrape(adminPort: number): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${adminPort}/metrics`, { signal: AbortSignal.timeout(60_000) });
  return await response.text();
}

/** A metric of a scrape, summed over its series whose labels contain `label`. */
export function metricOf(text: string, name: string, label = ""): number {
  const lines = text.split("\n").filter((line) => line.startsWith(`${name}{`) && line.includes(label));
  return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(" "))), 0);
}

/** Whose metrics are read: its admin ports, routers' first, and an address for each router. */
interface Scraped {
  readonly adminPorts: readonly number[];
  readonly telegram: readonly string[];
}

/** Media streams of all processes, commands that a shard works on, and chunks on their way from the platform. A command in a stream is not counted: it is there between two looks. */
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
