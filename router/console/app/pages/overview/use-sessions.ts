import { useEffect, useState } from "preact/hooks";
import { lines } from "../../api/line-stream.js";
import type { SessionRow, StateName } from "../../api/rows.js";
import { onLive } from "../../live/live-events.js";
import { useLiveReload } from "../../live/use-live-reload.js";
import { useLoaded } from "../../ui/use-loaded.js";
import { entered, type States } from "./tally.js";
import { withLag, type Pending } from "./webhook-delay.js";

/** Most sessions that the browser counts. Metrics count more. */
export const countedMax = 50_000;

interface Sessions {
  readonly states: States;
  readonly pending: Pending;
}

/** States and pending webhook events of all sessions: read once, then updated by events. */
export function useSessions() {
  const loaded = useLoaded(async (signal) => {
    const [states, pending] = [new Map<string, StateName>(), new Map<string, number>()];
    for await (const { id, state, webhookLag } of lines<SessionRow>("GET /admin/sessions", { signal })) {
      if (states.size === countedMax) return { states, pending, cut: true };
      states.set(id, state);
      if (webhookLag > 0) pending.set(id, Date.now() - webhookLag * 1_000);
    }
    return { states, pending, cut: false };
  }, []);
  const [sessions, setSessions] = useState<Sessions | undefined>(undefined);
  useEffect(() => setSessions(loaded.value), [loaded.value]);
  useLiveReload(loaded.reload, () => false);
  useEffect(
    () =>
      onLive((event) => {
        if (event.type !== "session" && event.type !== "deliveries") return;
        setSessions((now) => {
          if (now === undefined) return now;
          if (event.type === "deliveries") return { ...now, pending: withLag(now.pending, event.session, event.webhookLag, Date.now()) };
          const pending = event.state === "deleted" ? withLag(now.pending, event.session, 0, 0) : now.pending;
          return { states: entered(now.states, event.session, event.state), pending };
        });
      }),
    [],
  );
  return { ...loaded, sessions, cut: loaded.value?.cut === true };
}
