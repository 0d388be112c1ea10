import { readdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";

/** The console as routers serve it. */
const files = fileURLToPath(new URL("../../dist/router/console/files/", import.meta.url));

/** What stands in the place of a button's, a form's or a choice's handler, as the bundle has it. */
const handler = /\b(onClick|onSubmit|onChange|act):(?=(?:async\s?)?(?:\([^()]*\)|[\w$]+)=>)/g;

/** Where in a bundled script a handler begins. */
export function handlersIn(source: string): number[] {
  return [...source.matchAll(handler)].map(({ index, 0: name }) => index + name.length);
}

/** Of all handlers of the console those that ran in a browser, whichever test did that. */
export class PressedHandlers {
  private readonly ran = new Map<string, Set<number>>();

  /** Before the page is loaded. */
  async watch({ coverage }: Page): Promise<void> {
    await coverage.startJSCoverage({ resetOnNavigation: false });
  }

  /** After all was done in it. */
  async note({ coverage }: Page): Promise<void> {
    for (const { url, functions } of await coverage.stopJSCoverage()) {
      const file = basename(new URL(url).pathname);
      const known = this.ran.get(file) ?? new Set();
      for (const { ranges } of functions) if ((ranges[0]?.count ?? 0) > 0) known.add(ranges[0]?.startOffset ?? 0);
      this.ran.set(file, known);
    }
  }

  /** Those that nobody pressed, each with the script that has it and what stands around it. */
  missing(): string[] {
    return readdirSync(files)
      .filter((file) => file.endsWith(".js"))
      .flatMap((file) => {
        const source = readFileSync(files + file, "utf8");
        const unpressed = handlersIn(source).filter((at) => this.ran.get(file)?.has(at) !== true);
        return unpressed.map((at) => `${file}: ${source.slice(Math.max(0, at - 80), at + 120)}`);
      });
  }
}
