import { describe, expect, it } from "vitest";
import { CredentialGuard } from "../../../../../router/tenant/guard/credential-guard.js";
import { WrongCredentials } from "../../../../../router/tenant/guard/wrong-credentials.js";
import { CallerAddresses, TrustedProxies } from "../../../../../router/http/caller-addresses.js";
import { ApiError } from "../../../../../shared/contract/api-error.js";
import { sessionNotFound } from "../../../../../shared/contract/errors.js";
import { aRequest } from "../../support.js";

const wrongKey = new WrongCredentials(new ApiError(401, "invalid api key"));
const wrongSecret = (id: string): WrongCredentials => new WrongCredentials(sessionNotFound(), id);
const from = (address: string, headers: Record<string, string> = {}) => ({ ...aRequest(headers), address: () => address });

function aGuard() {
  const counted: string[] = [];
  const clock = { ms: 0 };
  const guard = new CredentialGuard({
    perMinute: 10,
    callers: new CallerAddresses(TrustedProxies.parse("10.0.0.0/8")),
    metrics: { wrongCredentials: (answer) => counted.push(answer) },
    now: () => clock.ms,
  });
  const statuses = (count: number, wrong: (n: number) => WrongCredentials, address: (n: number) => string): number[] =>
    Array.from({ length: count }, (_, n) => guard.judge(wrong(n), from(address(n))).status);
  return { guard, counted, clock, statuses };
}

describe("wrong credentials", () => {
  it("get a 401 ten times a minute per address and are then slowed", () => {
    const { guard, counted, clock, statuses } = aGuard();
    expect(
      statuses(
        12,
        () => wrongKey,
        () => "192.0.2.1",
      ),
    ).toEqual([...Array<number>(10).fill(401), 429, 429]);
    clock.ms = 20_000;
    const slowed = guard.judge(wrongSecret("x"), from("192.0.2.1"));
    expect(slowed).toMatchObject({ status: 429, message: "too many requests", retryAfterSeconds: 40 });
    expect(guard.judge(wrongKey, from("192.0.2.2")).status).toBe(401);
    expect(counted.filter((answer) => answer === "address")).toHaveLength(3);
    clock.ms = 61_000;
    expect(guard.judge(wrongKey, from("192.0.2.1")).status).toBe(401);
  });

  it("say beforehand whether an address is slowed, and count nothing by that", () => {
    const { guard, statuses } = aGuard();
    const slowed = (): boolean[] => ["192.0.2.1", "192.0.2.2"].map((address) => guard.isSlowed(from(address)));
    for (let n = 0; n < 20; n += 1) expect(slowed()).toEqual([false, false]);
    statuses(
      10,
      () => wrongKey,
      () => "192.0.2.1",
    );
    expect(slowed()).toEqual([true, false]);
    // The client has left, so its address is unknown.
    expect(guard.isSlowed(from(""))).toBe(true);
  });

  it("for one session are slowed from wherever they come, whether it exists or not", () => {
    const { statuses, counted } = aGuard();
    const address = (n: number): string => `192.0.2.${n}`;
    expect(statuses(12, () => wrongSecret("one"), address)).toEqual([...Array<number>(10).fill(404), 429, 429]);
    expect(
      statuses(
        1,
        () => wrongSecret("another"),
        () => "198.51.100.1",
      ),
    ).toEqual([404]);
    expect(counted.at(-2)).toBe("session");
  });

  it("of an address that has too many count against no session", () => {
    const { statuses } = aGuard();
    expect(
      statuses(
        40,
        (n) => wrongSecret(n < 10 ? `other ${n}` : "one"),
        () => "192.0.2.1",
      ).slice(10),
    ).toEqual(Array(30).fill(429));
    expect(
      statuses(
        10,
        () => wrongSecret("one"),
        (n) => `198.51.100.${n}`,
      ),
    ).toEqual(Array(10).fill(404));
  });

  it("count for the address that a trusted proxy names, and per network with IPv6", () => {
    const { guard, statuses } = aGuard();
    for (let n = 0; n < 11; n++) guard.judge(wrongKey, from("10.0.0.1", { "x-forwarded-for": "192.0.2.1" }));
    expect(guard.judge(wrongKey, from("10.0.0.1", { "x-forwarded-for": "192.0.2.1" })).status).toBe(429);
    expect(guard.judge(wrongKey, from("10.0.0.1", { "x-forwarded-for": "192.0.2.9" })).status).toBe(401);
    expect(
      statuses(
        11,
        () => wrongKey,
        (n) => `2001:db8::${n}`,
      ).at(-1),
    ).toBe(429);
  });

  it("that other routers were sent count here", () => {
    const [here, there] = [aGuard(), aGuard()];
    here.statuses(
      6,
      () => wrongSecret("one"),
      () => "192.0.2.1",
    );
    there.statuses(
      4,
      () => wrongSecret("one"),
      () => "192.0.2.1",
    );
    there.guard.add(here.guard.takeFresh());
    expect(here.guard.takeFresh().size).toBe(0);
    expect(there.guard.judge(wrongKey, from("192.0.2.1")).status).toBe(429);
    expect(there.guard.judge(wrongSecret("one"), from("192.0.2.2")).status).toBe(429);
    // Counts from other routers are not sent again. The second address is new.
    const fresh = there.guard.takeFresh();
    expect([...fresh.values()]).toEqual([4, 4, 1]);
    expect(JSON.stringify([...fresh.keys()])).not.toMatch(/192\.0\.2|one/);
  });

  it("are not counted when the client has left", () => {
    const { guard } = aGuard();
    for (let n = 0; n < 20; n++) expect(guard.judge(wrongKey, from("")).status).toBe(401);
  });
});
