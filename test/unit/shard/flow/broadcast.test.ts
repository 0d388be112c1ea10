import { expect, it } from "vitest";
import { Broadcast } from "../../../../shard/flow/broadcast.js";

it("notifies all current waiters, and none who came later or left", async () => {
  const logins = new Broadcast<string>();
  const gone = new AbortController();
  const [first, second, left] = [logins.next(60_000), logins.next(60_000), logins.next(60_000, gone.signal)];
  gone.abort();
  expect(await left).toBeUndefined();
  logins.send("one");
  expect(await Promise.all([first, second])).toEqual(["one", "one"]);
  expect(await logins.next(1)).toBeUndefined();
});
