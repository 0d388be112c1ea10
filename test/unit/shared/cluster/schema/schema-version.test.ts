import { describe, expect, it } from "vitest";
import { processesBehind, type ReportedProcess } from "../../../../../shared/cluster/schema/schema-version.js";

const shard = (name: string, schema?: number): ReportedProcess => ({ role: "shard", name, schema });
const router = (name: string, schema?: number): ReportedProcess => ({ role: "router", name, schema });

describe("a schema waits for", () => {
  it.each<[string, ReportedProcess[], string[], string[]]>([
    ["nobody when all read it", [shard("s1", 2), router("r1", 2)], ["s1"], []],
    ["nobody when some read a newer one", [shard("s1", 3), router("r1", 2)], ["s1"], []],
    ["a shard of before", [shard("s1", 2), shard("s2"), router("r1", 2)], ["s1", "s2"], ["s2"]],
    ["a router of before", [shard("s1", 2), router("r1")], ["s1"], ["r1"]],
    ["a shard that lives and tells nothing", [shard("s1", 2), router("r1", 2)], ["s1", "s2"], ["s2"]],
    ["a process of the same name that is no shard", [router("s1", 2)], ["s1"], ["s1"]],
    ["no supervisor, which reads none of it", [shard("s1", 2), { role: "supervisor", name: "x" }], ["s1"], []],
    ["all of them, each once and in order", [shard("b", 1), router("a", 1), shard("c", 2)], ["b", "d"], ["a", "b", "d"]],
  ])("%s", (_, live, shards, waitsFor) => {
    expect(processesBehind(2, live, shards)).toEqual(waitsFor);
  });
});
