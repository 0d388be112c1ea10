import { readdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import type { CDPSession, Page } from "playwright-core";

/** The console's files as routers serve them. */
const files = fileURLToPath(new URL("../../dist/router/console/files/", import.meta.url));

/** Matches the handler of a button, a form or a choice in the bundle. */
const handler = /\b(onClick|onSubmit|onChange|act):(?=(?:async\s?)?(?:\([^()]*\)|[\w$]+)=>)/g;

/** Returns the positions in a bundled script at which handlers begin. */
export function handlersIn(source: string): number[] {
  return [...source.matchAll(handler)].map(({ index, 0: name }) => index + name.length);
}

/** Records which handlers of the console ran in a browser, over all tests. */
export class PressedHandlers {
  private readonly ran = new Map<string, Set<number>>();
  private readonly profilers = new Map<Page, CDPSession>();

  /** Must be called before the page loads. Recording whether a function ran is nearly free; counting its calls is not. */
  async watch(page: Page): Promise<void> {
    const profiler = await page.context().newCDPSession(page);
    await profiler.send("Profiler.enable");
    await profiler.send("Profiler.startPreciseCoverage", { callCount: false, detailed: false });
    this.profilers.set(page, profiler);
  }

  /** Must be called after the last action on the page. */
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

  /** Returns the handlers that did not run, each with its script and the surrounding code. */
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
