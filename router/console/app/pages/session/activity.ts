import type { AuditRow } from "../../../../../shared/cluster/audit/audit-row.js";
import type { SessionRow } from "../../api/rows.js";

/** A state of the session and its beginning. */
export type StateChange = Pick<SessionRow, "state" | "since">;

/** One line of the recent activity. */
export type Activity = { readonly at: string } & ({ readonly audit: AuditRow } | { readonly state: StateChange["state"] });

/** Most lines that a session's page shows. */
export const activityMax = 20;

/** Returns the states with the row's state first, at most `activityMax`; unchanged if that state is first already. Pure. */
export function withState(states: readonly StateChange[], { state, since }: StateChange): readonly StateChange[] {
  return states[0]?.state === state && states[0].since === since ? states : [{ state, since }, ...states].slice(0, activityMax);
}

/** Returns audit entries and states together, the newest first, at most `activityMax`. Pure. */
export function recentActivity(audit: readonly AuditRow[], states: readonly StateChange[]): readonly Activity[] {
  const lines: Activity[] = [
    ...states.map(({ state, since }) => ({ at: since, state })),
    ...audit.map((row) => ({ at: row.at, audit: row })),
  ];
  return lines.sort((a, b) => Date.parse(b.at) - Date.parse(a.at)).slice(0, activityMax);
}
