import { describe, expect, it } from "vitest";
import { obstacle } from "../../../../deploy/supervisor/join-cluster.js";
import { readSupervisorSettings } from "../../../../deploy/supervisor/settings.js";
import type { ProcessReport } from "../../../../shared/cluster/process-report.js";
import { LinkKeys } from "../../../../shared/media/link.js";

const mediaKeys = `a:${"B".repeat(43)}=`;
const secrets = { apiKeys: "admin:k", credKeys: "c", mediaKeys, adminKey: "k", made: undefined };
const made = { credKeys: "c", mediaKeys, adminKey: "k" };
const settingsOf = (args: string[]) =>
  readSupervisorSettings({ REDIS_URL: "redis://r:1", HOST_ID: "B.example", DATA_DIR: "/data", SHARDS: "1" }, args).settings;
const shardOfFirst: ProcessReport = {
  role: "shard",
  name: "shard-1",
  host: "a",
  version: "0",
  linkKeys: LinkKeys.parse(mediaKeys).fingerprints,
  telegramApiId: 12_345,
  loopLagMs: 0,
  memoryBytes: 0,
};
const isAlone: ProcessReport[] = [];

describe("a host that joins", () => {
  const settings = settingsOf(["--join"]);
  it.each<
    [string, string | undefined, { reports?: ProcessReport[]; isCluster?: boolean; made?: typeof made; mediaKeys?: string; live?: boolean }]
  >([
    ["with the cluster's keys may", undefined, {}],
    ["may while its other hosts are down", undefined, { reports: isAlone }],
    [
      "needs a cluster",
      "there is no cluster at REDIS_URL that could be joined: start its first host without --join",
      { reports: isAlone, isCluster: false },
    ],
    [
      "needs its keys",
      "a host that joins needs the keys of its cluster: copy DATA_DIR/secrets.json of the first host to /data/secrets.json, or give API_KEYS, CRED_KEYS and MEDIA_KEYS",
      { made },
    ],
    [
      "needs its very keys",
      "MEDIA_KEYS has another key a than those of shard-1 on host a: give this host the MEDIA_KEYS of its cluster",
      { mediaKeys: `a:${"C".repeat(43)}=` },
    ],
    [
      "needs its application",
      "TELEGRAM_API_ID 12345 is not that of shard-1 on host a, 1: give this host the TELEGRAM_API_ID of its cluster",
      { reports: [{ ...shardOfFirst, telegramApiId: 1 }] },
    ],
    [
      "needs an application if the cluster has one",
      "TELEGRAM_API_ID is not set, unlike that of shard-1 on host a, 12345: give this host the TELEGRAM_API_ID of its cluster",
      { live: true },
    ],
  ])("%s", (_, problem, { live = false, reports = [shardOfFirst], isCluster = true, made: fresh, mediaKeys: given = mediaKeys }) => {
    const own = live ? { ...settings, telegramApiId: undefined } : settings;
    expect(obstacle({ settings: own, secrets: { ...secrets, mediaKeys: given, made: fresh } }, reports, isCluster)).toBe(problem);
  });
});

describe("a host that does not join", () => {
  const settings = settingsOf([]);
  it("begins a cluster, or comes back to its own", () => {
    expect(obstacle({ settings, secrets: { ...secrets, made } }, isAlone, false)).toBeUndefined();
    expect(obstacle({ settings, secrets }, [{ ...shardOfFirst, host: "B.example" }], true)).toBeUndefined();
  });
  it("gets instructions to join when another host has its names", () => {
    expect(obstacle({ settings, secrets }, [shardOfFirst], true)).toBe(
      "shard-1 runs on host a already: to add this host to its cluster, start it with npm start -- --join (deploy/docs/hosts.md)",
    );
  });
  it("may run beside hosts whose names are others, and beside another host's supervisor", () => {
    const others = [
      { ...shardOfFirst, name: "a-shard-1" },
      { ...shardOfFirst, role: "supervisor" as const, name: "supervisor" },
    ];
    expect(obstacle({ settings, secrets }, others, true)).toBeUndefined();
  });
});
