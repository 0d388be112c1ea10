import { describe, expect, it } from "vitest";
import { authorize } from "../../../../router/endpoint/authorize.js";
import { catching, refusing } from "../../../../router/endpoint/serve.js";
import { UnknownKey } from "../../../../router/tenant/guard/wrong-credentials.js";
import { CredentialGuard } from "../../../../router/tenant/guard/credential-guard.js";
import { CallerAddresses, TrustedProxies } from "../../../../router/http/caller-addresses.js";
import { json } from "../../../../router/http/response.js";
import { newApiKey } from "../../../../router/tenant/api-key.js";
import { localPrincipal, type KeyPort } from "../../../../router/tenant/principal.js";
import { ApiError } from "../../../../shared/contract/api-error.js";
import { silentLog } from "../../../../shared/log/logger.js";
import { aRequest } from "../support.js";

/**
 * A route for callers with a right key. `made`: the key is in Redis but this router does not know it yet. `fails`: the error of its work.
 */
function aRoute(made: boolean, fails?: Error) {
  const key = newApiKey();
  const ran = { looks: 0, work: 0 };
  const keys: KeyPort = {
    isOpen: false,
    isShared: false,
    find: (given) => (given === key && made && ran.looks > 0 ? localPrincipal : undefined),
    mayBeNew: (given) => given.startsWith("tl_"),
    learn: () => {
      ran.looks += 1;
      return Promise.resolve();
    },
  };
  const guard = new CredentialGuard({
    perMinute: 10,
    callers: new CallerAddresses(TrustedProxies.none),
    metrics: { wrongCredentials: () => undefined },
  });
  const parts = { keys, guard, log: silentLog };
  const refusal = refusing((request) => authorize(keys, "administer", request), parts);
  const handler = catching(
    {
      authenticate: (request) => authorize(keys, "administer", request),
      handle: () => {
        ran.work += 1;
        if (fails !== undefined) throw fails;
        return Promise.resolve(json(200, "{}"));
      },
    },
    "a route",
    parts,
  );
  /** Resolves with the status, and whether the headers alone decided. */
  const ask = async (given = key, address = "192.0.2.1"): Promise<[status: number, decidedBy: "head" | "handler"]> => {
    const request = { ...aRequest({ "x-api-key": given }), address: () => address };
    const early = refusal(request, request.address, request.identified);
    return early === undefined ? [(await handler(request, new AbortController().signal)).status, "handler"] : [early.status, "head"];
  };
  return { ask, ran };
}

describe("a key that this router does not know", () => {
  it("is accepted when another router has just created it, after one read", async () => {
    const { ask, ran } = aRoute(true);
    expect(await ask()).toEqual([200, "handler"]);
    expect(await ask()).toEqual([200, "handler"]);
    expect(ran).toEqual({ looks: 1, work: 2 });
  });

  it("is not read again for work that has begun, whatever its error", async () => {
    const { ask, ran } = aRoute(true, new UnknownKey(new ApiError(401, "invalid api key")));
    expect(await ask()).toEqual([401, "handler"]);
    expect(ran).toEqual({ looks: 1, work: 1 });
  });

  it("is rejected with 401 when it does not exist, and counts as one failure", async () => {
    const { ask, ran } = aRoute(false);
    for (let n = 0; n < 10; n += 1) expect(await ask()).toEqual([401, "handler"]);
    expect(ran).toEqual({ looks: 10, work: 0 });
    // The address is past its limit, so no key is read from Redis.
    expect(await ask()).toEqual([429, "head"]);
    expect(ran.looks).toBe(10);
    expect(await ask(undefined, "192.0.2.2")).toEqual([401, "handler"]);
  });

  it("is 401 by the head alone where it has not the form of a key that is made here", async () => {
    const { ask, ran } = aRoute(false);
    expect(await ask("some-other-key")).toEqual([401, "head"]);
    expect(ran.looks).toBe(0);
  });
});
