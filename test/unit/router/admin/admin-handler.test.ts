import { describe, expect, it } from "vitest";
import { atMost } from "../../../../router/admin/admin-handler.js";
import type { HttpRequest } from "../../../../router/http/request.js";
import { json, type HttpResponse } from "../../../../router/http/response.js";
import type { Principal } from "../../../../router/tenant/principal.js";
import type { TenantName } from "../../../../shared/contract/tenant.js";
import { aRequest } from "../support.js";

const admin: Principal = { keyId: "a", role: "admin" };
const of = (tenant: string): Principal => ({ keyId: tenant, role: "read", tenant: tenant as TenantName, incarnation: "" });

/** A call whose requests run until `end`. */
function aCall(most: number) {
  const ends: (() => void)[] = [];
  let running = 0;
  const handle = atMost<Principal | undefined>(most, async () => {
    running += 1;
    await new Promise<void>((resolve) => ends.push(resolve));
    running -= 1;
    return json(200, "{}");
  });
  const ask = (caller: Principal | undefined, request: HttpRequest = aRequest({})): Promise<HttpResponse | number> =>
    handle(request, new AbortController().signal, caller).catch((error: unknown) => (error as { status: number }).status);
  const begun = async (): Promise<number> => {
    await new Promise((resolve) => setImmediate(resolve));
    return running;
  };
  return { ask, begun, end: () => ends.splice(0).forEach((end) => end()) };
}

const times = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make);

describe("the places of a call", () => {
  it("still admit an admin while a tenant uses all of its own", async () => {
    const { ask, begun, end } = aCall(16);
    const flood = times(40, () => ask(of("acme")));
    expect(await begun()).toBeLessThan(16);
    const admins = times(16, () => ask(admin));
    expect(await ask(admin)).toBe(503);
    end();
    expect((await Promise.all(admins)).map((answer) => (typeof answer === "number" ? answer : answer.status))).toEqual(
      times(16, () => 200),
    );
    expect((await Promise.all(flood)).filter((answer) => answer === 503).length).toBeGreaterThan(20);
  });

  it("are shared by tenant: the next one always finds some", async () => {
    for (const most of [4, 16]) {
      const { ask, begun, end } = aCall(most);
      void times(40, () => ask(of("acme")));
      const first = await begun();
      expect(first).toBeLessThan(most);
      void times(40, () => ask(of("other")));
      expect(await begun()).toBeGreaterThan(first);
      end();
    }
  });

  it("are given back", async () => {
    const { ask, begun, end } = aCall(4);
    for (let round = 0; round < 5; round++) {
      const asked = times(2, () => ask(of("acme")));
      expect(await begun()).toBe(2);
      end();
      await Promise.all(asked);
    }
  });

  it.each(["POST", "PUT", "PATCH"])("are not taken by %s requests whose bodies do not come", async (method) => {
    const { ask, begun, end } = aCall(4);
    const half: HttpRequest = { ...aRequest({}), method, body: () => new Promise(() => undefined) };
    for (const caller of [admin, of("acme"), undefined]) void times(40, () => ask(caller, half));
    expect(await begun()).toBe(0);
    const whole: HttpRequest = { ...aRequest({}), method, body: () => Promise.resolve(Buffer.from("{}")) };
    const asked = [admin, of("acme"), undefined].map((caller) => ask(caller, whole));
    expect(await begun()).toBe(3);
    end();
    for (const answer of await Promise.all(asked)) expect(answer).toMatchObject({ status: 200 });
  });

  it("are none for a body that is refused", async () => {
    const { ask, begun } = aCall(4);
    const tooLarge: HttpRequest = {
      ...aRequest({}),
      method: "POST",
      body: () => Promise.reject(Object.assign(new Error(), { status: 413 })),
    };
    expect(await Promise.all(times(10, () => ask(admin, tooLarge)))).toEqual(times(10, () => 413));
    expect(await begun()).toBe(0);
  });
});
