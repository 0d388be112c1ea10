import { useRef } from "preact/hooks";
import { call } from "../../api/call.js";
import type { SessionRow } from "../../api/rows.js";
import { sessionCall } from "../../api/session-call.js";
import type { LiveEvent } from "../../live/live-event.js";
import { useLiveReload } from "../../live/use-live-reload.js";
import { may } from "../../sign-in/who.js";
import { useLoaded, type Loaded } from "../../ui/use-loaded.js";
import { withState, type StateChange } from "./activity.js";
import type { ShownRecord } from "./tab-props.js";

export interface ShownSession {
  readonly row: SessionRow;
  readonly record: ShownRecord | undefined;
  readonly states: readonly StateChange[];
}

type ShownEvent = Extract<LiveEvent, { type: "session" | "code" | "restriction" }>;
const isShown = (event: LiveEvent): event is ShownEvent =>
  event.type === "session" || event.type === "code" || event.type === "restriction";

/** Somebody holds a phone before the code. */
const restMs = 50;

/** Loads a session's row and record, and reloads them after its events. */
export function useSession(id: string): Loaded<ShownSession> {
  const seen = useRef<{ readonly id: string; readonly states: readonly StateChange[] }>({ id, states: [] });
  const loaded = useLoaded(
    async (signal): Promise<ShownSession> => {
      const row = await call<SessionRow>(`GET /admin/sessions/${encodeURIComponent(id)}`, { signal });
      const record = may("use-session")
        ? await sessionCall<ShownRecord>({ platform: row.platform, id }, "GET /session", { signal })
        : undefined;
      seen.current = { id, states: withState(seen.current.id === id ? seen.current.states : [], row) };
      return { row, record, states: seen.current.states };
    },
    [id],
  );
  useLiveReload(loaded.reload, (event) => isShown(event) && event.session === id, restMs);
  return loaded;
}
