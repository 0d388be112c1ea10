import type { Modules } from "./code-modules.js";

/** Light modules around the code, without which cameras do not find it. */
const quiet = 2;

/**
 * Lines of a terminal, two rows of modules in each. Light is drawn and dark left out, which is right on a dark terminal; with colours the background is made black and the
 * blocks white, which is right on every one.
 */
export function halfBlocks(modules: Modules, color: boolean): string[] {
  const size = modules.length;
  const isLight = (x: number, y: number): boolean => modules[y]?.[x] !== true;
  const lines: string[] = [];
  for (let y = -quiet; y < size + quiet; y += 2) {
    let line = "";
    for (let x = -quiet; x < size + quiet; x += 1) line += block(isLight(x, y), isLight(x, y + 1) && y + 1 < size + quiet);
    lines.push(color ? `\u001b[40;97m${line}\u001b[0m` : line);
  }
  return lines;
}

function block(upper: boolean, lower: boolean): string {
  if (upper) return lower ? "█" : "▀";
  return lower ? "▄" : " ";
}
