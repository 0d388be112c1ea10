import { readdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import type { CDPSession, Page } from "playwright-core";

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
  private readonly profilers = new Map<Page, CDPSession>();

  /** Before the page is loaded. Whether a function ran is known at nearly full speed; how often it ran is not. */
  async watch(page: Page): Promise<void> {
    const profiler = await page.context().newCDPSession(page);
    await profiler.send("Profiler.enable");
    await profiler.send("Profiler.startPreciseCoverage", { callCount: false, detailed: false });
    this.profilers.set(page, profiler);
  }

  /** After all was done in it. */
  async note(page: Page): Promise<void> {
    const profiler = this.profilers.get(page);
    if (profiler === undefined) throw new Error("this page is not watched");
    this.profilers.delete(page);
    const { result } = await profiler.send("Profiler.takePreciseCoverage");
    await profiler.detach();
    for (const { url, functions } of result) {
      // Scripts that the test evaluates have no address.
      if (url === "") continue;
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
