import { expect, it } from "vitest";
import { notifyWhenSlow } from "../../../../shard/flow/notify-when-slow.js";

it("notifies once about slow work, and still waits for it", async () => {
  let notified = 0;
  let finish: (value: string) => void = () => undefined;
  const work = new Promise<string>((resolve) => (finish = resolve));
  const outcome = await notifyWhenSlow(
    work,
    () => {
      notified += 1;
      finish("done");
    },
    1,
  );
  expect([outcome, notified]).toEqual(["done", 1]);
});

it("does not notify about quick work", async () => {
  let notified = 0;
  expect(await notifyWhenSlow(Promise.resolve("done"), () => (notified += 1), 60_000)).toBe("done");
  await expect(notifyWhenSlow(Promise.reject(new Error("broken")), () => (notified += 1), 60_000)).rejects.toThrow("broken");
  expect(notified).toBe(0);
});
