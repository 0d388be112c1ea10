/** Returns help text that lists complete command lines. Pass each line without the program's name. */
export function examples(...lines: readonly string[]): string {
  return `\n${lines.length === 1 ? "Example" : "Examples"}:\n${lines.map((line) => `  trunkline ${line}`).join("\n")}`;
}
