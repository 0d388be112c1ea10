import { expect, it } from "vitest";
import { ArrivalOrder } from "../../../../router/endpoint/arrival-order.js";
import { catching } from "../../../../router/endpoint/serve.js";
import { json } from "../../../../router/http/response.js";
import { ApiError } from "../../../../shared/contract/api-error.js";
import { silentLog } from "../../../../shared/log/logger.js";
import { aRequest } from "../support.js";

/** Returns a promise and the function that resolves it. */
function gate(): { readonly passed: Promise<void>; readonly open: () => void } {
  let open: () => void = () => undefined;
  const passed = new Promise<void>((resolve) => (open = resolve));
  return { passed, open };
}

/** A route that admits requests in order. A caller becomes known when its gate opens, and callers named `stranger` are rejected. */
function aRoute() {
  const order = new ArrivalOrder();
  const went: string[] = [];
  const keys = { learn: () => Promise.resolve() };
  const guard = { judge: (error: ApiError) => error, isSlowed: () => false };
  const go = (name: string, known: Promise<unknown>, complete: Promise<unknown> = Promise.resolve(), caller = "caller"): Promise<unknown> =>
    catching(
      {
        arrive: () => order.arrive(caller, complete),
        authenticate: async () => {
          await known;
          if (name === "stranger") throw new ApiError(404, "session not found");
        },
        handle: async (_request, _signal, _caller, arrival) => {
          await arrival?.turn();
          went.push(name);
          return json(200, "{}");
        },
      },
      "a route",
      { keys, guard, log: silentLog },
    )(aRequest({}), new AbortController().signal);
  return { went, go };
}

it("lets requests of one caller go on in the order in which they came, whoever is checked first and whoever is refused", async () => {
  const { went, go } = aRoute();
  const [slow, slower] = [gate(), gate()];
  const all = [go("first", slow.passed), go("stranger", slower.passed), go("third", Promise.resolve())];
  await go("another caller's", Promise.resolve(), Promise.resolve(), "another");
  expect(went).toEqual(["another caller's"]);
  slow.open();
  await all[0];
  slower.open();
  await Promise.all(all);
  expect(went).toEqual(["another caller's", "first", "third"]);
});

it("does not wait for a request that came earlier and is not complete", async () => {
  const { went, go } = aRoute();
  const body = gate();
  const slow = go("slow body", Promise.resolve(), body.passed);
  await go("complete", Promise.resolve());
  body.open();
  await slow;
  await go("next", Promise.resolve());
  expect(went).toEqual(["complete", "slow body", "next"]);
});

it("lets others go on when a body never becomes complete", async () => {
  const { went, go } = aRoute();
  const left = go("left", Promise.resolve(), Promise.reject(new Error("client closed the connection")));
  await expect(left).rejects.toThrow("client closed the connection");
  await go("next", Promise.resolve());
  expect(went).toEqual(["next"]);
});
