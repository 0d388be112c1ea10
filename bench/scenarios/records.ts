import { setTimeout as sleep } from "node:timers/promises";
import type { Platform } from "../../shared/contract/platform.js";
import { slotOf } from "../../shared/contract/slot.js";
import type { SessionId } from "../../shared/contract/ids.js";
import type { RedisClient } from "../../shared/redis/connect.js";
import { createSession, type Caller } from "../../test/harness/api.js";
import { eventually } from "../../test/harness/eventually.js";
import type { Gateway } from "../../test/harness/gateway.js";
import type { Figure } from "../figure.js";
import { gatewayRedis } from "../gateway-redis.js";
import { AofGrowth } from "../records/aof-growth.js";
import { control } from "../sandbox-control.js";
import type { Scenario } from "../scenario.js";

/**
 * Measures what one login uses in Redis, and what one text writes to the append-only file. Logins use a QR code and a phone that decrypts,
 * so they have all real keys. The cluster's own writes in an equally long idle time are subtracted.
 */
export const records: Scenario = {
  name: "records",
  about: "memory of one login in Redis, and bytes of its append-only file by text",
  quick: "20 texts",
  bars: [
    { name: "memory of a WhatsApp login", unit: "KB", limit: { atMost: 15.1 } },
    { name: "memory of a Telegram login", unit: "KB", limit: "reported" },
    { name: "append-only file by WhatsApp text sent", unit: "KB", limit: { atMost: 2.55 } },
    { name: "append-only file by WhatsApp text received", unit: "KB", limit: "reported" },
    { name: "append-only file by Telegram text sent", unit: "KB", limit: { atMost: 1.1 } },
    { name: "append-only file by Telegram text received", unit: "KB", limit: "reported" },
  ],
  gateway: { shards: 1 },
  async run(gateway, _load, signal, size) {
    const texts = textsOf[size];
    const redis = await gatewayRedis(gateway);
    try {
      const figures: Figure[] = [];
      const values: Record<string, number> = {};
      for (const platform of ["whatsapp", "telegram"] as const) {
        const name = platformNames[platform];
        const { phone } = (await control(gateway, platform, "/accounts", { account: `${platform}-ben` })) as { phone: string };
        const { id, caller } = await logIn(gateway, platform, `${platform}-ann`);
        await sleep(settleMs, undefined, { signal });
        const kinds = await keysOf(redis, id);
        values[`memory of a ${name} login`] = sum(kinds.values()) / 1000;
        figures.push({
          what: `${name} login`,
          unit: "KB",
          value: sum(kinds.values()) / 1000,
          how: `MEMORY USAGE of its keys: ${shares(kinds)}`,
        });
        const text = (n: number): string => `Message ${n} of a usual length, as people write them`;
        const variants = {
          sent: (n: number) => sendText(caller, { phone, type: "text", text: text(n) }),
          received: (n: number) => control(gateway, platform, "/people/send", { account: `${platform}-ann`, text: text(n) }),
        };
        for (const [variant, send] of Object.entries(variants)) {
          // The first message introduces the two accounts to each other.
          await send(0);
          await sleep(settleMs, undefined, { signal });
          const startedAt = performance.now();
          const busy = await AofGrowth.begin(redis);
          for (let n = 1; n <= texts; n++) await send(n);
          await sleep(settleMs, undefined, { signal });
          const written = byCommand(await busy.commands());
          const tookMs = performance.now() - startedAt;
          const idle = await AofGrowth.begin(redis);
          await sleep(tookMs, undefined, { signal });
          const byItself = byCommand(await idle.commands());
          const net = new Map([...written].map(([command, total]) => [command, (total - (byItself.get(command) ?? 0)) / texts]));
          const what = `${name} text ${variant}`;
          values[`append-only file by ${what}`] = sum(net.values()) / 1000;
          figures.push({ what: `append-only file by ${what}`, unit: "bytes", value: sum(net.values()), how: `mean of ${texts}` });
          for (const [command, bytes] of [...net].sort(([, a], [, b]) => b - a))
            if (bytes >= shownFrom) figures.push({ what: `${what}: ${command}`, unit: "bytes", value: bytes, how: "of these" });
        }
      }
      return {
        figures,
        values,
        notes: [
          "real logins by QR, sandbox not in load mode",
          "an expiry's DEL, which follows minutes later, is not in the figures of a text",
        ],
      };
    } finally {
      redis.disconnect();
    }
  },
};

const textsOf = { full: 100, quick: 20 };
const waitMs = 30_000;
/** Prekeys, the address book and acknowledgements arrive after the login. */
const settleMs = 3_000;
const shownFrom = 8;
const platformNames = { whatsapp: "WhatsApp", telegram: "Telegram" } as const;

async function logIn(gateway: Gateway, platform: Platform, account: string): Promise<{ id: SessionId; caller: Caller }> {
  await control(gateway, platform, "/accounts", { account, contacts: 10 });
  const caller = await createSession(gateway, platform);
  const qrcode = await eventually("a qrcode", async () => (await caller.record()).qrcode, waitMs);
  const scanned = await caller.phone("/phone/scan", { platform, account, qrcode });
  if (scanned.status !== 200) throw new Error(`scan: ${scanned.status} ${JSON.stringify(scanned.body)}`);
  await eventually(`${account} connected`, async () => (await caller.record()).isConnected, waitMs);
  return { id: caller.credentials.id as SessionId, caller };
}

async function sendText(caller: Caller, message: object): Promise<void> {
  const { status, body } = await caller.send("POST", "/message", message);
  if (status !== 200) throw new Error(`POST /message: ${status} ${JSON.stringify(body)}`);
}

/** Returns bytes by kind of key. */
async function keysOf(redis: RedisClient, id: SessionId): Promise<Map<string, number>> {
  const kinds = new Map<string, number>();
  let cursor = "0";
  do {
    const [next, names] = await redis.scan(cursor, "MATCH", `*:{${slotOf(id)}}:${id}*`, "COUNT", 1000);
    for (const name of names) {
      const kind = name.slice(0, name.indexOf(":"));
      kinds.set(kind, (kinds.get(kind) ?? 0) + Number(await redis.memory("USAGE", name, "SAMPLES", 0)));
    }
    cursor = next;
  } while (cursor !== "0");
  return kinds;
}

function byCommand(commands: readonly { name: string; kind: string; bytes: number }[]): Map<string, number> {
  const totals = new Map<string, number>();
  for (const { name, kind, bytes } of commands) totals.set(`${name} ${kind}`.trim(), (totals.get(`${name} ${kind}`.trim()) ?? 0) + bytes);
  return totals;
}

function shares(kinds: ReadonlyMap<string, number>): string {
  return [...kinds]
    .sort(([, a], [, b]) => b - a)
    .map(([kind, bytes]) => `${kind} ${(bytes / 1000).toFixed(1)}`)
    .join(", ");
}

function sum(numbers: Iterable<number>): number {
  return [...numbers].reduce((total, one) => total + one, 0);
}
