import { describe, expect, it } from "vitest";
import type { CommandClass } from "../../../../shared/contract/command-row.js";
import { planCancel, planEntry, type KnownEntries } from "../../../../shard/bus/entry-plan.js";

const id = "ab".repeat(16);
const envelopeOf = (attempt: number): object => ({
  v: 1,
  id,
  platform: "telegram",
  command: "post-status",
  session: "0".repeat(24),
  slot: 7,
  replyTo: "r1",
  ttl: 1_000,
  attempt,
  input: "a.c2VhbGVk",
});
const entryOf = (fields: Record<string, string>, again?: true) => ({
  id: "5-0",
  fields: new Map(Object.entries(fields).map(([name, value]) => [name, Buffer.from(value)])),
  ...(again === undefined ? {} : { again }),
});
const command = (attempt = 0, again?: true) => entryOf({ e: JSON.stringify(envelopeOf(attempt)) }, again);
const here =
  (known: KnownEntries) =>
  (asked: string): KnownEntries | undefined =>
    asked === id ? known : undefined;
const nothing = (): undefined => undefined;

describe("an entry of the command stream", () => {
  it.each([
    ["of a caller who has gone cancels", entryOf({ x: id }), nothing, { kind: "cancel", id }],
    ["that is no JSON is buried", entryOf({ e: "{" }), nothing, { kind: "bury" }],
    ["without an envelope is buried", entryOf({ y: "1" }), nothing, { kind: "bury" }],
    ["of another version is buried", entryOf({ e: JSON.stringify({ ...envelopeOf(0), v: 2 }) }), nothing, { kind: "bury" }],
    [
      "whose input stands in the clear is buried",
      entryOf({ e: JSON.stringify({ ...envelopeOf(0), input: {} }) }),
      nothing,
      { kind: "bury" },
    ],
    ["that is new is taken", command(), nothing, { kind: "take", begun: false, recording: false }],
    ["that a former life had read may have been done", command(0, true), nothing, { kind: "take", begun: true, recording: true }],
    ["that a former owner had may have been recorded", command(1), nothing, { kind: "take", begun: false, recording: true }],
    ["that runs, seen again, is ignored", command(0, true), here({ entry: "5-0", following: undefined }), { kind: "ignore" }],
    ["that follows, seen again, is ignored", command(1, true), here({ entry: "4-0", following: "5-0" }), { kind: "ignore" }],
    [
      "of a command that runs follows it",
      command(1),
      here({ entry: "4-0", following: undefined }),
      { kind: "follow", id, instead: undefined },
    ],
    ["follows instead of the try before", command(2), here({ entry: "3-0", following: "4-0" }), { kind: "follow", id, instead: "4-0" }],
  ])("%s", (_, entry, known, expected) => {
    expect(planEntry(entry, known)).toMatchObject(expected);
  });
  it("brings its envelope along", () => {
    expect(planEntry(command(3), nothing)).toMatchObject({ envelope: envelopeOf(3) });
  });
});

describe("a command whose caller has gone", () => {
  it.each<[CommandClass | undefined, boolean, string]>([
    ["read", false, "cut"],
    ["read", true, "cut"],
    ["send", false, "drop"],
    ["send", true, "go-on"],
    ["once", false, "drop"],
    ["once", true, "go-on"],
    [undefined, false, "drop"],
    [undefined, true, "go-on"],
  ])("class %s, recording %s: %s", (commandClass, recording, plan) => {
    expect(planCancel(commandClass, recording)).toBe(plan);
  });
});
