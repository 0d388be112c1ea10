import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fetchUnredirected } from "../../../../shared/flow/fetch-unredirected.js";
import { collectGarbage } from "../../../harness/collect-garbage.js";
import { eventually } from "../../../harness/eventually.js";
import type { HangingServer } from "../../../harness/hanging-server.js";
import { startTricklingServer } from "../../../harness/trickling-server.js";

describe("a response that trickles", () => {
  let server: HangingServer;
  beforeEach(async () => void (server = await startTricklingServer()));
  afterEach(() => server.stop());

  it("ends with the signal, although garbage was collected meanwhile", async () => {
    const end = new AbortController();
    const reading = (async () => await (await fetchUnredirected(server.url, { signal: end.signal })).text())();
    reading.catch(() => undefined);
    await eventually("the answer begins", () => server.open === 1);
    await collectGarbage();
    end.abort(new Error("enough"));
    await expect(reading).rejects.toThrow("enough");
    await eventually("its connection is closed", () => server.open === 0);
  });
});

describe("a status", () => {
  let server: Server;
  let asked: (string | undefined)[];
  beforeEach(async () => {
    asked = [];
    server = createServer(({ url }, response) => {
      asked.push(url);
      response.writeHead(Number(url?.slice(1)), { location: "/200" }).end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  });
  afterEach(async () => await new Promise((resolve) => server.close(resolve)));
  const of = (path: string): Promise<Response> =>
    fetchUnredirected(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, { headers: { connection: "close" } });

  it.each(["/301", "/302", "/303", "/307", "/308"])("of %s is a failure, and leads nowhere", async (path) => {
    await expect(of(path)).rejects.toThrow(/redirects elsewhere \(30\d\)/);
    expect(asked).toEqual([path]);
  });
  it.each(["/200", "/304", "/404"])("of %s is an answer", async (path) => {
    expect((await of(path)).status).toBe(Number(path.slice(1)));
  });
});
