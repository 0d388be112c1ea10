import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { syntheticBytes } from "../../../files/synthetic-bytes.js";
import type { AuthKey, RpcConnection } from "../../../telegram/rpc.js";
import { faultError, telegramFaults, type TelegramFault } from "../../../telegram/world/faults.js";
import { MessageBox } from "../../../telegram/world/message-box.js";
import { OverlapWatch } from "../../../telegram/world/overlaps.js";
import { Uploads } from "../../../telegram/world/uploads.js";

describe("overlap watch", () => {
  it("reports an older connection that goes on after a younger one took over", () => {
    const { key, connect } = aKey();
    const watch = new OverlapWatch();
    const old = connect();
    watch.called(key, old);
    const young = connect();
    watch.called(key, young);
    watch.spoke(key, young);
    expect(watch.overlaps).toEqual([]);
    watch.spoke(key, old);
    watch.called(key, old);
    expect(watch.overlaps).toMatchObject([{ account: "alice", key: "1" }]);
  });

  it("says nothing of a reconnect, of a silent old socket or of a connection for files", () => {
    const { key, connect } = aKey();
    const watch = new OverlapWatch();
    const old = connect();
    watch.called(key, old);
    watch.spoke(key, connect());
    watch.called(key, connect());
    key.connections.delete(old);
    watch.called(key, connect());
    expect(watch.overlaps).toEqual([]);
  });

  it("reports a key that was destroyed because of two addresses, though the older connection said nothing, and once", () => {
    const { key, connect } = aKey();
    const watch = new OverlapWatch();
    const old = connect();
    watch.called(key, old);
    const young = connect();
    watch.report(key, [old, young]);
    watch.called(key, young);
    watch.spoke(key, old);
    expect(watch.overlaps).toMatchObject([{ account: "alice", key: "1" }]);
  });
});

describe("faults", () => {
  const fault = (fields: Partial<TelegramFault> & Pick<TelegramFault, "kind">): TelegramFault => ({
    account: undefined,
    method: undefined,
    seconds: undefined,
    error: undefined,
    times: undefined,
    ...fields,
  });

  it("acts as often as it was told, on the account and method that it names", () => {
    const faults = telegramFaults();
    faults.arm(fault({ kind: "error", account: "alice", method: "messages.sendMessage", error: "PEER_FLOOD", times: 2 }));
    expect(faults.take(["error"], "bob", "messages.SendMessage")).toBeUndefined();
    expect(faults.take(["error"], "alice", "messages.SendMedia")).toBeUndefined();
    expect(faults.take(["error"], "alice", "messages.SendMessage")).toBeDefined();
    expect(faults.take(["error"], "alice", "messages.SendMessage")).toBeDefined();
    expect(faults.take(["error"], "alice", "messages.SendMessage")).toBeUndefined();
  });

  it.each([
    [{ kind: "flood-wait", seconds: 12 }, 420, "FLOOD_WAIT_12"],
    [{ kind: "error", error: "CHAT_WRITE_FORBIDDEN" }, 403, "CHAT_WRITE_FORBIDDEN"],
    [{ kind: "error", error: "406: PRIVACY_PREMIUM_REQUIRED" }, 406, "PRIVACY_PREMIUM_REQUIRED"],
    [{ kind: "error", error: "SLOWMODE_WAIT_7" }, 420, "SLOWMODE_WAIT_7"],
    [{ kind: "error", error: "FILE_MIGRATE_2" }, 303, "FILE_MIGRATE_2"],
    [{ kind: "error" }, 500, "INTERNAL"],
    [{ kind: "error", error: "INTERDC_2_CALL_ERROR" }, 500, "INTERDC_2_CALL_ERROR"],
    [{ kind: "error", error: "-503 Timeout" }, -503, "Timeout"],
  ] as const)("turns %j into %i %s", (fields, code, name) => {
    expect(faultError(fault(fields))).toMatchObject({ code, errorName: name });
  });
});

describe("message box", () => {
  it("answers from its log and admits when it reaches back no further", () => {
    const box = new MessageBox();
    box.add({ date: 1, peer: 5, from: 5, out: false, text: "seed", seeded: true });
    expect(box.pts).toBe(1);
    const message = box.add({ date: 2, peer: 5, from: 5, out: false, text: "new" });
    box.delete([message.id, 999]);
    expect(box.since(1)).toMatchObject([
      { kind: "new", pts: 2 },
      { kind: "delete", pts: 3, ids: [message.id] },
    ]);
    expect(box.since(3)).toEqual([]);
    expect(box.since(-7)).toBeUndefined();
    for (let i = 0; i < 6_000; i++) box.edit(1, { text: `seed ${i}`, editDate: 3 });
    expect(box.since(1)).toBeUndefined();
    expect(box.since(box.pts - 10)).toHaveLength(10);
  });
});

describe("uploads", () => {
  it("hashes parts that arrive out of order", () => {
    const uploads = new Uploads();
    const bytes = Buffer.alloc(3 * 524_288 - 100, "abc");
    for (const part of [2, 0, 1, 1]) uploads.savePart("alice", "1", part, bytes.subarray(part * 524_288, (part + 1) * 524_288), 3);
    const file = uploads.take("alice", "1", 3);
    expect(file).toMatchObject({ size: bytes.length, sha256: createHash("sha256").update(bytes).digest("hex") });
    expect(file.bytes?.equals(bytes)).toBe(true);
    expect(() => uploads.take("alice", "1", 3)).toThrow("FILE_PARTS_INVALID");
  });
});

it("computes the same synthetic bytes whatever range is asked for", () => {
  const all = syntheticBytes("22", 0, 10_000);
  expect(syntheticBytes("22", 4_097, 1_003).equals(all.subarray(4_097, 5_100))).toBe(true);
  expect(syntheticBytes("23", 0, 64).equals(all.subarray(0, 64))).toBe(false);
  expect(syntheticBytes("22", 2 ** 30, 64).equals(all.subarray(0, 64))).toBe(false);
});

function aKey(): { key: AuthKey; connect: () => RpcConnection } {
  const key: AuthKey = {
    id: "1",
    dcId: 1,
    authKey: Buffer.alloc(256),
    salt: 0n,
    initialised: true,
    client: undefined,
    layer: 198,
    account: "alice",
    pendingAccount: undefined,
    scannedAccount: undefined,
    revoked: undefined,
    home: true,
    duplicated: false,
    connections: new Set(),
  };
  const connect = (): RpcConnection => {
    const connection: RpcConnection = {
      dcId: 1,
      remoteAddress: "127.0.0.1",
      openedAt: 0,
      key,
      main: true,
      push: () => undefined,
      destroy: () => undefined,
    };
    key.connections.add(connection);
    return connection;
  };
  return { key, connect };
}
