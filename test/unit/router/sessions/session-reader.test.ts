import { silentLog } from "../../../../shared/log/logger.js";
import { SchemaFollower } from "../../../../shared/cluster/schema/schema-follower.js";
import { raiseSchema } from "../../../../shared/cluster/schema/schema-record.js";
import { newestSchema } from "../../../../shared/cluster/schema/schema-version.js";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { SlotOwner, SlotToken } from "../../../../shared/cluster/ownership.js";
import { slotOf } from "../../../../shared/contract/slot.js";
import { newSessionId, type SessionId } from "../../../../shared/contract/ids.js";
import { keys } from "../../../../shared/redis/keys.js";
import { SessionReader } from "../../../../router/sessions/session-reader.js";
import type { SessionState } from "../../../../shared/session/state.js";
import { toRecord } from "../../../../router/api/get-session.js";
import { sealedFields } from "../../../harness/sealed-fields.js";
import { startRedis, type TestRedis } from "../../../harness/redis.js";
import { anAccount } from "../support.js";
import { untracked } from "../api/untracked.js";

let server: TestRedis;
let id: SessionId;
/** The owner in the router's cache. */
let remembered: SlotOwner | undefined;
let dead: string[];
let silent: boolean;
let asked: number;
let reader: SessionReader;

const owner = (change: Partial<SlotOwner> = {}): SlotOwner => ({
  member: "shard-1",
  incarnation: "i1",
  token: "7" as SlotToken,
  state: "held",
  ...change,
});
const connected: SessionState = { kind: "connected", account: anAccount };

beforeAll(async () => {
  server = await startRedis();
});
afterAll(() => server.stop());
beforeEach(async () => {
  await server.client.flushall();
  id = newSessionId(Date.now());
  remembered = undefined;
  dead = [];
  silent = false;
  asked = 0;
  const owners = {
    atHand: () => remembered,
    isNew: () => false,
    read: async (slot: number) => {
      asked++;
      const [member, incarnation, token, state] = await server.client.hmget(keys.owner(slot), "m", "inc", "tok", "st");
      return member == null
        ? undefined
        : owner({ member, incarnation: incarnation ?? "", token: (token ?? "") as SlotToken, state: state as SlotOwner["state"] });
    },
  };
  reader = new SessionReader(
    server.client,
    { lives: (member) => !dead.includes(member), isResponsive: () => !silent },
    owners,
    untracked(server.client),
    new SchemaFollower({ redis: server.client, written: newestSchema, log: silentLog }),
  );
});

async function stored(state: SessionState, stamp = "7", picture = ""): Promise<void> {
  const { qr, ...fields } = sealedFields(id, { state: JSON.stringify(state), account: "77", qr: picture });
  await server.client.hset(keys.session(id), { platform: "telegram", secretHash: "x", tok: stamp, ...fields });
  if (picture !== "") await server.client.set(keys.qr(id), qr);
}
async function owned({ member, incarnation, token, state }: SlotOwner): Promise<void> {
  await server.client.hset(keys.owner(slotOf(id)), { m: member, inc: incarnation, tok: token, st: state });
}

describe("SessionReader", () => {
  it("trusts the remembered owner when it stamped the record and is alive", async () => {
    remembered = owner();
    await stored(connected);
    expect(await reader.read("telegram", id)).toMatchObject({ active: true, state: connected, lastAccount: "77", owner: remembered });
    expect(asked).toBe(0);
  });

  it("reports a session as disconnected when its owner holds the slot but does not respond", async () => {
    remembered = owner();
    await stored(connected);
    for (const responsive of [true, false, true]) {
      silent = !responsive;
      const session = await reader.read("telegram", id);
      expect(session).toMatchObject({ active: true, responsive });
      expect(session === undefined ? undefined : toRecord(session, "secret", { url: "", token: "" }).isConnected).toBe(responsive);
    }
  });

  it.each<[string, SlotOwner | undefined, string[], SlotOwner | undefined, boolean]>([
    ["nobody is remembered", undefined, [], owner(), true],
    ["nobody is remembered, and nobody is there", undefined, [], undefined, false],
    ["the record has a newer stamp", owner({ token: "6" as SlotToken }), [], owner(), true],
    ["the remembered one is dead, and so it is", owner(), ["shard-1"], owner(), false],
    ["the remembered one is dead, and another one has taken over", owner({ member: "shard-2" }), ["shard-2"], owner(), true],
    ["the remembered one had given the slot up", owner({ state: "free" }), [], owner(), true],
    [
      "the slot has a new owner, who has not stamped the record yet",
      owner({ token: "6" as SlotToken }),
      [],
      owner({ token: "8" as SlotToken }),
      false,
    ],
  ])("reads the owner anew where %s", async (_, known, buried, now, active) => {
    remembered = known;
    dead = buried;
    await stored(connected);
    if (now !== undefined) await owned(now);
    expect(await reader.read("telegram", id)).toMatchObject({ active, owner: now });
    expect(asked).toBe(1);
  });

  it("says of no session that it is not there while Redis lacks what it held", async () => {
    expect(await reader.read("telegram", id)).toBeUndefined();
    await raiseSchema(server.client, newestSchema);
    expect(await reader.read("telegram", id)).toBeUndefined();
    expect(await reader.readDeleted(id)).toBeUndefined();
    await server.client.flushall();
    await expect(reader.read("telegram", id)).rejects.toMatchObject({ status: 503, message: "storage unavailable" });
    await expect(reader.readDeleted(id)).rejects.toMatchObject({ status: 503, message: "storage unavailable" });
    await raiseSchema(server.client, newestSchema);
    expect(await reader.read("telegram", id)).toBeUndefined();
  });
  it("reads the record each time", async () => {
    remembered = owner();
    await stored(connected);
    await reader.read("telegram", id);
    const later: SessionState = { kind: "disconnected", account: anAccount, elapsedMs: 5 };
    await stored(later);
    expect((await reader.read("telegram", id))?.state).toEqual(later);
    await server.client.del(keys.session(id));
    expect(await reader.read("telegram", id)).toBeUndefined();
  });

  it("reads a code's picture while the session waits for its code, and no other", async () => {
    remembered = owner();
    await stored({ kind: "awaiting-qr", qr: "", elapsedMs: 0 }, "7", "PNG");
    expect((await reader.read("telegram", id))?.qrPng).toBe("PNG");
    await stored(connected);
    expect((await reader.read("telegram", id))?.qrPng).toBe("");
  });

  it("knows no session of the other platform, and says at once when a record cannot be read", async () => {
    await stored(connected);
    expect(await reader.read("whatsapp", id)).toBeUndefined();
    await server.client.hset(keys.session(id), "state", '{"kind":"nothing"}');
    expect(await reader.read("whatsapp", id)).toBeUndefined();
    await expect(reader.read("telegram", id)).rejects.toThrow("stored session state cannot be read");
  });
});
