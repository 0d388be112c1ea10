import { useEffect } from "preact/hooks";
import type { Loaded } from "./use-loaded.js";

const everyDefaultMs = 5_000;
/** A read that takes longer is restarted on another connection. */
const longestMs = 15_000;

/** Reads again at intervals, for what changes without an event. */
export function useRefresh({ loading, reload }: Pick<Loaded<unknown>, "loading" | "reload">, everyMs = everyDefaultMs): void {
  useEffect(() => {
    const timer = setTimeout(reload, loading ? longestMs : everyMs);
    return () => clearTimeout(timer);
  }, [loading]);
}
