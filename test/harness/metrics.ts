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
