import { expect, it } from "vitest";
import { notifyWhenSlow } from "../../../../shard/flow/notify-when-slow.js";

it("tells once of work that takes longer, and waits for it all the same", async () => {
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

it("tells nothing of work that is quick enough", async () => {
  let told = 0;
  expect(await notifyWhenSlow(Promise.resolve("done"), () => (told += 1), 60_000)).toBe("done");
  await expect(notifyWhenSlow(Promise.reject(new Error("broken")), () => (told += 1), 60_000)).rejects.toThrow("broken");
  expect(told).toBe(0);
});
