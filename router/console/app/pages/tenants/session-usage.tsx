import { numberText } from "../../ui/number-text.js";
import { UsageBar } from "../../ui/usage-bar.js";
import type { Loaded } from "../../ui/use-loaded.js";
import type { SessionCounts } from "./session-counts.js";

/** Shows how many sessions the tenant has, and how much of its quota they are. A dash while the number is unknown. */
export function SessionUsage({ tenant, quota, of: { value } }: { tenant: string; quota: number | null; of: Loaded<SessionCounts> }) {
  if (value === undefined || value.cut) return <>–</>;
  const count = value.byTenant.get(tenant) ?? 0;
  return quota === null ? <>{numberText(count)}</> : <UsageBar label={`Sessions of ${tenant}`} used={count} quota={quota} />;
}
