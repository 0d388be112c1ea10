import { describe, expect, it } from "vitest";
import { SessionSlots, type SlotHolder, type SlotLimits } from "../../../../router/endpoint/session-slots.js";
import { serverBusy } from "../../../../shared/contract/errors.js";
import { newSessionId } from "../../../../shared/contract/ids.js";

const [one, other, third] = [1, 2, 3].map((number) => ({ id: newSessionId(number), tenant: "t" })) as [SlotHolder, SlotHolder, SlotHolder];

function slotsOf(
  limits: SlotLimits,
  { isShared = false, onChange }: { isShared?: boolean; onChange?: (inUse: number) => void } = {},
): SessionSlots {
  return new SessionSlots({ limits, refusal: serverBusy, isShared: () => isShared, ...(onChange === undefined ? {} : { onChange }) });
}

describe("SessionSlots", () => {
  it("refuses a session past its share, and gives the others theirs", () => {
    const slots = slotsOf({ total: 400, perSession: 16 });
    const taken = Array.from({ length: 16 }, () => slots.take(one));
    expect(() => slots.take(one)).toThrow("server busy");
    slots.take(other);
    taken[3]?.();
    slots.take(one);
    expect(() => slots.take(one)).toThrow("server busy");
  });

  it("refuses everybody past the total, which counts all sessions", () => {
    const counts: number[] = [];
    const slots = slotsOf({ total: 400, perSession: 16 }, { onChange: (count) => counts.push(count) });
    const sessions = Array.from({ length: 25 }, (_, i) => ({ id: newSessionId(i), tenant: "t" }));
    const taken = sessions.flatMap((session) => Array.from({ length: 16 }, () => slots.take(session)));
    expect(taken).toHaveLength(400);
    expect(() => slots.take(third)).toThrow("server busy");
    taken[0]?.();
    const last = slots.take(third);
    expect(() => slots.take(third)).toThrow("server busy");
    for (const release of [...taken, last]) release();
    expect(counts.at(-1)).toBe(0);
  });

  it("takes a slot back once, however often it is given", () => {
    const slots = slotsOf({ total: 2, perSession: 1 });
    const first = slots.take(one);
    first();
    slots.take(one);
    first();
    expect(() => slots.take(one)).toThrow("server busy");
    slots.take(other);
    expect(() => slots.take(third)).toThrow("server busy");
  });

  it("leaves a sixteenth to other tenants, however many sessions one has", () => {
    const slots = slotsOf({ total: 160, perSession: 16 }, { isShared: true });
    const busy = Array.from({ length: 200 }, (_, i) => slots.tryTake({ id: newSessionId(i), tenant: "busy" })).filter(
      (taken) => taken !== undefined,
    );
    expect(busy).toHaveLength(150);
    const quiet = Array.from({ length: 9 }, (_, i) => slots.tryTake({ id: newSessionId(1_000 + i), tenant: "quiet" }));
    expect(quiet).not.toContain(undefined);
    expect(slots.tryTake({ id: newSessionId(2_000), tenant: "third" })).toBeDefined();
    busy[0]?.();
    expect(slots.tryTake({ id: newSessionId(3_000), tenant: "busy" })).toBeUndefined();
  });

  it("leaves nothing empty for a tenant that is alone", () => {
    const slots = slotsOf({ total: 160, perSession: 16 });
    const taken = Array.from({ length: 200 }, (_, i) => slots.tryTake({ id: newSessionId(i), tenant: "alone" }));
    expect(taken.filter((release) => release !== undefined)).toHaveLength(160);
  });
});
