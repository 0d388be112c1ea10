import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";

/** After a failure, moves the focus to the first field of the form that has an error. */
export function useFaultFocus(failure: unknown): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (failure !== undefined) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [failure]);
  return form;
}
