import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";

type Load<Props> = () => Promise<ComponentType<Props>>;

/** A component that comes with a script of its own; `undefined` until it is here. */
export function useScript<Props>(load: Load<Props>): { readonly Component: ComponentType<Props> | undefined; readonly failed: boolean } {
  const [state, setState] = useState<{ of: Load<Props>; Component?: ComponentType<Props> } | undefined>(undefined);
  useEffect(() => {
    load().then(
      (Component) => setState({ of: load, Component }),
      () => setState({ of: load }),
    );
  }, [load]);
  const here = state?.of === load ? state : undefined;
  return { Component: here?.Component, failed: here !== undefined && here.Component === undefined };
}
