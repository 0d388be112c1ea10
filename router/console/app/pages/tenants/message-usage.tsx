import type { TenantRow } from "../../api/operator-rows.js";
import { UsageBar } from "../../ui/usage-bar.js";

/** Shows the tenant's messages of today as a bar. A dash for a tenant without a daily limit, whose messages are not counted. */
export function MessageUsage({ of: { name, quotas, usage } }: { of: Pick<TenantRow, "name" | "quotas" | "usage"> }) {
  if (usage === undefined || quotas.messagesPerDay === null) return <>–</>;
  return <UsageBar label={`Messages of ${name} today`} used={usage.messagesToday} quota={quotas.messagesPerDay} />;
}
