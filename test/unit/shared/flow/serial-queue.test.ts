import { expect, it } from "vitest";
import { SerialQueue } from "../../../../shared/flow/serial-queue.js";

it("runs one after another, in order, also behind one that failed", async () => {
  const queue = new SerialQueue();
  const steps: string[] = [];
  const work = (name: string) => async () => {
    steps.push(`${name} begins`);
    await Promise.resolve();
    steps.push(`${name} ends`);
    return name;
  };
  const first = queue.run(work("first"));
  const broken = queue.run(() => Promise.reject(new Error("broken")));
  const last = queue.run(work("last"));
  await expect(broken).rejects.toThrow("broken");
  expect([await first, await last]).toEqual(["first", "last"]);
  expect(steps).toEqual(["first begins", "first ends", "last begins", "last ends"]);
});

it("is idle when all that has come has ended, however it ended", async () => {
  const queue = new SerialQueue();
  let ended = false;
  queue.run(() => Promise.reject(new Error("broken"))).catch(() => undefined);
  void queue.run(async () => {
    await Promise.resolve();
    ended = true;
  });
  await queue.idle();
  expect(ended).toBe(true);
});
