import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";

type Load<Props> = () => Promise<ComponentType<Props>>;

export interface Script<Props> {
  /** `undefined` until it is here. */
  readonly Component: ComponentType<Props> | undefined;
  readonly failed: boolean;
  readonly retry: () => void;
}

/** A component that comes with a script of its own. */
export function useScript<Props>(load: Load<Props>): Script<Props> {
  const [round, setRound] = useState(0);
  const [state, setState] = useState<{ of: Load<Props>; Component?: ComponentType<Props> } | undefined>(undefined);
  useEffect(() => {
    let left = false;
    const settle = (Component?: ComponentType<Props>): void => {
      // A script that comes after its page was left would take away the page that is here by now.
      if (!left) setState(Component === undefined ? { of: load } : { of: load, Component });
    };
    load().then(settle, () => settle());
    return () => {
      left = true;
    };
  }, [load, round]);
  const here = state?.of === load ? state : undefined;
  const retry = (): void => {
    setState(undefined);
    setRound((before) => before + 1);
  };
  return { Component: here?.Component, failed: here !== undefined && here.Component === undefined, retry };
}
