import { expect, it } from "vitest";
import type { OpenEnvelope } from "../../../../shared/bus/envelope.js";
import type { SlotOwner, SlotToken } from "../../../../shared/cluster/ownership.js";
import { newCommandId, newSessionId } from "../../../../shared/contract/ids.js";
import { PendingCall } from "../../../../router/bus/pending.js";
import { envelopeOfTry } from "../../../../router/bus/try-envelope.js";

const owner: SlotOwner = { member: "shard-1", incarnation: "i", token: "1" as SlotToken, state: "held" };
function call(): PendingCall {
  const envelope = { id: newCommandId(), session: newSessionId(Date.now()), attempt: 0, ttl: 1_000, isFirstTry: true };
  return new PendingCall(envelope as unknown as OpenEnvelope, { class: "send", session: "finds" });
}
/** The owner takes the command and then rejects it because its slot moves. */
function move(pending: PendingCall, outcome: { begun?: boolean; unrecorded?: true }): void {
  pending.apply({ type: "sent", to: owner, entry: "1-0" });
  pending.apply({ type: "reply", outcome: { kind: "moved", ...outcome }, attempt: pending.call.attempt, now: performance.now() });
  pending.apply({ type: "pause-over", now: performance.now() });
}

it("is a first try until the command may be somewhere", () => {
  const pending = call();
  expect(envelopeOfTry(pending)).toMatchObject({ attempt: 0, isFirstTry: true });
  expect(envelopeOfTry(pending, true)).toMatchObject({ attempt: 0, isFirstTry: false });
  move(pending, {});
  expect(envelopeOfTry(pending)).toMatchObject({ attempt: 1, isFirstTry: false });
  expect(envelopeOfTry(pending)).not.toHaveProperty("begun");
});

it("tells each later owner that a try without a record had begun", () => {
  const pending = call();
  move(pending, { begun: true, unrecorded: true });
  expect(envelopeOfTry(pending)).toMatchObject({ attempt: 1, begun: true });
  move(pending, {});
  expect(envelopeOfTry(pending)).toMatchObject({ attempt: 2, begun: true });
});

it("leaves it to the record that a recorded try had begun", () => {
  const pending = call();
  move(pending, { begun: true });
  expect(envelopeOfTry(pending)).not.toHaveProperty("begun");
});
