import { expect, it } from "vitest";
import { notifyWhenSlow } from "../../../../shard/flow/notify-when-slow.js";

it("notifies once about slow work, and still waits for it", async () => {
  let told = 0;
  let finish: (value: string) => void = () => undefined;
  const work = new Promise<string>((resolve) => (finish = resolve));
  const outcome = await notifyWhenSlow(
    work,
    () => {
      told += 1;
      finish("done");
    },
    1,
  );
  expect([outcome, told]).toEqual(["done", 1]);
});

it("does not notify about quick work", async () => {
  let told = 0;
  expect(await notifyWhenSlow(Promise.resolve("done"), () => (told += 1), 60_000)).toBe("done");
  await expect(notifyWhenSlow(Promise.reject(new Error("broken")), () => (told += 1), 60_000)).rejects.toThrow("broken");
  expect(told).toBe(0);
});
