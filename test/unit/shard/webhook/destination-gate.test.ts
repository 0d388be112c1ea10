import { describe, expect, it } from "vitest";
import { DestinationGate, type Permit } from "../../../../shard/webhook/destination-gate.js";

const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
};

/** Enters the gate `count` times and collects the granted permits in order. */
function enter(
  gate: DestinationGate,
  host: string,
  count: number,
  granted: { host: string; permit: Permit }[],
  signal?: AbortSignal,
  tenant = "default",
): void {
  for (let i = 0; i < count; i++)
    void gate.acquire(tenant, host, signal ?? new AbortController().signal).then(
      (permit) => granted.push({ host, permit }),
      () => undefined,
    );
}

describe("DestinationGate", () => {
  it("gives no destination more than its part, and none more than the whole", async () => {
    const gate = new DestinationGate({ total: 5, perDestination: 2, circuitMs: 10 });
    const granted: { host: string; permit: Permit }[] = [];
    for (const host of ["a", "b", "c"]) enter(gate, host, 4, granted);
    await settle();
    expect(granted.map(({ host }) => host).sort()).toEqual(["a", "a", "b", "b", "c"]);
    granted[0]?.permit.done("alive");
    await settle();
    expect([gate.running, granted.length]).toEqual([5, 6]);
  });
  it("lets destinations take turns, first come first served within one", async () => {
    const gate = new DestinationGate({ total: 1, perDestination: 10, circuitMs: 10 });
    const granted: { host: string; permit: Permit }[] = [];
    enter(gate, "busy", 5, granted);
    enter(gate, "rare", 1, granted);
    for (let served = 0; served < 6; served++) {
      await settle();
      granted[served]?.permit.done("alive");
    }
    expect(granted.map(({ host }) => host).indexOf("rare")).toBeLessThanOrEqual(2);
    expect(gate.running).toBe(0);
  });
  it("lets tenants take turns, however many destinations one has, and also at a destination of both", async () => {
    const gate = new DestinationGate({ total: 2, perDestination: 1, circuitMs: 10 });
    const granted: { host: string; permit: Permit }[] = [];
    for (let host = 0; host < 20; host++) enter(gate, `many ${host}`, 1, granted);
    for (let served = 0; served < 3; served++) enter(gate, "common", 1, granted);
    enter(gate, "common", 1, granted, undefined, "other");
    enter(gate, "own", 1, granted, undefined, "other");
    for (let served = 0; served < 5; served++) {
      await settle();
      granted[served]?.permit.done("alive");
    }
    const order = granted.map(({ host }) => host);
    expect(order.slice(0, 5)).toEqual(["many 0", "many 1", "common", "many 2", "own"]);
    expect(gate.running).toBe(2);
  });
  it("releases a place only once, and passes an aborted waiter's place to the next", async () => {
    const gate = new DestinationGate({ total: 1, circuitMs: 10 });
    const granted: { host: string; permit: Permit }[] = [];
    enter(gate, "a", 1, granted);
    const leaving = new AbortController();
    enter(gate, "a", 1, granted, leaving.signal);
    enter(gate, "a", 1, granted);
    await settle();
    leaving.abort();
    granted[0]?.permit.done("alive");
    granted[0]?.permit.done("alive");
    await settle();
    expect([granted.length, gate.running]).toEqual([2, 1]);
    // The signal aborts in the same turn in which the permit is granted.
    const late = new AbortController();
    enter(gate, "a", 1, granted, late.signal);
    enter(gate, "a", 1, granted);
    granted[1]?.permit.done("alive");
    late.abort();
    await settle();
    expect(gate.running).toBe(1);
  });
  it("leaves a destination alone after failures in a row, then tries one at a time until it lives", async () => {
    let now = 0;
    const gate = new DestinationGate({ perDestination: 3, failuresMax: 3, circuitMs: 20, now: () => now });
    const granted: { host: string; permit: Permit }[] = [];
    enter(gate, "a", 10, granted);
    await settle();
    for (const { permit } of granted.slice(0, 3)) permit.done("failed");
    await settle();
    expect([granted.length, gate.openCircuits]).toEqual([5, 1]);
    // Two permits were granted before the third failure.
    for (const { permit } of granted.slice(3)) permit.done("unspent");
    await settle();
    expect(granted.length).toBe(5);
    enter(gate, "b", 1, granted);
    await settle();
    expect(granted.at(-1)?.host).toBe("b");
    now = 1_000;
    await expect.poll(() => granted.length).toBe(7);
    await settle();
    expect(granted.length).toBe(7);
    granted[6]?.permit.done("alive");
    await settle();
    expect([granted.length, gate.openCircuits]).toEqual([10, 0]);
    gate.stop();
  });
});
