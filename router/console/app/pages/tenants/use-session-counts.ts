import { lines } from "../../api/line-stream.js";
import type { SessionRow } from "../../api/rows.js";
import { useLiveReload } from "../../live/use-live-reload.js";
import { useLoaded, type Loaded } from "../../ui/use-loaded.js";
import { countSessions, type SessionCounts } from "./session-counts.js";

/** Numbers of sessions of one tenant, or of all of them without a name. */
export function useSessionCounts(tenant = ""): Loaded<SessionCounts> {
  const counts = useLoaded((signal) => countSessions(lines<SessionRow>("GET /admin/sessions", { query: { tenant }, signal })), [tenant]);
  // Counting reads all sessions, so it is repeated only after a loss of events.
  useLiveReload(counts.reload, () => false);
  return counts;
}
