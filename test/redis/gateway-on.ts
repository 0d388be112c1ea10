import { randomBytes } from "node:crypto";
import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { platforms, type Platform } from "../../shared/contract/platform.js";
import { LinkKeys } from "../../shared/media/link.js";
import { loggedIn, type Caller, type Reachable } from "../harness/api.js";
import { startCluster, type ClusterOptions } from "../harness/cluster.js";
import { eventually } from "../harness/eventually.js";
import { channelFile, sentFile } from "../harness/media-files.js";
import { TelegramSide } from "../harness/telegram-side.js";
import { WebhookReceiver } from "../harness/webhook-receiver.js";
import { callWire } from "../harness/wire.js";
import { SteadyLoad } from "./steady-load.js";

/** A running cluster under test, with an address of each variant. */
export interface Watched extends Reachable {
  readonly adminPorts: readonly number[];
  /** Returns the router for the next message; the first router if absent. */
  through?(): number;
  stop(): Promise<void>;
}

/** A gateway in which one account of each platform is logged in. */
export class GatewayOn {
  private constructor(
    readonly cluster: Watched,
    readonly callers: Readonly<Record<Platform, Caller>>,
    private readonly linkKeys: LinkKeys,
  ) {}

  /** Starts two routers and two shards with a topology as both Redis. */
  static async start(env: Readonly<Record<string, string>>, envOf?: ClusterOptions["envOf"]): Promise<GatewayOn> {
    const mediaKeys = `a:${randomBytes(32).toString("base64")}`;
    const size = { routers: 2, shards: 2, env: { ...env, MEDIA_KEYS: mediaKeys } };
    return await GatewayOn.of(await startCluster({ ...size, ...(envOf === undefined ? {} : { envOf }) }), mediaKeys);
  }

  static async of(cluster: Watched, mediaKeys: string): Promise<GatewayOn> {
    const [telegram, whatsapp] = await Promise.all(
      (["telegram", "whatsapp"] as const).map((platform) => loggedIn(cluster, "alice", platform)),
    );
    if (telegram === undefined || whatsapp === undefined) throw new Error("nobody is logged in");
    return new GatewayOn(cluster, { telegram, whatsapp }, LinkKeys.parse(mediaKeys));
  }

  /** Runs typical requests: a message and the groups of each platform, media ranges, and an event at a webhook. */
  async liveOneDay(): Promise<void> {
    const { callers, cluster, linkKeys } = this;
    const load = await SteadyLoad.start(cluster, callers);
    await load.further(2);
    await load.stop();
    expect(await load.notOnce()).toEqual({});
    for (const platform of platforms) {
      const groups = await callers[platform].get("/group");
      expect(groups.status).toBe(200);
      expect((groups.body as { docs: unknown[] }).docs.length).toBeGreaterThan(0);
    }
    const side = new TelegramSide(cluster);
    for (const file of [
      await sentFile(side, linkKeys, callers.telegram, "alice", 700_000),
      await channelFile(side, linkKeys, callers.telegram, 1.5 * 2 ** 30),
    ])
      for (const from of [0, 524_288, 524_288]) {
        const { status, body } = await callWire(cluster.telegram[0] ?? "", file.path, {
          headers: { Range: `bytes=${from}-${from + 999}` },
        });
        expect([status, body.equals(file.bytes(from, 1_000))]).toEqual([206, true]);
      }
    const receiver = await WebhookReceiver.start();
    try {
      expect(await callers.telegram.send("PUT", "/session/webhook", { url: receiver.url, token: "secret" })).toMatchObject({ status: 200 });
      const text = randomBytes(8).toString("hex");
      await side.post("/people/send", { account: "alice", chat: "bob", text });
      await eventually("the event", () => receiver.requests.some(({ body }) => body.includes(text)));
      expect(await callers.telegram.send("PUT", "/session/webhook", { url: "", token: "" })).toMatchObject({ status: 200 });
    } finally {
      await receiver.stop();
    }
  }

  /**
   * Runs `trouble` under load: no account may need another scan, and every message arrives once. Returns the rejections that callers got.
   * Writes counts, the longest time and the rejections to the folder in `LOOK_AT`.
   */
  async surviving(what: string, trouble: (load: SteadyLoad) => Promise<void>): Promise<ReadonlyMap<string, number>> {
    const { callers, cluster } = this;
    const load = await SteadyLoad.start(cluster, callers, cluster.through?.bind(cluster));
    const codes: string[] = [];
    const watch = setInterval(() => {
      for (const platform of platforms)
        callers[platform].record().then(
          ({ qrcode }) => qrcode !== "" && codes.push(platform),
          () => undefined,
        );
    }, 500);
    try {
      await load.further(2);
      await trouble(load);
      await load.further(4);
    } finally {
      clearInterval(watch);
      await load.stop();
    }
    expect(await load.notOnce()).toEqual({});
    expect(codes).toEqual([]);
    for (const platform of platforms) {
      await eventually("connected", async () => (await callers[platform].record()).isConnected);
      expect(await this.overlaps(platform)).toEqual([]);
    }
    const lookAt = process.env["LOOK_AT"];
    const { sent, longestMs, refusals } = load;
    if (lookAt !== undefined)
      await appendFile(
        join(lookAt, "failovers.jsonl"),
        `${JSON.stringify({ what, sent, longestMs: Math.round(longestMs), refusals: [...refusals] })}\n`,
      );
    return refusals;
  }

  /** Deletes both sessions and waits until they are gone. */
  async deleteSessions(): Promise<void> {
    for (const platform of platforms) {
      const caller = this.callers[platform];
      expect((await caller.send("DELETE", "/session")).status).toBe(200);
      await eventually("gone", async () => (await caller.get("/session")).status === 404);
    }
  }

  stop(): Promise<void> {
    return this.cluster.stop();
  }

  private overlaps(platform: Platform): Promise<unknown[]> {
    return new TelegramSide(this.cluster).docs(`/overlaps?platform=${platform}`);
  }
}
