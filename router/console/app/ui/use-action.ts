import { useEffect, useRef, useState } from "preact/hooks";
import { asFailure, type ApiFailure } from "../api/failure.js";

export interface ActionState<T> {
  readonly busy: boolean;
  readonly failure: ApiFailure | undefined;
  readonly done: T | undefined;
}

/** An action of a button: runs once at a time, and is aborted when its page is left. */
export function useAction<T, Given extends readonly unknown[] = []>(
  act: (signal: AbortSignal, ...given: Given) => Promise<T>,
): ActionState<T> & { readonly run: (...given: Given) => void; readonly clear: () => void } {
  const [state, setState] = useState<ActionState<T>>({ busy: false, failure: undefined, done: undefined });
  const work = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => work.current?.abort(), []);
  const run = (...given: Given): void => {
    if (work.current !== undefined) return;
    const own = (work.current = new AbortController());
    setState({ busy: true, failure: undefined, done: undefined });
    void act(own.signal, ...given)
      .then(
        (done) => ({ busy: false, failure: undefined, done }),
        (error: unknown) => ({ busy: false, failure: asFailure(error), done: undefined }),
      )
      .then((ended) => {
        work.current = undefined;
        if (!own.signal.aborted) setState(ended);
      });
  };
  return { ...state, run, clear: () => setState({ busy: false, failure: undefined, done: undefined }) };
}
