import { portOf } from "../files/download/url-port.js";

/** `host:port`, the key under which receivers share the bounds of the gate: two services of one host are two destinations. */
export function destinationOf(url: string): string {
  const parsed = new URL(url);
  return `${parsed.hostname}:${portOf(parsed)}`;
}
