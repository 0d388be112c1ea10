import { getBinaryNodeChild, getBinaryNodeChildren, type BinaryNode, type MediaConnInfo } from "@whiskeysockets/baileys";

/**
 * Holds the upload hosts and the permission of one connection, read from the platform once per validity period. The library's own cache
 * also keeps a failed query, after which every upload fails.
 */
export class MediaHosts {
  private request: Promise<MediaConnInfo> | undefined;
  private found: MediaConnInfo | undefined;
  private freshUntil = 0;

  constructor(private readonly query: (node: BinaryNode) => Promise<BinaryNode>) {}

  /** Returns the hosts. Rejects like the platform. */
  find(): Promise<MediaConnInfo> {
    if (performance.now() >= this.freshUntil) this.request = undefined;
    return (this.request ??= this.fetch());
  }

  /** Evicts hosts that failed. Uploads that fail at the same time cause one new query. */
  forget(found: MediaConnInfo): void {
    if (this.found === found) this.request = undefined;
  }

  private fetch(): Promise<MediaConnInfo> {
    this.freshUntil = Number.POSITIVE_INFINITY;
    const request = this.query({
      tag: "iq",
      attrs: { type: "set", xmlns: "w:m", to: "@s.whatsapp.net" },
      content: [{ tag: "media_conn", attrs: {} }],
    }).then(toHosts);
    request.then(
      (found) => {
        if (this.request === request) this.found = found;
        this.keep(request, found.ttl);
      },
      () => this.keep(request, 0),
    );
    return request;
  }

  private keep(request: Promise<MediaConnInfo>, seconds: number): void {
    if (this.request === request) this.freshUntil = performance.now() + seconds * 1_000;
  }
}

/** Reads the hosts from the response. An upload without any host fails like one that every host refused. */
function toHosts(response: BinaryNode): MediaConnInfo {
  const media = getBinaryNodeChild(response, "media_conn");
  const hosts = getBinaryNodeChildren(media, "host").flatMap(({ attrs: { hostname, maxContentLengthBytes } }) =>
    hostname === undefined ? [] : [{ hostname, maxContentLengthBytes: Number(maxContentLengthBytes) }],
  );
  const ttl = Number(media?.attrs["ttl"]);
  return { auth: media?.attrs["auth"] ?? "", ttl: ttl > 0 ? ttl : 0, hosts, fetchDate: new Date() };
}
