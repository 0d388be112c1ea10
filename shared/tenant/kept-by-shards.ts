import typia, { type tags } from "typia";
import type { OwnPace, paceMost } from "./tenant-pace.js";

/** The quotas of a tenant that shards keep; one that is not there is none. */
export interface ShardQuotas {
  /** Downloads, renders and fetches of media at once. */
  downloads?: number;
  /** Webhook requests at once. */
  webhooks?: number;
}

/** What shards keep of a tenant, as it is stored for them. */
export interface KeptByShards extends ShardQuotas {
  /** What of its pace is not the deployment's. */
  pace?: {
    sendsPerMinute?: number & tags.Type<"uint32"> & tags.Maximum<(typeof paceMost)["sendsPerMinute"]>;
    newContactsPerHour?: number & tags.Type<"uint32"> & tags.Maximum<(typeof paceMost)["newContactsPerHour"]>;
  };
}

/** The field that is another after each change. No tenant has this name. */
export const keptVersion = "@";

/** Empty where there is nothing to keep. */
export function keptText(quotas: { readonly [Name in keyof ShardQuotas]?: number | null | undefined }, own: OwnPace = {}): string {
  const { downloads, webhooks } = quotas;
  const { sendsPerMinute, newContactsPerHour } = own;
  const pace = { ...(sendsPerMinute == null ? {} : { sendsPerMinute }), ...(newContactsPerHour == null ? {} : { newContactsPerHour }) };
  const stored: KeptByShards = {
    ...(downloads == null ? {} : { downloads }),
    ...(webhooks == null ? {} : { webhooks }),
    ...(Object.keys(pace).length === 0 ? {} : { pace }),
  };
  return Object.keys(stored).length === 0 ? "" : JSON.stringify(stored);
}

/** None for a text that is no such record: it may have been altered. */
export function parseKept(text: string): KeptByShards {
  try {
    return parse(text) ?? {};
  } catch {
    // Not even JSON.
    return {};
  }
}

const parse = typia.json.createIsParse<KeptByShards>();
