import type { Modules } from "./code-modules.js";

/** Light modules around the code, which cameras need to find it. */
const quiet = 2;

/**
 * Returns lines of text with two rows of modules each. Only light modules are drawn, which fits a dark terminal; with colors on, white
 * blocks on black fit every terminal.
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
