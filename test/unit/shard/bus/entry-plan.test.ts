import { describe, expect, it } from "vitest";
import type { Envelope } from "../../../../shared/bus/envelope.js";
import { writeEnvelope } from "../../../../shared/bus/envelope-bytes.js";
import { slotOf } from "../../../../shared/contract/slot.js";
import type { CommandClass } from "../../../../shared/contract/command-row.js";
import type { CommandId, SessionId } from "../../../../shared/contract/ids.js";
import { planCancel, planEntry, readEntry, type EntriesInFlight, type EntryPlan } from "../../../../shard/bus/entry-plan.js";
import type { Effect } from "../../../../shard/bus/task.js";

const id = "ab".repeat(16) as CommandId;
const session = "0".repeat(24) as SessionId;
const envelopeOf = (attempt: number, more: Partial<Envelope> = {}): Envelope => ({
  id,
  platform: "telegram",
  command: "post-status",
  session,
  slot: slotOf(session),
  replyTo: "r1",
  ttl: 1_000,
  attempt,
  input: Buffer.from("sealed"),
  ...more,
});
const entryOf = (fields: Record<string, string | Buffer>, again?: true) => ({
  id: "5-0",
  fields: new Map(Object.entries(fields).map(([name, value]) => [name, typeof value === "string" ? Buffer.from(value) : value])),
  ...(again === undefined ? {} : { again }),
});
const command = (attempt = 0, again?: true) => entryOf({ e: writeEnvelope(envelopeOf(attempt)) }, again);
const here =
  (entries: EntriesInFlight) =>
  (wanted: string): EntriesInFlight | undefined =>
    wanted === id ? entries : undefined;
const nothing = (): undefined => undefined;
const planOf = (entry: ReturnType<typeof entryOf>, entriesOf: Parameters<typeof planEntry>[1]): EntryPlan | "unreadable" => {
  const received = readEntry(entry);
  return received === undefined ? "unreadable" : planEntry(received, entriesOf);
};

describe("an entry of the command stream", () => {
  it.each([
    ["of a caller who has gone cancels", entryOf({ x: id }), nothing, { kind: "cancel", id }],
    ["that is new is taken", command(), nothing, { kind: "take", effect: "none" }],
    ["that a former life had read may have been done", command(0, true), nothing, { kind: "take", effect: "possible" }],
    ["that a former owner had may have been recorded", command(1), nothing, { kind: "take", effect: "in-doubt" }],
    [
      "that a former owner may have begun without a record may have been done",
      entryOf({ e: writeEnvelope(envelopeOf(1, { begun: true })) }),
      nothing,
      { kind: "take", effect: "possible" },
    ],
    ["that runs, seen again, is ignored", command(0, true), here({ entry: "5-0", following: undefined }), { kind: "ignore" }],
    ["that follows, seen again, is ignored", command(1, true), here({ entry: "4-0", following: "5-0" }), { kind: "ignore" }],
    [
      "of a command that runs follows it",
      command(1),
      here({ entry: "4-0", following: undefined }),
      { kind: "follow", id, instead: undefined },
    ],
    ["follows instead of the try before", command(2), here({ entry: "3-0", following: "4-0" }), { kind: "follow", id, instead: "4-0" }],
  ])("%s", (_, entry, entriesOf, expected) => {
    expect(planOf(entry, entriesOf)).toMatchObject(expected);
  });
  it.each([
    ["that is no envelope", entryOf({ e: "{" })],
    ["without an envelope", entryOf({ y: "1" })],
    ["of another version", entryOf({ e: writeEnvelope(envelopeOf(0)).fill(2, 0, 1) })],
  ])("%s is unreadable", (_, entry) => {
    expect(planOf(entry, nothing)).toBe("unreadable");
  });
  it("brings its envelope along", () => {
    expect(planOf(command(3), nothing)).toMatchObject({ envelope: envelopeOf(3) });
  });
});

describe("a command whose caller has gone", () => {
  it.each<[CommandClass | undefined, Effect, string]>([
    ["read", "none", "cut"],
    ["read", "possible", "cut"],
    ["send", "none", "drop"],
    ["send", "in-doubt", "go-on"],
    ["once", "none", "drop"],
    ["once", "in-doubt", "go-on"],
    [undefined, "none", "drop"],
    [undefined, "in-doubt", "go-on"],
  ])("class %s, effect %s: %s", (commandClass, effect, plan) => {
    expect(planCancel(commandClass, effect)).toBe(plan);
  });
});
