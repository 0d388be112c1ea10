import { expect, it } from "vitest";
import { toMessage, withRef } from "../../../../../shard/whatsapp/history/kept-message.js";

const refs = { sealPacked: (packed: string) => (packed === "long" ? undefined : `ref of ${packed}`) };

it("a message has the ref of its packed head, the one that it was kept with, or none", () => {
  const message = toMessage({ id: "a" });
  expect(withRef({ ...message, head: "packed" }, refs)).toEqual({ ...message, ref: "ref of packed" });
  expect(withRef({ ...message, ref: "kept" }, refs)).toEqual({ ...message, ref: "kept" });
  expect(withRef({ ...message, head: "long" }, refs)).toEqual(message);
});
