import type { RequestHead } from "./request.js";

/**
 * False when two readers could see different requests in the same bytes, which is how one is smuggled past a proxy (RFC 9112, 3.2 and 6.3): two hosts, two lengths, both or other
 * ways of telling the body's end; or a host that is no name. This build of the engine lets most of it through and takes the first; what it does refuse it refuses after the handler was called.
 */
export function hasCertainEnd({ headers }: RequestHead): boolean {
  const lengths = headers.get("content-length");
  const codings = headers.get("transfer-encoding");
  const hosts = headers.get("host");
  if (hosts?.length !== 1 || !host.test(hosts[0] ?? "")) return false;
  if (codings !== undefined) return lengths === undefined && codings.length === 1 && codings[0] === "chunked";
  return lengths === undefined || (lengths.length === 1 && /^\d{1,15}$/.test(lengths[0] ?? ""));
}

/** What a name, an address or a port can be made of (RFC 3986, section 3.2.2). */
const host = /^[\w.~!$&'()*+,;=:%[\]-]*$/;
