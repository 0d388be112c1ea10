import typia, { type tags } from "typia";
import type { OwnPace, paceMost, warmUpMost } from "./tenant-pace.js";

/** Quotas of a tenant that shards enforce; an absent one is unlimited. */
export interface ShardQuotas {
  /** Concurrent downloads, renderings and media fetches. */
  downloads?: number;
  /** Concurrent webhook requests. */
  webhooks?: number;
}

/** What shards enforce for a tenant, in its stored form. */
export interface KeptByShards extends ShardQuotas {
  /** The tenant's own pace, where it differs from the deployment's. */
  pace?: {
    sendsPerMinute?: number & tags.Type<"uint32"> & tags.Maximum<(typeof paceMost)["sendsPerMinute"]>;
    newContactsPerHour?: number & tags.Type<"uint32"> & tags.Maximum<(typeof paceMost)["newContactsPerHour"]>;
    warmUp?: {
      days: number & tags.Type<"uint32"> & tags.Minimum<1> & tags.Maximum<(typeof warmUpMost)["days"]>;
      from: number & tags.Type<"uint32"> & tags.Minimum<1> & tags.Maximum<(typeof warmUpMost)["from"]>;
    };
  };
}

/** Field that changes with each update. No tenant has this name. */
export const keptVersion = "@";

/** Returns the stored form; empty if there is nothing to keep. */
export function keptText(quotas: { readonly [Name in keyof ShardQuotas]?: number | null | undefined }, own: OwnPace = {}): string {
  const { downloads, webhooks } = quotas;
  const { sendsPerMinute, newContactsPerHour, warmUp } = own;
  const pace = {
    ...(sendsPerMinute == null ? {} : { sendsPerMinute }),
    ...(newContactsPerHour == null ? {} : { newContactsPerHour }),
    ...(warmUp == null ? {} : { warmUp }),
  };
  const stored: KeptByShards = {
    ...(downloads == null ? {} : { downloads }),
    ...(webhooks == null ? {} : { webhooks }),
    ...(Object.keys(pace).length === 0 ? {} : { pace }),
  };
  return Object.keys(stored).length === 0 ? "" : JSON.stringify(stored);
}

/** Parses the stored form. An invalid text, which may have been altered, gives no quotas. */
export function parseKept(text: string): KeptByShards {
  try {
    return parse(text) ?? {};
  } catch {
    // The text is not JSON.
    return {};
  }
}

const parse = typia.json.createIsParse<KeptByShards>();
