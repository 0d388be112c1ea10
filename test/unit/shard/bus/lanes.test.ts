import { setMaxListeners } from "node:events";
import { expect, it } from "vitest";
import { Lanes } from "../../../../shard/bus/lanes.js";

const never = new AbortController().signal;
setMaxListeners(0, never);

it("frees a place once, however often it is released", async () => {
  const lanes = new Lanes();
  const order: string[] = [];
  const leaveFirst = await lanes.enter("s", "ordered", never);
  const second = lanes.enter("s", "ordered", never).then((leave) => (order.push("second"), leave));
  const third = lanes.enter("s", "ordered", never).then((leave) => (order.push("third"), leave));
  leaveFirst?.();
  leaveFirst?.();
  const leaveSecond = await second;
  await new Promise((resolve) => setImmediate(resolve));
  expect(order).toEqual(["second"]);
  leaveSecond?.();
  await third;
  expect(order).toEqual(["second", "third"]);
});

it("releases waiters whose signal aborts, and no others", async () => {
  const lanes = new Lanes();
  const leave = await lanes.enter("s", "ordered", never);
  const gone = new AbortController();
  const [left, stayed] = [lanes.enter("s", "ordered", gone.signal), lanes.enter("s", "ordered", never)];
  gone.abort();
  expect(await left).toBeUndefined();
  leave?.();
  expect(await stayed).toBeDefined();
});

it("refuses past the end of a lane's queue, but not what may have begun elsewhere", async () => {
  const lanes = new Lanes();
  const leave = await lanes.enter("s", "ordered", never);
  const waiting = Array.from({ length: 256 }, () => lanes.enter("s", "ordered", never));
  expect(await lanes.enter("s", "ordered", never)).toBeUndefined();
  const taken = lanes.enter("s", "ordered", never, false);
  leave?.();
  for (const turn of [...waiting, taken]) (await turn)?.();
  expect(await lanes.enter("s", "ordered", never)).toBeDefined();
});
