import { expect, it } from "vitest";
import { OpenOutput, type OpenEnvelope, type Outcome, type Reply } from "../../../../shared/bus/envelope.js";
import { LocalBus } from "../../../../shared/bus/local-bus.js";
import { newCommandId, newSessionId } from "../../../../shared/contract/ids.js";
import { AbortScope } from "../../../../shared/flow/abort-scope.js";
import { LocalReplies } from "../../../../shard/bus/local-replies.js";
import { Task } from "../../../../shard/bus/task.js";

/** Replies to one command. Resolves with what its router got and with the number of commands that are still open. */
async function replied(outcome: Outcome, recorded?: Promise<void>): Promise<{ outcome: Outcome | undefined; open: number }> {
  const bus = new LocalBus("shard-1");
  bus.read({ onEntry: () => undefined, wants: () => true });
  const got: Reply[] = [];
  bus.listen((reply) => got.push(reply));
  const envelope = { id: newCommandId(), session: newSessionId(Date.now()), attempt: 3 } as unknown as OpenEnvelope;
  const entry = bus.enqueue(envelope);
  const task = new Task({ entry, ageMs: () => 0, envelope, facts: undefined, left: new AbortScope(), effect: "none" });
  task.recorded = recorded;
  let stored = false;
  await new LocalReplies(bus).reply(task, outcome, () => (stored = true));
  expect(stored).toBe(true);
  expect(got).toMatchObject([{ id: envelope.id, session: envelope.session, attempt: 3 }]);
  return { outcome: got[0]?.outcome, open: bus.entries };
}

it.each<[string, Outcome, Outcome]>([
  ["an output as it is", { kind: "ok", output: { id: "5" } }, { kind: "ok", output: new OpenOutput({ id: "5" }) }],
  ["no output as null", { kind: "ok", output: undefined }, { kind: "ok", output: new OpenOutput(null) }],
  ["a replayed output", { kind: "ok", output: 1, replayed: true }, { kind: "ok", output: new OpenOutput(1), replayed: true }],
  ["another outcome unchanged", { kind: "moved", begun: true }, { kind: "moved", begun: true }],
])("brings %s to the router, and frees the command's place", async (_, outcome, expected) => {
  expect(await replied(outcome)).toEqual({ outcome: expected, open: 0 });
});

it("keeps the place until the command's outcome is recorded", async () => {
  let record: () => void = () => undefined;
  const recorded = new Promise<void>((resolve) => (record = resolve));
  const replying = replied({ kind: "expired" }, recorded);
  record();
  expect((await replying).open).toBe(0);
});
