import { describe, expect, it } from "vitest";
import { SessionSlots } from "../../../../router/endpoint/session-slots.js";
import { serverBusy } from "../../../../shared/contract/errors.js";
import { newSessionId } from "../../../../shared/contract/ids.js";

const [one, other, third] = [newSessionId(1), newSessionId(2), newSessionId(3)];

describe("SessionSlots", () => {
  it("refuses a session past its share, and gives the others theirs", () => {
    const slots = new SessionSlots({ total: 400, perSession: 16 }, serverBusy);
    const taken = Array.from({ length: 16 }, () => slots.take(one));
    expect(() => slots.take(one)).toThrow("server busy");
    slots.take(other);
    taken[3]?.();
    slots.take(one);
    expect(() => slots.take(one)).toThrow("server busy");
  });

  it("refuses everybody past the total, which counts all sessions", () => {
    const counts: number[] = [];
    const slots = new SessionSlots({ total: 400, perSession: 16 }, serverBusy, (count) => counts.push(count));
    const sessions = Array.from({ length: 25 }, (_, i) => newSessionId(i));
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
    const slots = new SessionSlots({ total: 2, perSession: 1 }, serverBusy);
    const first = slots.take(one);
    first();
    slots.take(one);
    first();
    expect(() => slots.take(one)).toThrow("server busy");
    slots.take(other);
    expect(() => slots.take(third)).toThrow("server busy");
  });
});
