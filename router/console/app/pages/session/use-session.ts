import { useEffect } from "preact/hooks";
import type { SessionRecord } from "../../../../../shared/contract/session.js";
import { call } from "../../api/call.js";
import type { SessionRow } from "../../api/rows.js";
import { sessionCall } from "../../api/session-call.js";
import { onLive } from "../../live/live-events.js";
import { may } from "../../sign-in/who.js";
import { useLoaded, type Loaded } from "../../ui/use-loaded.js";

export interface ShownSession {
  readonly row: SessionRow;
  readonly record: SessionRecord | undefined;
}

/** While somebody waits for a code, a new one is asked for as often as the API advises; all else is told live. */
const codeEveryMs = 2_500;

/** One session as lists have it and as its own endpoint does, read again when something befalls it. */
export function useSession(id: string): Loaded<ShownSession> {
  const loaded = useLoaded(
    async (signal): Promise<ShownSession> => {
      const row = await call<SessionRow>(`GET /admin/sessions/${encodeURIComponent(id)}`, { signal });
      const record = may("use-session")
        ? await sessionCall<SessionRecord>({ platform: row.platform, id }, "GET /session", { signal })
        : undefined;
      return { row, record };
    },
    [id],
  );
  useEffect(
    () =>
      onLive((event) => {
        if (event.type === "missed" || (event.type === "session" && event.session === id)) loaded.reload();
      }),
    [id],
  );
  const waits = loaded.value?.row.state === "awaiting-qr" && loaded.failure === undefined;
  useEffect(() => {
    if (!waits) return undefined;
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") loaded.reload();
    }, codeEveryMs);
    return () => clearInterval(timer);
  }, [id, waits]);
  return loaded;
}
