import { describe, expect, it } from "vitest";
import { commandsIn } from "../../../bench/records/aof-commands.js";

const command = (...words: string[]): string => `*${words.length}\r\n${words.map((word) => `$${word.length}\r\n${word}\r\n`).join("")}`;

describe("commands of an append-only file", () => {
  it("are named with the kind of their first key, and counted with all their bytes", () => {
    const first = command("hset", "secrets:{7}:abc", "field", "a\r\nb");
    const piece = Buffer.from(`#TS:1763839000\r\n${first}${command("MULTI")}${command("sadd", "members", "x")}`);
    expect(commandsIn(piece)).toEqual([
      { name: "#TS", kind: "", bytes: 16 },
      { name: "HSET", kind: "secrets", bytes: first.length },
      { name: "MULTI", kind: "", bytes: 15 },
      { name: "SADD", kind: "members", bytes: 34 },
    ]);
  });

  it("end before one that is cut off", () => {
    const whole = command("set", "a", "b");
    for (let length = 1; length < whole.length; length++) expect(commandsIn(Buffer.from(whole + whole.slice(0, length)))).toHaveLength(1);
  });
});
