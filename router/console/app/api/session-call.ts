import { call, type CallOptions } from "./call.js";
import type { Platform } from "./rows.js";
import { settings } from "./settings.js";

/** A session for calls with an API key instead of the session's secret. */
export interface SessionName {
  readonly platform: Platform;
  readonly id: string;
}

type Route = `${"GET" | "POST" | "PUT" | "PATCH" | "DELETE"} /${string}`;

export async function sessionCall<T>({ platform, id }: SessionName, route: Route, options: CallOptions = {}): Promise<T> {
  const [method, path] = route.split(" ") as ["GET", `/${string}`];
  return await call<T>(`${method} /${settings().prefixes[platform].slice(1)}${path}`, { ...options, headers: { ...options.headers, id } });
}

/** Returns the path of a media link, because this page may load only its own origin. */
export function mediaPath(link: string): string {
  if (!/^https?:\/\//.test(link)) return link;
  const { pathname } = new URL(link);
  return pathname;
}
