import { getBinaryNodeChild, getBinaryNodeChildren, type BinaryNode, type MediaConnInfo } from "@whiskeysockets/baileys";

/**
 * Where the files of one connection may be uploaded, and with which permission: asked of the platform once, and kept for as long as it says. The library's
 * own memory keeps a question that failed, too, and from then on no file goes out on that connection.
 */
export class MediaHosts {
  private asked: Promise<MediaConnInfo> | undefined;
  private found: MediaConnInfo | undefined;
  private freshUntil = 0;

  constructor(private readonly query: (node: BinaryNode) => Promise<BinaryNode>) {}

  /** Rejects like the platform. */
  find(): Promise<MediaConnInfo> {
    if (performance.now() >= this.freshUntil) this.asked = undefined;
    return (this.asked ??= this.ask());
  }

  /** What `find` resolved with does not work. Uploads that fail side by side ask for new hosts once. */
  forget(found: MediaConnInfo): void {
    if (this.found === found) this.asked = undefined;
  }

  private ask(): Promise<MediaConnInfo> {
    this.freshUntil = Number.POSITIVE_INFINITY;
    const asked = this.query({
      tag: "iq",
      attrs: { type: "set", xmlns: "w:m", to: "@s.whatsapp.net" },
      content: [{ tag: "media_conn", attrs: {} }],
    }).then(toHosts);
    asked.then(
      (found) => {
        if (this.asked === asked) this.found = found;
        this.keep(asked, found.ttl);
      },
      () => this.keep(asked, 0),
    );
    return asked;
  }

  private keep(asked: Promise<MediaConnInfo>, seconds: number): void {
    if (this.asked === asked) this.freshUntil = performance.now() + seconds * 1_000;
  }
}

/** An answer without hosts is an upload that no host takes. */
function toHosts(answer: BinaryNode): MediaConnInfo {
  const media = getBinaryNodeChild(answer, "media_conn");
  const hosts = getBinaryNodeChildren(media, "host").flatMap(({ attrs: { hostname, maxContentLengthBytes } }) =>
    hostname === undefined ? [] : [{ hostname, maxContentLengthBytes: Number(maxContentLengthBytes) }],
  );
  const ttl = Number(media?.attrs["ttl"]);
  return { auth: media?.attrs["auth"] ?? "", ttl: ttl > 0 ? ttl : 0, hosts, fetchDate: new Date() };
}
