import { expect, it } from "vitest";
import { newSessionId } from "../../../../shared/contract/ids.js";
import { ArrivalOrder } from "../../../../router/endpoint/arrival-order.js";

const session = newSessionId(Date.now());

it("lets those that wait side by side go on in their order, whoever is ready first and whoever fails", async () => {
  const order = new ArrivalOrder();
  const went: string[] = [];
  let release: (error?: Error) => void = () => undefined;
  const slow = new Promise<void>((resolve, reject) => {
    release = (error) => (error === undefined ? resolve() : reject(error));
  });
  const go = (name: string, work: () => Promise<void>): Promise<void> =>
    order.run(session, work).then(
      () => void went.push(name),
      () => void went.push(`${name} failed`),
    );
  const all = [go("first", () => slow), go("second", () => Promise.resolve()), go("third", () => Promise.resolve())];
  expect(order.waits(session)).toBe(true);
  release(new Error("no owner"));
  await Promise.all(all);
  expect(went).toEqual(["first failed", "second", "third"]);
  expect(order.waits(session)).toBe(false);
});
