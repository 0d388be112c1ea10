import { describe, expect, it } from "vitest";
import { isRefusedWrite, redisTrouble, type RedisTrouble } from "../../../../shared/flow/redis-trouble.js";

/** Returns the error of a rejected command in a script, as Redis up to 6.2 words it. */
const inScript = (refusal: string): string =>
  `ERR Error running script (call to f_0d272b2c8b04bfa50b70f21d08a819e585a08969): @user_script:1: @user_script: 1: -${refusal}`;
const full = "OOM command not allowed when used memory > 'maxmemory'.";
const readOnly = "READONLY You can't write against a read only replica.";

describe("redisTrouble", () => {
  it.each<[string, RedisTrouble | undefined, string]>([
    ["full", "full", full],
    ["full, in a script", "full", `${full} script: 0d272b2c, on @user_script:1.`],
    ["full, in a script of 6.2", "full", inScript(full)],
    ["without replicas", "without replicas", "NOREPLICAS Not enough good replicas to write."],
    ["without replicas, in a script of 6.2", "without replicas", inScript("NOREPLICAS Not enough good replicas to write.")],
    ["not able to write its file", "failing to write its file", "MISCONF Redis is configured to save RDB snapshots, but …"],
    ["loading", "away", "LOADING Redis is loading the dataset in memory"],
    ["a replica now", "away", readOnly],
    ["a replica now, in a script of 6.2", "away", inScript(readOnly)],
    ["silent", "away", "Command timed out"],
    ["an error of ours", undefined, "ERR wrong number of arguments for 'get' command"],
    ["an error of ours in a script of 6.2", undefined, inScript("WRONGTYPE Operation against a key holding the wrong kind of value")],
    ["a text that only speaks of one", undefined, `ERR no ${full}`],
  ])("of a Redis that is %s", (_, trouble, message) => {
    expect(redisTrouble(new Error(message))).toBe(trouble);
    expect(redisTrouble(new Error("hash was not stored", { cause: new Error(message) }))).toBe(trouble);
    expect(isRefusedWrite(new Error(message))).toBe(trouble !== undefined && trouble !== "away");
  });
});
