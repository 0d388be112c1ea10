import { useEffect, useRef, useState } from "preact/hooks";
import { asFailure, type ApiFailure } from "../api/failure.js";

export interface Loaded<T> {
  /** The last answer; stays while it is read again. */
  readonly value: T | undefined;
  readonly failure: ApiFailure | undefined;
  readonly loading: boolean;
  readonly reload: () => void;
}

/** Reads something when the page comes and whenever one of `about` changes. What was asked for before is given up. */
export function useLoaded<T>(load: (signal: AbortSignal) => Promise<T>, about: readonly unknown[]): Loaded<T> {
  const [state, setState] = useState<Omit<Loaded<T>, "reload">>({ value: undefined, failure: undefined, loading: true });
  const [round, setRound] = useState(0);
  const subject = JSON.stringify(about);
  const last = useRef(subject);
  useEffect(() => {
    const work = new AbortController();
    const sameSubject = last.current === subject;
    last.current = subject;
    setState(({ value }) => ({ value: sameSubject ? value : undefined, failure: undefined, loading: true }));
    load(work.signal).then(
      (value) => {
        if (!work.signal.aborted) setState({ value, failure: undefined, loading: false });
      },
      (error: unknown) => {
        if (!work.signal.aborted) setState(({ value }) => ({ value, failure: asFailure(error), loading: false }));
      },
    );
    return () => work.abort();
  }, [subject, round]);
  return { ...state, reload: () => setRound((before) => before + 1) };
}
