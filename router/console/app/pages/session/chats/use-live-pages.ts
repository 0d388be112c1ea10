import { useRef } from "preact/hooks";
import type { Page } from "../../../api/rows.js";
import type { Pages } from "../../../api/use-pages.js";
import { useLiveReload } from "../../../live/use-live-reload.js";
import { useAction } from "../../../ui/use-action.js";
import { useLoaded } from "../../../ui/use-loaded.js";
import { useRefresh } from "../../../ui/use-refresh.js";
import { withNextPage } from "./chat-pages.js";

export interface LivePagesOptions<Row> {
  /** Id of the session whose events reload the first page. */
  readonly session: string;
  /** Reads the page at a position; the first one is at `""`. */
  readonly read: (at: string, signal: AbortSignal) => Promise<Page<Row>>;
  /** Joins a new first page with the held rows. */
  readonly withFirst: (held: Page<Row> | undefined, page: Page<Row>) => Page<Row>;
  /** Reload interval. Only sessions with a webhook have events of their messages. */
  readonly everyMs: number;
}

/** A list that grows at both ends: its first page is read again after events and at intervals, the next pages on demand. */
export function useLivePages<Row>({ session, read, withFirst, everyMs }: LivePagesOptions<Row>): Pages<Row> {
  const held = useRef<Page<Row> | undefined>(undefined);
  const first = useLoaded(async (signal) => {
    held.current = withFirst(held.current, await read("", signal));
  }, []);
  const next = useAction(async (signal) => {
    const before = held.current?.next ?? "";
    const page = await read(before, signal);
    // A first page that replaced all rows meanwhile has another position.
    if (held.current?.next === before) held.current = withNextPage(held.current, page);
  });
  const { failure, reload } = first;
  useLiveReload(reload, (event) => event.type === "deliveries" && event.session === session);
  // `useLoaded` retries what passes; a refusal would only come again.
  useRefresh({ loading: first.loading, reload: failure === undefined ? reload : (): void => undefined }, everyMs);
  return {
    rows: held.current?.docs ?? [],
    loading: (held.current === undefined && failure === undefined) || next.busy,
    failure: failure ?? next.failure,
    hasMore: (held.current?.next ?? "") !== "",
    more: () => next.run(),
    reload: failure === undefined && next.failure !== undefined ? () => next.run() : reload,
  };
}
