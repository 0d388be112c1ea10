import { call, type CallOptions } from "./call.js";
import type { Platform } from "./rows.js";
import { settings } from "./settings.js";

/** A session as its endpoints are called: the key stands in the place of its secret. */
export interface SessionName {
  readonly platform: Platform;
  readonly id: string;
}

type Route = `${"GET" | "POST" | "PUT" | "DELETE"} /${string}`;

export async function sessionCall<T>({ platform, id }: SessionName, route: Route, options: CallOptions = {}): Promise<T> {
  const [method, path] = route.split(" ") as ["GET", `/${string}`];
  return await call<T>(`${method} /${settings().prefixes[platform].slice(1)}${path}`, { ...options, headers: { ...options.headers, id } });
}

/** A media link as this page may load it: links begin with the deployment's address, and the same path leads there from here. */
export function mediaPath(link: string): string {
  if (!/^https?:\/\//.test(link)) return link;
  const { pathname } = new URL(link);
  return pathname;
}
