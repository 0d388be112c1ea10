import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { call } from "../../api/call.js";
import { asFailure, type ApiFailure } from "../../api/failure.js";
import type { Page, SessionRow } from "../../api/rows.js";
import { onLive } from "../../live/live-events.js";
import { useRetry } from "../../ui/use-retry.js";
import { withEvents, withPage, withRestrictions, type LiveRestrictionEvent, type LiveSessionEvent } from "./session-list.js";

export type Filter = Readonly<Record<string, string>>;

interface ListState {
  readonly rows: readonly SessionRow[];
  /** Position of the next page; empty after the last one. `undefined`: nothing was read yet. */
  readonly next: string | undefined;
  readonly failure: ApiFailure | undefined;
  readonly loading: boolean;
  /** Number of sessions with events that are not in the list. */
  readonly outside: number;
}

const empty: ListState = { rows: [], next: undefined, failure: undefined, loading: false, outside: 0 };
const pageLimit = 200;
/** A page may be empty and have a next one. At most this many are read at once to find rows. */
const pagesAtOnce = 10;
/** Events come in bursts, for example when a member dies. The list is redrawn once per interval. */
const eventsEveryMs = 250;
/** At most this many new sessions are read one by one. Beyond that the list only shows their number. */
const readAtOnce = 20;

/** Pages of `GET /admin/sessions`, kept current by live events. */
export function useSessionList(filter: Filter): ListState & { readonly more: () => void; readonly reload: () => void } {
  const [state, setState] = useState(empty);
  const [round, setRound] = useState(0);
  const work = useRef(new AbortController());
  const subject = JSON.stringify(filter);
  const unfiltered = Object.values(filter).every((value) => value === "");

  const more = useCallback((): void => {
    setState((before) => {
      if (before.loading || before.failure !== undefined || before.next === "") return before;
      void read(filter, before.next ?? "", work.current.signal, setState);
      return { ...before, loading: true };
    });
  }, [subject, round]);

  useEffect(() => {
    work.current = new AbortController();
    setState(empty);
    more();
    return () => work.current.abort();
  }, [subject, round]);

  useEffect(() => {
    let waiting: LiveSessionEvent[] = [];
    let restrictions: LiveRestrictionEvent[] = [];
    const stop = onLive((event) => {
      if (event.type === "missed") setRound((before) => before + 1);
      else if (event.type === "session") waiting.push(event);
      else if (event.type === "restriction") restrictions.push(event);
    });
    const timer = setInterval(() => {
      if (waiting.length + restrictions.length === 0) return;
      const [events, changes] = [waiting, restrictions];
      waiting = [];
      restrictions = [];
      setState((before) => {
        const { rows, unknown } = withEvents(withRestrictions(before.rows, changes), events);
        // Until the end was read, an unknown session may well be on a later page.
        if (!unfiltered || before.next !== "" || unknown.length > readAtOnce)
          return { ...before, rows, outside: before.outside + (before.next === "" ? unknown.length : 0) };
        for (const id of unknown) void readNew(id, work.current.signal, setState);
        return { ...before, rows };
      });
    }, eventsEveryMs);
    return () => {
      stop();
      clearInterval(timer);
    };
  }, [subject]);

  useRetry(state.failure, () => {
    setState((before) => ({ ...before, failure: undefined }));
    more();
  });
  return { ...state, more, reload: () => setRound((before) => before + 1) };
}

type Change = (change: (before: ListState) => ListState) => void;

async function read(filter: Filter, after: string, signal: AbortSignal, change: Change): Promise<void> {
  let from = after;
  try {
    for (let pages = 0; pages < pagesAtOnce; pages++) {
      const page = await call<Page<SessionRow>>("GET /admin/sessions", { query: { ...filter, limit: pageLimit, after: from }, signal });
      from = page.next;
      change((before) => ({ ...before, rows: withPage(before.rows, page.docs), next: page.next }));
      if (page.docs.length > 0 || page.next === "") break;
    }
    change((before) => ({ ...before, loading: false }));
  } catch (error) {
    if (!signal.aborted) change((before) => ({ ...before, loading: false, failure: asFailure(error) }));
  }
}

/** A session that was not there a moment ago; it may be gone again. */
async function readNew(id: string, signal: AbortSignal, change: Change): Promise<void> {
  const row = await call<SessionRow>(`GET /admin/sessions/${id}`, { signal }).catch(() => undefined);
  if (row !== undefined) change((before) => ({ ...before, rows: [row, ...before.rows.filter((known) => known.id !== id)] }));
}
