import { describe, expect, it } from "vitest";
import { holdersOf, keyringRow, lacking, type KeyHolder } from "../../../../router/admin/keyring-row.js";
import { parseKey } from "../../../../router/admin/keyring.js";

const holder = (name: string, keys: string[] | null, role: KeyHolder["role"] = "shard"): KeyHolder => ({ name, role, host: "h1", keys });
const both = [holder("router-1", ["a", "b"], "router"), holder("shard-1", ["a", "b"])];

describe("who opens what is sealed", () => {
  it("lists every living shard, with or without a report, and every router that reported", () => {
    const members = (["active", "draining", "dead", "gone"] as const).map((state, i) => ({ name: `shard-${i + 1}`, state, host: "h1" }));
    const reports = [
      { role: "shard" as const, name: "shard-1", host: "h1", keys: ["a"] },
      { role: "shard" as const, name: "shard-3", host: "h1", keys: ["a"] },
      { role: "router" as const, name: "router-1", host: "h1" },
      { role: "supervisor" as const, name: "supervisor", host: "h1" },
    ];
    expect(holdersOf(members, reports)).toEqual([holder("router-1", null, "router"), holder("shard-1", ["a"]), holder("shard-2", null)]);
  });

  it("lacks a key that its report does not list", () => {
    expect(lacking("b", [...both, holder("shard-2", ["a"]), holder("shard-3", null)])).toEqual(["shard-2", "shard-3"]);
  });
});

describe("a key", () => {
  const rowOf = (id: string, stored: Record<string, string>, holders = both): unknown =>
    keyringRow(stored, holders).keys.find((row) => row.id === id);

  it.each<[string, Record<string, string>, object]>([
    ["is not removable before it was counted", { sealing: "b" }, { records: null, removable: false, neededUntil: "" }],
    ["that seals is not", { sealing: "a", counted: "5" }, { records: 0, removable: false, sealing: true }],
    ["that records need is not", { sealing: "b", counted: "5", "records:a": "2" }, { records: 2, removable: false }],
    [
      "is not while what passes may need it",
      { sealing: "b", counted: "5", "until:a": "6" },
      { records: 0, removable: false, neededUntil: "1970-01-01T00:00:00.006Z" },
    ],
    ["is not while a pass is under way", { sealing: "b", counted: "6", "until:a": "6", phase: "counting" }, { removable: false }],
    ["is once it was counted after that", { sealing: "b", counted: "6", "until:a": "6", phase: "" }, { records: 0, removable: true }],
  ])("%s", (_, stored, expected) => {
    expect(rowOf("a", stored)).toMatchObject(expected);
  });

  it("that was taken out of every ring is shown for as long as records need it", () => {
    const stored = { sealing: "b", counted: "5", "until:z": "1" };
    expect(rowOf("z", stored)).toBeUndefined();
    expect(rowOf("z", { ...stored, "records:z": "1" })).toMatchObject({ records: 1, missing: ["router-1", "shard-1"] });
  });
});

describe("a rotation", () => {
  it("is none before the first one", () => {
    expect(keyringRow({ sealing: "a" }, both)).toMatchObject({ sealing: "a", rotation: null });
  });

  it("shows its progress and the shards that work on it", () => {
    const stored = { sealing: "b", phase: "resealing", total: "9", done: "4", failed: "1", started: "1000", owner: "shard-1:1f" };
    expect(keyringRow(stored, both).rotation).toEqual({
      state: "resealing",
      total: 9,
      done: 4,
      failed: 1,
      started: "1970-01-01T00:00:01.000Z",
      ended: "",
      member: "shard-1",
    });
    expect(keyringRow({ ...stored, phase: "", ended: "2000", owner: "" }, both).rotation).toMatchObject({
      state: "ended",
      ended: "1970-01-01T00:00:02.000Z",
      member: "",
    });
  });
});

describe("the body of POST /admin/keyring/rotate", () => {
  it("names a key", () => expect(parseKey({ body: { key: "b" } })).toBe("b"));
  it.each<[object, string]>([
    [{}, "key must be a string"],
    [{ key: 1 }, "key must be a string"],
    [{ key: "ab" }, "key must be one letter or digit"],
    [{ key: "b", force: true }, "unknown field force"],
  ])("%j is refused", (body, message) => {
    expect(() => parseKey({ body })).toThrow(message);
  });
});
