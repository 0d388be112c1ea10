import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ArchiveHead } from "../../../../../deploy/cli/backup/archive-form.js";
import { obstacleTo, wrongKeys } from "../../../../../deploy/cli/backup/obstacles.js";
import { checkArchive, keysIn } from "../../../../../deploy/cli/backup/read-archive.js";
import { fingerprintsOf } from "../../../../../deploy/cli/backup/key-fingerprints.js";
import { restoreInto } from "../../../../../deploy/cli/backup/restore-into.js";
import { removeStored, snapshot, type StoredGroup } from "../../../../../deploy/cli/backup/snapshot.js";
import { writeArchive } from "../../../../../deploy/cli/backup/write-archive.js";
import { writeBack } from "../../../../../deploy/cli/backup/write-back.js";
import { slotOf } from "../../../../../shared/contract/slot.js";
import { newSessionId } from "../../../../../shared/contract/ids.js";
import { KeyRing } from "../../../../../shared/config/key-ring.js";
import { keys } from "../../../../../shared/redis/keys.js";
import { requireSupportedSchema } from "../../../../../shared/cluster/schema/schema-record.js";
import { checkKeys } from "../../../../../shared/cluster/keyring/key-check.js";
import { dump } from "../../../../harness/redis-dump.js";
import { startRedis, type TestRedis } from "../../../../harness/redis.js";

const ring = (bytes: number): KeyRing => KeyRing.parse(`a:${Buffer.alloc(32, bytes).toString("base64")}`);
let redis: TestRedis;
let folder: string;
let file: string;
const head: ArchiveHead = {
  archive: "trunkline",
  form: 2,
  made: "2026-11-22T10:00:00.000Z",
  version: "1",
  redis: "7",
  sealing: "a",
  canaries: {},
  fingerprints: {},
};
beforeAll(async () => {
  redis = await startRedis();
  folder = mkdtempSync(join(tmpdir(), "tl-backup-"));
});
afterAll(async () => {
  await redis.stop();
  rmSync(folder, { recursive: true });
});
beforeEach(async () => {
  file = join(folder, `${Math.random()}.tlb`);
  await redis.client.flushall();
});

/** Stores sessions with every kind of data, some in the trash, settings, and data that no backup needs. */
async function fill(sessions: number): Promise<string[]> {
  const { client } = redis;
  const ids = Array.from({ length: sessions }, () => newSessionId(Date.now()));
  for (const [i, id] of ids.entries()) {
    const slot = slotOf(id);
    const isTrash = i % 5 === 4;
    const place = (key: string): string => (isTrash ? keys.trash(key) : key);
    await client.hset(place(keys.session(id)), "platform", "telegram", "dk", "a.x");
    await client.hset(place(keys.secrets(id)), "k", Buffer.from([0, 255, 10, 13]));
    await client.xadd(place(keys.outbox(id)), "5-1", "i", "1");
    if (isTrash) await client.zadd(keys.slotTrash(slot), Date.now() + 60_000, id);
    else {
      await client.sadd(keys.slotSessions(slot), id);
      await client.zadd(keys.sentIndex(id), 1, "m1");
      await client.set(keys.sent(id, "m1"), "sealed", "EX", 600);
      await client.zadd(keys.idempotencyKeys(id), 1, `result:{${slot}}:c1`);
      await client.hset(`result:{${slot}}:c1`, "st", "done");
    }
  }
  await client.hset(keys.tenants, "acme", "{}");
  await client.sadd("tenant-sessions:{directory}:acme", "x");
  await client.sadd(keys.drained, "shard-9");
  return ids;
}

/** Returns all data in Redis, sorted, because members of a set have no order. */
async function contents(): Promise<string[]> {
  return (await dump(redis.client)).map((stored) => JSON.stringify(stored)).sort();
}

const moment = { owner: "owner:{7}", member: "member:{shard-1}", commands: "commands:{shard-1}" };

describe("a backup", () => {
  it("is what was stored, to the byte and with lifetimes, and nothing of the moment", async () => {
    await fill(40);
    const stored = await contents();
    for (const key of Object.values(moment)) await redis.client.hset(key, "a", "b");
    const end = await writeArchive(file, head, snapshot(redis.client), () => undefined);
    expect(end).toMatchObject({ sessions: 32, inTrash: 8 });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await redis.client.flushall();

    expect(await checkArchive(file)).toEqual({ head, end });
    expect(await writeBack(redis.client, keysIn(file), () => undefined)).toBe(end.keys);
    expect(await contents()).toEqual(stored);
    const [sent = ""] = await redis.client.keys("sent:*");
    expect(await redis.client.pttl(sent)).toBeGreaterThan(500_000);
    // Writing the file back again changes nothing.
    await writeBack(redis.client, keysIn(file), () => undefined);
    expect(await contents()).toEqual(stored);
  });

  it("has a session whole that comes while its slot is read", async () => {
    const [first = ""] = await fill(1);
    const slot = slotOf(first as ReturnType<typeof newSessionId>);
    let late = newSessionId(Date.now());
    while (slotOf(late) !== slot) late = newSessionId(Date.now());
    // A router and its shard create the session after the slots were listed and before this slot is read.
    const groups = snapshot(redis.client);
    const read: StoredGroup[] = [(await groups.next()).value as StoredGroup];
    const client = redis.client;
    const multi = client.multi.bind(client);
    let made = false;
    client.multi = () => {
      if (!made) {
        made = true;
        void client.hset(keys.session(late), "platform", "telegram");
        void client.hset(keys.secrets(late), "k", "v");
        void client.sadd(keys.slotSessions(slot), late);
      }
      return multi();
    };
    for await (const group of groups) read.push(group);
    client.multi = multi;
    const names = read.flatMap((group) => group.keys.map(({ key }) => key));
    expect(names).toEqual(expect.arrayContaining([keys.session(late), keys.secrets(late)]));
    expect(read.at(-1)).toMatchObject({ sessions: 2 });
  });

  it("is removed again as a whole", async () => {
    await fill(10);
    await redis.client.hset(moment.owner, "a", "b");
    await removeStored(redis.client);
    expect(await redis.client.keys("*")).toEqual([moment.owner]);
  });
});

