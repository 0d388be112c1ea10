import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";

type Load<Props> = () => Promise<ComponentType<Props>>;

/** A component that comes with a script of its own; `undefined` until it is here. */
export function useScript<Props>(load: Load<Props>): { readonly Component: ComponentType<Props> | undefined; readonly failed: boolean } {
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
  }, [load]);
  const here = state?.of === load ? state : undefined;
  return { Component: here?.Component, failed: here !== undefined && here.Component === undefined };
}
