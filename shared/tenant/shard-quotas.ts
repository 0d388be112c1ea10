import typia from "typia";

/** The quotas of a tenant that shards keep, as they are stored for them; one that is not there is none. */
export interface ShardQuotas {
  /** Downloads, renders and fetches of media at once. */
  downloads?: number;
  /** Webhook requests at once. */
  webhooks?: number;
}

/** The field that is another after each change. No tenant has this name. */
export const shardQuotasVersion = "@";

/** Empty where there are none. */
export function shardQuotasText(quotas: { readonly [Name in keyof ShardQuotas]?: number | null | undefined }): string {
  const { downloads, webhooks } = quotas;
  const stored: ShardQuotas = { ...(downloads == null ? {} : { downloads }), ...(webhooks == null ? {} : { webhooks }) };
  return Object.keys(stored).length === 0 ? "" : JSON.stringify(stored);
}

/** None for a text that is no such record: it may have been altered. */
export function parseShardQuotas(text: string): ShardQuotas {
  try {
    return parse(text) ?? {};
  } catch {
    // Not even JSON.
    return {};
  }
}

const parse = typia.json.createIsParse<ShardQuotas>();
