import { limitText, verdict, type Judged } from "../bar.js";
import { numberText } from "../number-text.js";
import type { Results } from "../results.js";

/** What was asked and what came of it, as Markdown lines; the verdict is that of the full size, of the quick one only where there is no other. */
export function barTable(names: readonly string[], full: ReadonlyMap<string, Results>, quick: ReadonlyMap<string, Results>): string[] {
  const rows = names.flatMap((name) => {
    const results = full.get(name) ?? quick.get(name);
    return (results?.bars ?? []).map((judged) => {
      const beside = quick.get(name)?.bars?.find((bar) => bar.name === judged.name);
      const size = full.has(name) ? "" : ", quick size";
      const cells = [name, judged.name, limitText(judged), `**${judgedText(judged)}**`, verdict(judged), `${results?.date.slice(0, 10) ?? ""}${size}`, beside === undefined || !full.has(name) ? "" : judgedText(beside)];
      return `| ${cells.join(" | ")} |`;
    });
  });
  if (rows.length === 0) return [];
  return ["| scenario | what | bar | measured | verdict | run | quick size |", "|---|---|---|---|---|---|---|", ...rows];
}

/** The median of the rounds and their ends. */
export function judgedText({ value, min, max, unit }: Judged): string {
  const text = min === max ? numberText(value) : `${numberText(value)} (${numberText(min)}–${numberText(max)})`;
  return unit === "" ? text : `${text} ${unit}`;
}
