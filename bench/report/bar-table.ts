import { limitText, verdict, type Judged } from "../bar.js";
import { numberText } from "../number-text.js";
import type { Results } from "../results.js";

/**
 * Returns the bars and their results as Markdown lines. Uses the quick size only where a full one is missing. Without `quick`, shows full
 * sizes alone, for bench/README.md.
 */
export function barTable(names: readonly string[], full: ReadonlyMap<string, Results>, quick?: ReadonlyMap<string, Results>): string[] {
  const head = ["scenario", "what", "bar", "measured", "verdict", "run", ...(quick === undefined ? [] : ["quick size"])];
  const rows = names.flatMap((name) => {
    const results = full.get(name) ?? quick?.get(name);
    return (results?.bars ?? []).map((judged) => {
      const beside = full.has(name) ? quick?.get(name)?.bars?.find((bar) => bar.name === judged.name) : undefined;
      const run = `${results?.date.slice(0, 10) ?? ""}${full.has(name) ? "" : ", quick size"}`;
      return [
        name,
        judged.name,
        limitText(judged),
        `**${judgedText(judged)}**`,
        verdict(judged),
        run,
        ...(quick === undefined ? [] : [beside === undefined ? "" : judgedText(beside)]),
      ];
    });
  });
  if (rows.length === 0) return [];
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`);
}

/** Returns the median of the rounds with the least and the most. */
export function judgedText({ value, min, max, unit }: Judged): string {
  const text = min === max ? numberText(value) : `${numberText(value)} (${numberText(min)}–${numberText(max)})`;
  return unit === "" ? text : `${text} ${unit}`;
}
