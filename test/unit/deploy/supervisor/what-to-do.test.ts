import { expect, it } from "vitest";
import { leastFreeBytes, whatToDo } from "../../../../deploy/supervisor/what-to-do.js";

const facts = { dataDir: "/data", freeBytes: 2 ** 30 };
const full = "the disk that holds /data is full: make room (look with: df -h /data), and start again";
const system = (code: string, path: string): Error => Object.assign(new Error(`${code}: no, open '${path}'`), { code, path });

it.each([
  ["a full disk, by its error", new Error("keys did not start: no", { cause: system("ENOSPC", "/data/secrets.json") }), facts, full],
  ["a full disk, by the room that is left", new Error("redis-server ended"), { ...facts, freeBytes: leastFreeBytes - 1 }, full],
  [
    "another user's folder",
    new Error("data folder did not start: no", { cause: system("EACCES", "/data/redis") }),
    facts,
    '/data/redis may not be written by this user: sudo chown -R "$USER" /data, or set DATA_DIR to another folder',
  ],
  ["a part's own sentence", new Error("ports did not start: it is taken", { cause: new Error("it is taken") }), facts, "it is taken"],
  ["any other", new Error("it is as it is", { cause: new Error("why") }), { ...facts, freeBytes: undefined }, "it is as it is"],
])("tells %s", (_, error, found, sentence) => {
  expect(whatToDo(error, found)).toBe(sentence);
});
