import { afterEach, expect, it } from "vitest";
import type { OpenEnvelope } from "../../../../shared/bus/envelope.js";
import type { SlotOwner, SlotToken } from "../../../../shared/cluster/ownership.js";
import { newCommandId, newSessionId } from "../../../../shared/contract/ids.js";
import { silentLog } from "../../../../shared/log/logger.js";
import { OwnerFollower } from "../../../../router/bus/owner-follower.js";
import { Pending, PendingCall } from "../../../../router/bus/pending.js";
import { SendOrder } from "../../../../router/bus/send-order.js";
import { eventually } from "../../../harness/eventually.js";

const ownerOf = (member: string, token: string): SlotOwner => ({ member, incarnation: "i", token: token as SlotToken, state: "held" });
const next = ownerOf("shard-3", "3");

let follower: OwnerFollower;
afterEach(() => follower.stop());

it("resends what a lost owner may have, and waits for the reply of its own process's shard", async () => {
  const pending = new Pending();
  const sentTo = (member: string): PendingCall => {
    const envelope = { id: newCommandId(), session: newSessionId(Date.now()), slot: 1, attempt: 0, ttl: 1_000 };
    const call = new PendingCall(envelope as unknown as OpenEnvelope, { class: "send", session: "finds" });
    pending.add(call);
    call.apply({ type: "sent", to: ownerOf(member, "1"), entry: "1-0" });
    return call;
  };
  const [own, other] = [sentTo("shard-1"), sentTo("shard-2")];
  const enqueued: string[] = [];
  follower = new OwnerFollower({
    pending,
    owners: { owner: () => Promise.resolve(next), onChange: () => undefined, offChange: () => undefined },
    order: new SendOrder(),
    sender: {
      isLocal: ({ member }) => member === "shard-1",
      enqueue: ({ id }, to) => {
        enqueued.push(id);
        return Promise.resolve({ to, entry: "2-0" });
      },
    },
    readReplies: () => Promise.resolve(),
    onRepeated: () => undefined,
    log: silentLog,
  });
  follower.start();
  await eventually("the resent command", () => other.call.at === next);
  expect(enqueued).toEqual([other.envelope.id]);
  expect([own.call.attempt, own.call.at?.member]).toEqual([0, "shard-1"]);
});
