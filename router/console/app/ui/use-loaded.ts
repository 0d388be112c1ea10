import { useEffect, useRef, useState } from "preact/hooks";
import { asFailure, type ApiFailure } from "../api/failure.js";
import { useRetry } from "./use-retry.js";

export interface Loaded<T> {
  /** The last answer; stays while it is read again. */
  readonly value: T | undefined;
  /** When that answer came, in milliseconds since the epoch. */
  readonly at: number | undefined;
  /** Why the last read failed; stays until another one succeeds. */
  readonly failure: ApiFailure | undefined;
  readonly loading: boolean;
  readonly reload: () => void;
}

/** Reads something when the page comes and whenever one of `about` changes. What was asked for before is given up. */
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
