/** A proxy that connections to a platform go through. */
export interface ProxyAddress {
  readonly kind: "socks5" | "http";
  readonly host: string;
  readonly port: number;
  /** Both are empty if the proxy needs no login. */
  readonly user: string;
  readonly password: string;
}

export const proxyMaxBytes = 1_024;
/** SOCKS5 stores the length of each in one byte. */
const loginMaxBytes = 255;

/** `socks5://[user:password@]host:port`, `http://…` likewise; `undefined` for any other text. Does no I/O. */
export function parseProxy(text: string): ProxyAddress | undefined {
  if (Buffer.byteLength(text) > proxyMaxBytes || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  const kind = kinds.get(url.protocol);
  const host = hostIn(url);
  if (kind === undefined || host === undefined || url.search !== "" || url.hash !== "" || !/^\/?$/.test(url.pathname)) return undefined;
  const port = Number(url.port === "" && kind === "http" ? 80 : url.port);
  const [user, password] = [decoded(url.username), decoded(url.password)];
  if (port === 0 || user === undefined || password === undefined) return undefined;
  return { kind, host, port, user, password };
}

/** Returns the address without its login, for display. */
export function shownProxy(text: string): string {
  const proxy = parseProxy(text);
  if (proxy === undefined) return "***";
  const host = proxy.host.includes(":") ? `[${proxy.host}]` : proxy.host;
  return `${proxy.kind}://${proxy.user === "" && proxy.password === "" ? "" : "***@"}${host}:${proxy.port}`;
}

/** With both spellings the proxy resolves names: a lookup here would reveal where a session connects. */
const kinds: ReadonlyMap<string, ProxyAddress["kind"]> = new Map([
  ["socks5:", "socks5"],
  ["socks5h:", "socks5"],
  ["http:", "http"],
]);

/** Returns the host in ASCII form, an IPv6 address without brackets; `undefined` for an invalid host, which `socks5:` URLs may contain. */
function hostIn({ hostname }: URL): string | undefined {
  const address = `http://${hostname}/`;
  if (hostname === "" || !URL.canParse(address)) return undefined;
  return new URL(address).hostname.replace(/^\[(.*)\]$/, "$1");
}

/** Returns `undefined` for a text that is too long or has control characters. */
function decoded(part: string): string | undefined {
  try {
    const text = decodeURIComponent(part);
    return Buffer.byteLength(text) <= loginMaxBytes && !control.test(text) ? text : undefined;
  } catch {
    // The text has an invalid percent escape.
    return undefined;
  }
}

const control = /\p{Cc}/u;
