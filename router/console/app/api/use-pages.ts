import { useEffect, useRef, useState } from "preact/hooks";
import { call } from "./call.js";
import { useRetry } from "../ui/use-retry.js";
import { asFailure, type ApiFailure } from "./failure.js";
import type { Page } from "./rows.js";

export interface Pages<Row> {
  readonly rows: readonly Row[];
  readonly loading: boolean;
  readonly failure: ApiFailure | undefined;
  /** True if there are more rows. */
  readonly hasMore: boolean;
  readonly more: () => void;
  readonly reload: () => void;
}

/** A list of the API, a page at a time: the first one when it comes and when its query changes, the next ones on demand. */
export function usePages<Row>(route: `GET /${string}`, query: Readonly<Record<string, string | number | undefined>> = {}): Pages<Row> {
  const [state, setState] = useState<{ rows: readonly Row[]; next: string; loading: boolean; failure: ApiFailure | undefined }>({
    rows: [],
    next: "",
    loading: true,
    failure: undefined,
  });
  const [round, setRound] = useState(0);
  const work = useRef<AbortController | undefined>(undefined);
  const subject = JSON.stringify([route, query]);
  const read = (after: string, before: readonly Row[]): void => {
    work.current?.abort();
    const own = (work.current = new AbortController());
    setState((now) => ({ ...now, loading: true }));
    call<Page<Row>>(route, { query: { ...query, after }, signal: own.signal }).then(
      ({ docs, next }) => {
        if (!own.signal.aborted) setState({ rows: [...before, ...docs], next, loading: false, failure: undefined });
      },
      (error: unknown) => {
        if (!own.signal.aborted) setState((now) => ({ ...now, loading: false, failure: asFailure(error) }));
      },
    );
  };
  useEffect(() => {
    read("", []);
    return () => work.current?.abort();
  }, [subject, round]);
  const reload = (): void => setRound((before) => before + 1);
  useRetry(state.failure, reload);
  return {
    rows: state.rows,
    loading: state.loading,
    failure: state.failure,
    hasMore: state.next !== "",
    more: () => read(state.next, state.rows),
    reload,
  };
}
