import type { Browser } from "playwright-core";
import { openConsole } from "../../test/harness/browser.js";
import { spread, spreadText } from "../spread.js";

const rounds = 7;

interface Timing {
  readonly paintMs: number;
  readonly formMs: number;
  readonly bytes: number;
}

/** Returns how soon a browser without a cache shows the sign-in page, and how much it has loaded by then. Each round uses a new context. */
export async function firstPaint(browser: Browser, origin: string): Promise<string> {
  const timings: Timing[] = [];
  for (let round = 0; round < rounds; round++) {
    const seen = await openConsole(browser, `${origin}/console`);
    await seen.page.getByLabel("API key").waitFor();
    timings.push(await seen.page.evaluate(readTiming));
    await seen.close();
  }
  const text = (of: (timing: Timing) => number): string => spreadText(spread(timings.map(of)), 0);
  const loaded = Math.max(...timings.map(({ bytes }) => bytes)) / 1_024;
  return `first contentful paint ${text(({ paintMs }) => paintMs)} ms, page loaded ${text(({ formMs }) => formMs)} ms, ${loaded.toFixed(1)} KiB on the wire by then, ${rounds} rounds`;
}

/** Runs in the browser, so it cannot use anything from this file. */
function readTiming(): Timing {
  const timeline = performance as unknown as {
    getEntriesByType(type: string): { name: string; startTime: number; loadEventEnd: number; encodedBodySize: number }[];
  };
  const paint = timeline.getEntriesByType("paint").find(({ name }) => name === "first-contentful-paint");
  const [page] = timeline.getEntriesByType("navigation");
  const all = [...timeline.getEntriesByType("navigation"), ...timeline.getEntriesByType("resource")];
  return {
    paintMs: paint?.startTime ?? Number.NaN,
    formMs: page?.loadEventEnd ?? Number.NaN,
    bytes: all.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
  };
}
