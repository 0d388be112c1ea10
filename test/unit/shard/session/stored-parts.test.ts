import { expect, it } from "vitest";
import type { UpdateEvent } from "../../../../shard/session/session-context.js";
import { StoreAccess } from "../../../../shard/session/store-access.js";
import type { SessionUpdates } from "../../../../shard/session/store/session-updates.js";
import { updatesBy } from "../../../../shard/session/stored-parts.js";

const access = new StoreAccess({ fence: { holds: () => true }, onFenced: () => undefined, onUnreadable: () => undefined });
const event: UpdateEvent = { id: "e1", type: "message.new", created: "2026-11-21T12:00:00.000Z", data: {} };

it.each<[string, readonly UpdateEvent[], readonly string[], number, boolean]>([
  ["events that were appended", [event], ["message.new"], 1, true],
  ["a step that is repeated after a lost reply, whose events may still wait", [event], ["message.new"], 0, true],
  ["events that were appended although the webhook was off a moment before", [event], [], 1, true],
  ["events while the webhook is off", [event], [], 0, false],
  ["events of a type that the receiver does not get", [event], ["message.read"], 0, false],
  ["a step without events", [], ["message.new"], 0, false],
])("wakes the delivery, or lets it sleep, after %s", async (_, events, requested, appended, wakes) => {
  const updates: Pick<SessionUpdates, "advance"> = { advance: () => Promise.resolve({ appended, overflowed: 0 }) };
  let woken = false;
  const log = updatesBy(access, updates as SessionUpdates, {
    requested: () => new Set(requested),
    onAppended: () => (woken = true),
  });
  await log.advance({ cursor: "1", events, messages: new Map() });
  expect(woken).toBe(wakes);
});
