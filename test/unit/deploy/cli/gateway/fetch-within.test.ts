import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fetchWithin } from "../../../../../deploy/cli/gateway/fetch-within.js";
import { collectGarbage } from "../../../../harness/collect-garbage.js";
import { eventually } from "../../../../harness/eventually.js";
import type { HangingServer } from "../../../../harness/hanging-server.js";
import { startTricklingServer } from "../../../../harness/trickling-server.js";

describe("a response that does not end", () => {
  let server: HangingServer;
  beforeEach(async () => void (server = await startTricklingServer()));
  afterEach(() => server.stop());
  const ask = (signal: AbortSignal, withinMs: number): Promise<string> =>
    fetchWithin(server.url, { signal, withinMs }, (answer) => answer.text());

  it("ends with its time, although garbage was collected meanwhile", async () => {
    const asking = ask(new AbortController().signal, 300);
    asking.catch(() => undefined);
    await eventually("the answer begins", () => server.open === 1);
    await collectGarbage();
    await expect(asking).rejects.toMatchObject({ name: "TimeoutError" });
    await eventually("its connection is closed", () => server.open === 0);
  });
  it("ends with its signal", async () => {
    const end = new AbortController();
    const asking = ask(end.signal, 60_000);
    asking.catch(() => undefined);
    await eventually("the answer begins", () => server.open === 1);
    end.abort(new Error("enough"));
    await expect(asking).rejects.toThrow("enough");
  });
});
