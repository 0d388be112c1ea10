import { expect, it } from "vitest";
import type { OpenEnvelope } from "../../../../shared/bus/envelope.js";
import type { SlotOwner, SlotToken } from "../../../../shared/cluster/ownership.js";
import { newCommandId, newSessionId, type SessionId } from "../../../../shared/contract/ids.js";
import { PendingCall } from "../../../../router/bus/pending.js";
import { SendOrder } from "../../../../router/bus/send-order.js";

const session = newSessionId(Date.now());
const owner = (token: string): SlotOwner => ({ member: "shard-1", incarnation: "i", token: token as SlotToken, state: "held" });
const call = (of: SessionId = session): PendingCall =>
  new PendingCall({ id: newCommandId(), session: of } as unknown as OpenEnvelope, { class: "send", session: "finds" });
const sentTo = (pending: PendingCall, token: string): void => pending.apply({ type: "sent", to: owner(token), entry: "1-1" });

it("lets a call enter the stream behind those that were accepted before it, and not behind those after it", () => {
  const order = new SendOrder();
  const [first, second] = [call(), call()];
  for (const one of [first, second]) order.enter(one);
  const before = (token: string): unknown[] => [first, second].map((one) => order.before(one, owner(token).token));
  expect(before("1")).toEqual([undefined, first]);
  order.write(first, owner("1").token);
  expect([before("1"), before("2")]).toEqual([
    [undefined, undefined],
    [undefined, first],
  ]);
  sentTo(first, "1");
  expect(before("1")).toEqual([undefined, undefined]);
  // The owner is lost, so the first call is resent before the second one is sent.
  expect(before("2")).toEqual([undefined, first]);
  first.apply({ type: "time-over" });
  expect(before("2")).toEqual([undefined, undefined]);
});

it("waits for those before a call that has ended too, and keeps none in memory that is over", () => {
  const order = new SendOrder();
  const [first, second, third] = [call(), call(), call()];
  for (const one of [first, second, third]) order.enter(one);
  second.apply({ type: "time-over" });
  order.leave(second);
  expect(order.before(third, owner("1").token)).toBe(first);
  first.apply({ type: "time-over" });
  third.apply({ type: "time-over" });
  for (const one of [first, second, third]) order.leave(one);
  expect([first, second, third].map(({ ahead }) => ahead)).toEqual([undefined, undefined, undefined]);
  const next = call();
  order.enter(next);
  expect(next.ahead).toBeUndefined();
});

it("knows no order between sessions", () => {
  const order = new SendOrder();
  order.enter(call());
  const other = call(newSessionId(Date.now()));
  order.enter(other);
  expect(other.ahead).toBeUndefined();
});
