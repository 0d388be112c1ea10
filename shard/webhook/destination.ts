import { portOf } from "../files/download/url-port.js";

/** Returns `host:port`, the key by which receivers share the limits of the gate. Two services of one host are two destinations. */
export function destinationOf(url: string): string {
  const parsed = new URL(url);
  return `${parsed.hostname}:${portOf(parsed)}`;
}
