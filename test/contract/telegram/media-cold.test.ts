import { get, type IncomingMessage } from "node:http";
import { once } from "node:events";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { ChannelMessage } from "../../../shared/contract/telegram/channel.js";
import { chunkBytes } from "../../../shared/limits.js";
import { loggedIn, request, type Caller } from "../../harness/api.js";
import { eventually } from "../../harness/eventually.js";
import { startCluster, type TestCluster } from "../../harness/cluster.js";
import { inFlight } from "../../harness/metrics.js";
import { TelegramSide } from "../../harness/telegram-side.js";
import { syntheticBytes } from "../../sandbox/files/synthetic-bytes.js";

/** Requests files that are not cached, through two routers, and counts the fetches at the platform. */
let gateway: TestCluster;
let caller: Caller;
let platform: TelegramSide;
beforeAll(async () => {
  gateway = await startCluster({ routers: 2, shards: 2 });
  platform = new TelegramSide(gateway);
  caller = await loggedIn(gateway, "alice");
  // A new login downloads its own picture by the same method as files. It must not be counted below.
  await eventually("alice's own picture", async () => (await fetched()) > 0);
});
afterEach(() => platform.clearFaults());
afterAll(() => gateway.stop());

/** Creates a new file in alice's channel. Returns its path at the media endpoint. */
async function aFile(size: number): Promise<{ path: string; fileId: string }> {
  const sent = (await caller.phone("/people/send", { platform: "telegram", account: "alice", chat: "alice_news", media: "document", size }))
    .body as { messageId: string; chatId: string; media: { fileId: string } };
  const { docs } = (await caller.get(`/channel/message?channelId=${sent.chatId}&limit=10`)).body as { docs: ChannelMessage[] };
  return { path: new URL(docs.find(({ id }) => id === sent.messageId)?.url ?? "").pathname, fileId: sent.media.fileId };
}

async function fetched(): Promise<number> {
  const { telegram } = (await request(`${gateway.sandbox}/calls`)).body as { telegram: Record<string, number> };
  return telegram["upload.getFile"] ?? 0;
}

const urlOf = (path: string, router = 0): URL => new URL(path, gateway.telegram[router]);

describe("a cold file", () => {
  it("is fetched once by chunk for 24 clients of two routers, byte by byte", async () => {
    const size = 5 * 2 ** 20 + 77;
    const { path, fileId } = await aFile(size);
    const before = await fetched();
    const expected = syntheticBytes(fileId, 0, size);
    const answers = await Promise.all(
      Array.from({ length: 24 }, async (_, client) =>
        Buffer.from(await (await fetch(urlOf(path, client % 2), { signal: AbortSignal.timeout(60_000) })).arrayBuffer()),
      ),
    );
    expect(answers.every((bytes) => bytes.equals(expected))).toBe(true);
    expect((await fetched()) - before).toBe(Math.ceil(size / chunkBytes));
  });

  it("is read ahead inside the requested range only", async () => {
    const { path, fileId } = await aFile(32 * 2 ** 20);
    for (const chunks of [1, 2, 7]) {
      const before = await fetched();
      const start = chunks * 10 * 100_000;
      const from = Math.ceil(start / chunkBytes) * chunkBytes;
      const to = from + chunks * chunkBytes - 1;
      const answer = await fetch(urlOf(path), { headers: { range: `bytes=${from}-${to}` }, signal: AbortSignal.timeout(60_000) });
      expect(Buffer.from(await answer.arrayBuffer()).equals(syntheticBytes(fileId, from, to - from + 1))).toBe(true);
      expect((await fetched()) - before).toBe(chunks);
    }
  });

  it.each(["420 FLOOD_WAIT_2", "420 FLOOD_PREMIUM_WAIT_3", "500 INTERDC_2_CALL_ERROR", "-503 Timeout"])(
    "is read to its end although the platform says %s in the middle",
    async (error) => {
      const size = 32 * 2 ** 20;
      const { path, fileId } = await aFile(size);
      const before = await fetched();
      const answer = await fetch(urlOf(path), { signal: AbortSignal.timeout(60_000) });
      expect(answer.status).toBe(200);
      await platform.fault({ account: "alice", method: "upload.getFile", kind: "error", error, times: 2 });
      expect(Buffer.from(await answer.arrayBuffer()).equals(syntheticBytes(fileId, 0, size))).toBe(true);
      expect((await fetched()) - before).toBeGreaterThan(size / chunkBytes);
    },
  );

  it.each([0, 5])(
    "is read to its end although the session loses its connections in the middle, and finds none for %i s",
    async (seconds) => {
      const size = 32 * 2 ** 20;
      const { path, fileId } = await aFile(size);
      const answer = await fetch(urlOf(path), { headers: { range: `bytes=1000-${size - 1}` }, signal: AbortSignal.timeout(60_000) });
      expect(answer.status).toBe(206);
      await platform.fault({ account: "alice", kind: "drop", ...(seconds > 0 && { seconds }) });
      expect(Buffer.from(await answer.arrayBuffer()).equals(syntheticBytes(fileId, 1000, size - 1000))).toBe(true);
    },
  );

  it("is 503 when the platform requests a wait before the first byte, and succeeds after the platform's trouble", async () => {
    const { path } = await aFile(1_000);
    await platform.fault({ account: "alice", method: "upload.getFile", kind: "error", error: "420 FLOOD_WAIT_2" });
    const refused = await fetch(urlOf(path));
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "2"]);
    await platform.fault({ account: "alice", method: "upload.getFile", kind: "error", error: "500 RPC_CALL_FAIL", times: 2 });
    expect((await (await fetch(urlOf(path))).arrayBuffer()).byteLength).toBe(1_000);
  });

  it("is no longer fetched once its client has left, also during read-ahead", async () => {
    const { path } = await aFile(64 * 2 ** 20);
    const before = await fetched();
    const client = get(urlOf(path), { agent: false });
    const [response] = (await once(client, "response")) as [IncomingMessage];
    await once(response, "data");
    client.destroy();
    response.on("error", () => undefined);
    // Router and shard report no fetch in flight, and from then on no fetch may arrive.
    await eventually("no fetch in flight", async () => (await inFlight(gateway)) === 0);
    // Earlier requests of the router use the same path, so they have arrived before this one.
    expect((await caller.get("/channel/alice_news")).status).toBe(200);
    await eventually("no fetch in flight", async () => (await inFlight(gateway)) === 0);
    const then = await fetched();
    expect(then - before).toBeLessThan(64);
    const { path: next } = await aFile(1_000);
    expect((await (await fetch(urlOf(next))).arrayBuffer()).byteLength).toBe(1_000);
    expect((await fetched()) - then).toBe(1);
  });
});
