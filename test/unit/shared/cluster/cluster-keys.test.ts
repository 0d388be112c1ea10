import { describe, expect, it } from "vitest";
import { strangeKeys, type ClusterKeys } from "../../../../shared/cluster/cluster-keys.js";
import type { ProcessReport } from "../../../../shared/cluster/process-report.js";

const own: ClusterKeys = { host: "b", linkKeys: { a: "1" }, telegramApiId: 5 };
const report = (change: Partial<ProcessReport>): ProcessReport => ({
  role: "shard",
  name: "shard-1",
  host: "a",
  version: "0",
  loopLagMs: 0,
  memoryBytes: 0,
  ...change,
});

describe("strangeKeys", () => {
  it.each<[string, string[], Partial<ProcessReport>[], Partial<ClusterKeys>?]>([
    ["finds nothing where nobody runs", [], []],
    ["finds nothing where all is alike", [], [{ linkKeys: { a: "1" }, telegramApiId: 5 }]],
    ["asks nothing of those who say nothing, as of another version", [], [{}]],
    ["asks nothing of its own host, where a former life may have had others", [], [{ host: "b", linkKeys: { a: "2" }, telegramApiId: 6 }]],
    ["lets keys be exchanged one by one", [], [{ linkKeys: { b: "2", a: "1" } }, { linkKeys: { a: "1" } }]],
    [
      "refuses another key of one name",
      ["MEDIA_KEYS has another key a than those of shard-1 on host a: give this host the MEDIA_KEYS of its cluster"],
      [{ linkKeys: { b: "2", a: "2" } }],
    ],
    [
      "refuses a ring without a common key",
      ["MEDIA_KEYS has no key in common with those of shard-1 on host a: give this host the MEDIA_KEYS of its cluster"],
      [{ linkKeys: { b: "2" } }],
    ],
    [
      "refuses another application",
      ["TELEGRAM_API_ID 5 is not that of shard-1 on host a, 6: give this host the TELEGRAM_API_ID of its cluster"],
      [{ telegramApiId: 6 }],
    ],
    [
      "refuses a host without an application beside one that has it",
      ["TELEGRAM_API_ID is not set, unlike that of shard-1 on host a, 6: give this host the TELEGRAM_API_ID of its cluster"],
      [{ telegramApiId: 6 }],
      { host: "b", hasNoApp: true },
    ],
    ["lets an application be given to one host after the other", [], [{ linkKeys: { a: "1" } }]],
    ["asks a router for no application", [], [{ telegramApiId: 6 }], { host: "b", linkKeys: { a: "1" } }],
    [
      "says each once, however many differ",
      [
        "MEDIA_KEYS has another key a than those of shard-1 on host a: give this host the MEDIA_KEYS of its cluster",
        "TELEGRAM_API_ID 5 is not that of shard-1 on host a, 6: give this host the TELEGRAM_API_ID of its cluster",
      ],
      [
        { linkKeys: { a: "2" }, telegramApiId: 6 },
        { name: "shard-2", linkKeys: { a: "2" }, telegramApiId: 6 },
      ],
    ],
  ])("%s", (_, problems, reports, keys = own) => {
    expect(strangeKeys({ host: "b", ...keys }, reports.map(report))).toEqual(problems);
  });
});