describe("an archive", () => {
  const write = async (): Promise<Buffer> => {
    await fill(3);
    await writeArchive(file, head, snapshot(redis.client), () => undefined);
    return readFileSync(file);
  };
  it.each<[string, (bytes: Buffer) => Buffer, string]>([
    ["that is torn", (bytes) => bytes.subarray(0, bytes.length - 20), "its end is missing"],
    ["that is not packed", () => Buffer.from("{}\n"), "it cannot be unpacked"],
    ["that is empty", () => gzipSync(""), "it is empty"],
    ["without its last line", (bytes) => gzipSync(gunzipSync(bytes).toString().split("\n").slice(0, -2).join("\n")), "its end is missing"],
    [
      "with a key less",
      (bytes) => gzipSync(gunzipSync(bytes).toString().split("\n").toSpliced(2, 1).join("\n")),
      "its checksum does not match",
    ],
    [
      "with another value",
      (bytes) =>
        gzipSync(
          gunzipSync(bytes)
            .toString()
            .replace(/"v":"A/, '"v":"B'),
        ),
      "its checksum does not match",
    ],
    ["with a line that is none", (bytes) => gzipSync(gunzipSync(bytes).toString().replace(/\n/, "\nx\n")), "line 2 is not a valid entry"],
    [
      "of another form",
      (bytes) => gzipSync(gunzipSync(bytes).toString().replace('"form":2', '"form":3')),
      "uses format 3, written by version 1; this version reads format 2",
    ],
    ["of something else", () => gzipSync('{"a":1}\n'), "is not a Trunkline backup"],
  ])("%s is refused", async (_, damage, sentence) => {
    writeFileSync(file, damage(await write()));
    await expect(checkArchive(file)).rejects.toThrow(sentence);
  });
  it("that is not there is said so", async () => {
    await expect(checkArchive(join(folder, "none"))).rejects.toThrow("file not found");
  });
});

describe("a restore", () => {
  it("that is broken off leaves a mark on which nothing starts, until it is done again", async () => {
    await fill(600);
    await writeArchive(file, head, snapshot(redis.client), () => undefined);
    const whole = await contents();
    await redis.client.flushall();
    const breaking = restoreInto(redis.client, keysIn(file), { replace: false }, () => {
      throw new Error("interrupted");
    });
    await expect(breaking).rejects.toThrow("interrupted");
    await expect(requireSupportedSchema(redis.client)).rejects.toThrow("was broken off");
    expect((await contents()).length).toBeLessThan(whole.length);

    await restoreInto(redis.client, keysIn(file), { replace: true }, () => undefined);
    expect(await contents()).toEqual(whole);
    await requireSupportedSchema(redis.client);
  });
  it("wants the keys of the backup, and says in one sentence which are others", async () => {
    await checkKeys(redis.client, ring(1));
    const archived = { ...head, canaries: await redis.client.hgetall(keys.canaries), fingerprints: fingerprintsOf(ring(1)) };
    expect(wrongKeys(archived, ring(1), "secrets.json")).toBeUndefined();
    expect(wrongKeys(archived, ring(2), "secrets.json")).toBe(
      `secrets.json has a different key a, but this backup needs key a (fingerprint ${fingerprintsOf(ring(1))["a"] ?? ""}); nothing was restored. Use the CRED_KEYS of the cluster that was backed up`,
    );
    expect(wrongKeys(archived, KeyRing.parse(`b:${Buffer.alloc(32).toString("base64")}`), "CRED_KEYS")).toContain("CRED_KEYS has no key a");
    expect(wrongKeys(archived, undefined, "")).toContain("missing encryption keys");
  });
  it("is not restored into a used or running gateway without the flags for it", () => {
    const told = { replace: false, whileRunning: false };
    const empty = { keys: 0, sessions: 0, running: [] };
    expect(obstacleTo(empty, told)).toBeUndefined();
    expect(obstacleTo({ ...empty, keys: 3, sessions: 1 }, told)).toContain("is not empty (3 keys, 1 session)");
    expect(obstacleTo({ ...empty, keys: 3 }, { ...told, replace: true })).toBeUndefined();
    expect(obstacleTo({ ...empty, running: ["router-1"] }, { ...told, replace: true })).toContain("the cluster is running (router-1)");
    expect(obstacleTo({ ...empty, running: ["router-1"] }, { ...told, whileRunning: true })).toBeUndefined();
  });
});
