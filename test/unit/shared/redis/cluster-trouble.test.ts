import { expect, it } from "vitest";
import { clusterTrouble } from "../../../../shared/redis/cluster-trouble.js";

it.each([
  ["nothing where all is well", { cluster_state: "ok", cluster_slots_ok: "16384" }, undefined],
  [
    "slots that nobody has",
    { cluster_state: "fail", cluster_slots_assigned: "16383", cluster_slots_ok: "16383" },
    "names a cluster whose hash slots are not all served: 1 of 16384 have no master that answers (CLUSTER SHARDS shows which)",
  ],
  [
    "slots that nobody has, where the rest is served",
    { cluster_state: "ok", cluster_slots_ok: "10923" },
    "names a cluster whose hash slots are not all served: 5461 of 16384 have no master that answers (CLUSTER SHARDS shows which)",
  ],
  ["a minority", { cluster_state: "fail", cluster_slots_ok: "16384" }, "names a cluster of whose masters most do not answer"],
  ["nothing of a server that is none", {}, undefined],
])("tells of %s", (_, info, trouble) => {
  expect(clusterTrouble(info)).toBe(trouble);
});
