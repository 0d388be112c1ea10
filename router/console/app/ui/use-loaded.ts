import { useEffect, useRef, useState } from "preact/hooks";
import { asFailure, type ApiFailure } from "../api/failure.js";
import { useRetry } from "./use-retry.js";

export interface Loaded<T> {
  /** The last value; kept during a reload. */
  readonly value: T | undefined;
  /** Time of that value, in milliseconds since the epoch. */
  readonly at: number | undefined;
  /** Why the last read failed; stays until another one succeeds. */
  readonly failure: ApiFailure | undefined;
  readonly loading: boolean;
  readonly reload: () => void;
}

/** Loads data when the page opens and whenever `about` changes. Aborts the previous load. */
export function useLoaded<T>(load: (signal: AbortSignal) => Promise<T>, about: readonly unknown[]): Loaded<T> {
  const [state, setState] = useState<Omit<Loaded<T>, "reload">>({ value: undefined, at: undefined, failure: undefined, loading: true });
  const [round, setRound] = useState(0);
  const subject = JSON.stringify(about);
  const last = useRef(subject);
  useEffect(() => {
    const work = new AbortController();
    const sameSubject = last.current === subject;
    last.current = subject;
    setState((now) => (sameSubject ? { ...now, loading: true } : { value: undefined, at: undefined, failure: undefined, loading: true }));
    load(work.signal).then(
      (value) => {
        if (!work.signal.aborted) setState({ value, at: Date.now(), failure: undefined, loading: false });
      },
      (error: unknown) => {
        if (!work.signal.aborted) setState((now) => ({ ...now, failure: asFailure(error), loading: false }));
      },
    );
    return () => work.abort();
  }, [subject, round]);
  const reload = (): void => setRound((before) => before + 1);
  useRetry(state.failure, reload);
  return { ...state, reload };
}
