import { useEffect, useState } from "preact/hooks";
import type { RouterTraffic } from "../../../traffic.js";
import { call } from "../../api/call.js";
import { may } from "../../sign-in/who.js";
import { useLoaded, type Loaded } from "../../ui/use-loaded.js";
import { useRefresh } from "../../ui/use-refresh.js";
import { withSample } from "./samples.js";
import { measured, totalOf, type Measured } from "./traffic.js";

export interface Traffic extends Pick<Loaded<unknown>, "at" | "failure"> {
  /** Per minute. */
  readonly messages: readonly number[];
  readonly errors: readonly number[];
}

interface History {
  readonly routers: Measured;
  readonly messages: readonly number[];
  readonly errors: readonly number[];
}

/**
 * Reads the routers' counts every 5 s. This page keeps the samples: the gateway has no history of its counts, and a monitoring system
 * keeps a longer one than a router could.
 */
export function useTraffic(): Traffic {
  const loaded = useLoaded(
    async (signal) => (may("administer") ? (await call<{ docs: readonly RouterTraffic[] }>("GET /console/traffic", { signal })).docs : []),
    [],
  );
  useRefresh(loaded);
  const [history, setHistory] = useState<History>({ routers: new Map(), messages: [], errors: [] });
  const { value } = loaded;
  useEffect(() => {
    if (value !== undefined) setHistory((before) => withReading(before, value));
  }, [value]);
  return { at: loaded.at, failure: loaded.failure, messages: history.messages, errors: history.errors };
}

function withReading({ routers, messages, errors }: History, rows: readonly RouterTraffic[]): History {
  const next = measured(routers, rows);
  const total = totalOf(next);
  if (total === undefined) return { routers: next, messages, errors };
  return { routers: next, messages: withSample(messages, total.messages), errors: withSample(errors, total.errors) };
}
