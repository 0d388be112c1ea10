import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startCluster, type TestCluster } from "../harness/cluster.js";

/** The console's page and files, over HTTP: what they do in a browser is tested there. */
let cluster: TestCluster;
let origin: string;

beforeAll(async () => {
  cluster = await startCluster();
  origin = new URL(cluster.telegram[0] ?? "").origin;
}, 180_000);
afterAll(() => cluster.stop());

const get = (path: string, init: RequestInit = {}): Promise<Response> => fetch(`${origin}${path}`, init);

describe("/console", () => {
  it("is a page of our own files alone, for everybody, under a strict policy", async () => {
    const page = await get("/console");
    const text = await page.text();
    expect(page.status).toBe(200);
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(page.headers.get("content-security-policy")).toContain("default-src 'none'; script-src 'self'");
    expect(page.headers.get("cache-control")).toBe("no-cache");
    const addresses = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address = ""]) => address);
    expect(addresses.length).toBe(3);
    for (const address of addresses) {
      expect(address).toMatch(/^\/console\/[\w.-]+$/);
      expect((await get(address)).status).toBe(200);
    }
    expect(text).not.toMatch(/<script(?![^>]*src=)|<style|\son\w+=/);
  });

  it("has scripts that are kept for ever, packed for who reads that, and 304 for who has them", async () => {
    const script = /src="([^"]+)"/.exec(await (await get("/console")).text())?.[1] ?? "";
    const first = await get(script, { headers: { "accept-encoding": "gzip" } });
    expect(first.headers.get("content-encoding")).toBe("gzip");
    expect(first.headers.get("cache-control")).toContain("immutable");
    // Unpacked by the client: the very same text as without.
    expect(await first.text()).toBe(await (await get(script, { headers: { "accept-encoding": "identity" } })).text());
    const again = await get(script, { headers: { "accept-encoding": "gzip", "if-none-match": first.headers.get("etag") ?? "" } });
    expect([again.status, await again.text()]).toEqual([304, ""]);
    const head = await get(script, { method: "HEAD", headers: { "accept-encoding": "gzip" } });
    expect([head.status, head.headers.get("content-length")]).toEqual([200, first.headers.get("content-length")]);
  });

  it("knows no other files: neither folders nor sources", async () => {
    for (const path of ["/console/main.tsx", "/console/..%2fapp%2fmain.tsx", "/console/files", "/console/main.js.gz"])
      expect((await get(path)).status).toBe(404);
  });
});
