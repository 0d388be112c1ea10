import { expect, it } from "vitest";
import type { Envelope } from "../../../../shared/bus/envelope.js";
import type { SlotOwner, SlotToken } from "../../../../shared/cluster/ownership.js";
import { newCommandId, newSessionId, type SessionId } from "../../../../shared/contract/ids.js";
import { PendingCall } from "../../../../router/bus/pending.js";
import { SendOrder } from "../../../../router/bus/send-order.js";

const session = newSessionId(Date.now());
const owner = (token: string): SlotOwner => ({ member: "shard-1", incarnation: "i", token: token as SlotToken, state: "held" });
const call = (of: SessionId = session): PendingCall =>
  new PendingCall({ id: newCommandId(), session: of } as unknown as Envelope, { class: "send", session: "finds" });
const sentTo = (pending: PendingCall, token: string): void => pending.apply({ type: "sent", to: owner(token), entry: "1-1" });

it("lets a call enter the stream behind those that were accepted before it, and not behind those after it", () => {
  const order = new SendOrder();
  const [first, second] = [call(), call()];
  for (const one of [first, second]) order.enter(one);
  expect([order.hasEarlier(first), order.hasEarlier(second)]).toEqual([false, true]);
  expect([order.before(first, owner("1").token), order.before(second, owner("1").token)]).toEqual([undefined, first]);
  sentTo(first, "1");
  expect(order.before(second, owner("1").token)).toBeUndefined();
});

it("waits for what stands in the stream of an owner that is lost, until it was sent again or has an outcome", () => {
  const order = new SendOrder();
  const [first, second] = [call(), call()];
  for (const one of [first, second]) order.enter(one);
  sentTo(first, "1");
  expect(order.before(second, owner("2").token)).toBe(first);
  first.apply({ type: "reply", outcome: { kind: "ok", output: {} }, attempt: 0, now: 10 } as never);
  expect(order.before(second, owner("2").token)).toBeUndefined();
});

it("knows no order between sessions, and forgets a call that has left", () => {
  const order = new SendOrder();
  const [first, second, other] = [call(), call(), call(newSessionId(Date.now()))];
  const leave = order.enter(first);
  for (const one of [second, other]) order.enter(one);
  expect(order.hasEarlier(other)).toBe(false);
  leave();
  expect(order.hasEarlier(second)).toBe(false);
});
