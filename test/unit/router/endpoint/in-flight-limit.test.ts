import { describe, expect, it } from "vitest";
import { InFlightLimit, type InFlightHolder, type InFlightLimits } from "../../../../router/endpoint/in-flight-limit.js";
import { serverBusy } from "../../../../shared/contract/errors.js";
import { newSessionId } from "../../../../shared/contract/ids.js";

const [one, other, third] = [1, 2, 3].map((number) => ({ id: newSessionId(number), tenant: "t" })) as [
  InFlightHolder,
  InFlightHolder,
  InFlightHolder,
];

function limitOf(
  limits: InFlightLimits,
  { isShared = false, onChange }: { isShared?: boolean; onChange?: (inUse: number) => void } = {},
): InFlightLimit {
  return new InFlightLimit({ limits, refusal: serverBusy, isShared: () => isShared, ...(onChange === undefined ? {} : { onChange }) });
}

describe("InFlightLimit", () => {
  it("refuses a session past its share, and gives the others theirs", () => {
    const inFlight = limitOf({ total: 400, perSession: 16 });
    const taken = Array.from({ length: 16 }, () => inFlight.take(one));
    expect(() => inFlight.take(one)).toThrow("server busy");
    inFlight.take(other);
    taken[3]?.();
    inFlight.take(one);
    expect(() => inFlight.take(one)).toThrow("server busy");
  });

  it("refuses everybody past the total, which counts all sessions", () => {
    const counts: number[] = [];
    const inFlight = limitOf({ total: 400, perSession: 16 }, { onChange: (count) => counts.push(count) });
    const sessions = Array.from({ length: 25 }, (_, i) => ({ id: newSessionId(i), tenant: "t" }));
    const taken = sessions.flatMap((session) => Array.from({ length: 16 }, () => inFlight.take(session)));
    expect(taken).toHaveLength(400);
    expect(() => inFlight.take(third)).toThrow("server busy");
    taken[0]?.();
    const last = inFlight.take(third);
    expect(() => inFlight.take(third)).toThrow("server busy");
    for (const release of [...taken, last]) release();
    expect(counts.at(-1)).toBe(0);
  });

  it("takes a place back once, however often it is given", () => {
    const inFlight = limitOf({ total: 2, perSession: 1 });
    const first = inFlight.take(one);
    first();
    inFlight.take(one);
    first();
    expect(() => inFlight.take(one)).toThrow("server busy");
    inFlight.take(other);
    expect(() => inFlight.take(third)).toThrow("server busy");
  });

  it("leaves a sixteenth to other tenants, however many sessions one has", () => {
    const inFlight = limitOf({ total: 160, perSession: 16 }, { isShared: true });
    const busy = Array.from({ length: 200 }, (_, i) => inFlight.tryTake({ id: newSessionId(i), tenant: "busy" })).filter(
      (taken) => taken !== undefined,
    );
    expect(busy).toHaveLength(150);
    const quiet = Array.from({ length: 9 }, (_, i) => inFlight.tryTake({ id: newSessionId(1_000 + i), tenant: "quiet" }));
    expect(quiet).not.toContain(undefined);
    expect(inFlight.tryTake({ id: newSessionId(2_000), tenant: "third" })).toBeDefined();
    busy[0]?.();
    expect(inFlight.tryTake({ id: newSessionId(3_000), tenant: "busy" })).toBeUndefined();
  });

  it("leaves nothing empty for a tenant that is alone", () => {
    const inFlight = limitOf({ total: 160, perSession: 16 });
    const taken = Array.from({ length: 200 }, (_, i) => inFlight.tryTake({ id: newSessionId(i), tenant: "alone" }));
    expect(taken.filter((release) => release !== undefined)).toHaveLength(160);
  });
});
