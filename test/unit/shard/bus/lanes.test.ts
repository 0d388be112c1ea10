import { expect, it } from "vitest";
import { Lanes } from "../../../../shard/bus/lanes.js";

it("gives a place back once, however often it is told", async () => {
  const lanes = new Lanes();
  const order: string[] = [];
  const leaveFirst = await lanes.enter("s", "ordered");
  const second = lanes.enter("s", "ordered").then((leave) => (order.push("second"), leave));
  const third = lanes.enter("s", "ordered").then((leave) => (order.push("third"), leave));
  leaveFirst?.();
  leaveFirst?.();
  const leaveSecond = await second;
  await new Promise((resolve) => setImmediate(resolve));
  expect(order).toEqual(["second"]);
  leaveSecond?.();
  await third;
  expect(order).toEqual(["second", "third"]);
});
