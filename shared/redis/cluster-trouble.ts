import { infoFields, type InfoFields } from "./info-fields.js";

const hashSlots = 16_384;

/**
 * Returns why a cluster does not serve all keys, as one node reports; undefined if it does. The text continues the setting's name. Pure.
 */
export function clusterTrouble(info: InfoFields): string | undefined {
  const unserved = hashSlots - Number(info["cluster_slots_ok"] ?? hashSlots);
  if (unserved > 0)
    return `names a cluster whose hash slots are not all served: ${unserved} of ${hashSlots} have no master that answers (CLUSTER SHARDS shows which)`;
  return info["cluster_state"] === "fail" ? "names a cluster of whose masters most do not answer" : undefined;
}

/** A connection to one node. */
export interface ClusterNode {
  cluster(subcommand: "INFO"): Promise<unknown>;
}

/** Returns the trouble that the first reachable node reports; undefined if none is reachable. Never rejects. */
export async function readClusterTrouble(nodes: readonly ClusterNode[]): Promise<string | undefined> {
  const info = await Promise.any(nodes.map((node) => node.cluster("INFO"))).catch(() => undefined);
  return typeof info === "string" ? clusterTrouble(infoFields(info)) : undefined;
}
