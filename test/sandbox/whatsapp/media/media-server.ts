import { createHash } from "node:crypto";
import { once } from "node:events";
import { createReadStream } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer, type Server } from "node:https";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { readFile } from "node:fs/promises";
import sharp from "sharp";
import type { ProtocolLog } from "../protocol/protocol-log.js";
import type { MediaCertificate } from "./certificate.js";
import type { MediaAuth } from "./media-auth.js";
import { maxUploadBytes, type MediaStore, type StoredMedia, TooLarge } from "./media-store.js";
import type { ProfilePictures } from "./profile-pictures.js";

export interface MediaServerOptions {
  readonly certificate: MediaCertificate;
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
  readonly store: MediaStore;
  readonly auth: MediaAuth;
  readonly pictures: ProfilePictures;
  readonly log: ProtocolLog;
  /**
   * Runs before an upload is read (`undefined`: no valid token). It may wait, return an error status, or return `drop` to close the
   * connection.
   */
  readonly intercept: (account: string | undefined) => Promise<number | "drop" | undefined>;
  /** Runs before a download. It may return an error status. */
  readonly interceptDownload: () => number | undefined;
  readonly uploaded: (account: string, path: string, media: StoredMedia, remoteAddress: string) => void;
}

const uploadForm = /^\/(?:mms\/|newsletter\/newsletter-)(image|video|audio|document|ptt|ptv|sticker|gif|thumbnail-link)\/([\w-]{43})=?$/;
const downloadForm = /^\/media\/([\w-]{43})(?:\/(\d+))?(?:\?.*)?$/;
const requestDeadlineMs = 120_000;
const thumbnailPx = 100;

/** Ends a request with this status and message. */
class Refused extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** The platform's file server. It accepts encrypted files and channels' plain files by POST, and serves files and pictures by GET. */
export class MediaServer {
  private readonly server: Server;

  constructor(private readonly options: MediaServerOptions) {
    const { key, cert } = options.certificate;
    this.server = createServer({ key, cert }, (request, response) => void this.serve(request, response));
    this.server.requestTimeout = requestDeadlineMs;
  }

  async start(): Promise<void> {
    this.server.listen({ host: this.options.host, port: this.options.port });
    await once(this.server, "listening");
  }

  async stop(): Promise<void> {
    if (!this.server.listening) return;
    const closed = once(this.server, "close");
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }

  /** The address that the platform names to clients, such as "127.0.0.1:8112". */
  get address(): string {
    const address = this.server.address();
    if (address === null || typeof address === "string") throw new Error("the media server has no port");
    return `${this.options.host}:${address.port}`;
  }

  /** Never rejects. */
  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const url = new URL(request.url ?? "/", "https://sandbox");
      if (request.method === "POST") await this.upload(request, response, url);
      else if (request.method === "GET" || request.method === "HEAD") {
        const refused = this.options.interceptDownload();
        if (refused !== undefined) throw new Refused(refused, "refused");
        await this.download(request.method, response, url.pathname);
      } else throw new Refused(405, "method not allowed");
    } catch (error) {
      const refused = error instanceof TooLarge ? new Refused(413, error.message) : error;
      if (refused instanceof Refused) {
        reply(response, refused.status, { error: refused.message });
        return;
      }
      // A client that disconnects is not a server failure.
      if (!request.destroyed) this.options.log.error("media request failed", { error });
      reply(response, 500, { error: "internal server error" });
    }
  }

  private async upload(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
    const account = this.options.auth.accountOf(url.searchParams.get("auth") ?? "");
    const refused = await this.options.intercept(account);
    if (refused === "drop") return void request.destroy();
    if (refused !== undefined) throw new Refused(refused, "refused");
    if (account === undefined) throw new Refused(401, "not authorized");
    const match = uploadForm.exec(decodeURIComponent(url.pathname));
    if (match === null) throw new Refused(404, "not found");
    if (Number(request.headers["content-length"] ?? 0) > maxUploadBytes) throw new Refused(413, "body too large");
    const media = await this.options.store.put(request);
    if (media.sha256.toString("base64url") !== match[2]) throw new Refused(400, "token is not the hash of the body");
    this.options.uploaded(account, url.pathname, media, request.socket.remoteAddress ?? "");
    const path = pathOf(media);
    const thumbnail = url.searchParams.get("server_thumb_gen") === "1" && match[1] === "image" ? await this.thumbnail(media) : undefined;
    reply(response, 200, {
      url: this.urlOf(path),
      direct_path: path,
      handle: media.sha256.toString("base64"),
      ...(thumbnail && { thumbnail_info: thumbnail }),
    });
  }

  /** Returns no thumbnail for a picture that cannot be decoded. */
  private async thumbnail({ path }: StoredMedia): Promise<Record<string, string> | undefined> {
    const bytes = await sharp(await readFile(path))
      .resize({ width: thumbnailPx, height: thumbnailPx, fit: "inside" })
      .jpeg()
      .toBuffer()
      .catch(() => undefined);
    if (bytes === undefined) return undefined;
    const media = await this.options.store.put(Readable.from([bytes]));
    return { thumbnail_direct_path: pathOf(media), thumbnail_sha256: createHash("sha256").update(bytes).digest("base64") };
  }

  private async download(method: string, response: ServerResponse, path: string): Promise<void> {
    if (path.startsWith("/pictures/")) {
      const picture = await this.options.pictures.get(path);
      response.writeHead(200, { "content-type": "image/jpeg", "content-length": picture.length });
      return void response.end(method === "HEAD" ? undefined : picture);
    }
    const [, hash, era = "0"] = downloadForm.exec(path) ?? [];
    const loss = hash === undefined ? undefined : this.options.store.lossOf(Number(era));
    if (loss !== undefined) throw new Refused(loss.status, "gone");
    const media = hash === undefined ? undefined : this.options.store.get(Buffer.from(hash, "base64url"));
    if (media === undefined) throw new Refused(404, "not found");
    await sendFile(method, response, media);
  }

  private urlOf(path: string): string {
    return `https://${this.address}${path}`;
  }
}

/** Sends one range of the file if the request has one. */
async function sendFile(method: string, response: ServerResponse, { path, size }: StoredMedia): Promise<void> {
  const [, from, to = ""] = /^bytes=(\d+)-(\d*)$/.exec(response.req.headers.range ?? "") ?? [];
  const start = Number(from ?? 0);
  if (start >= size) throw new Refused(416, "range not satisfiable");
  const end = Math.min(to === "" ? size - 1 : Number(to), size - 1);
  response.writeHead(from === undefined ? 200 : 206, {
    "content-type": "application/octet-stream",
    "content-length": end - start + 1,
    ...(from !== undefined && { "content-range": `bytes ${start}-${end}/${size}` }),
  });
  if (method === "HEAD") return void response.end();
  await pipeline(createReadStream(path, { start, end }), response);
}

/** Returns a stored file's path. As on the platform it already has a query, and some clients append to it without checking. */
export function pathOf({ sha256, era }: Pick<StoredMedia, "sha256" | "era">): string {
  return `/media/${sha256.toString("base64url")}${era === 0 ? "" : `/${era}`}?ccb=11-4`;
}

export function hashOfPath(path: string): Buffer | undefined {
  const hash = downloadForm.exec(path)?.[1];
  return hash === undefined ? undefined : Buffer.from(hash, "base64url");
}

function reply(response: ServerResponse, status: number, answer: Readonly<Record<string, unknown>>): void {
  if (response.headersSent || response.destroyed) return;
  // The server must not parse the unread rest of a rejected body as the next request.
  response.writeHead(status, { "content-type": "application/json", ...(status === 200 ? {} : { connection: "close" }) });
  response.end(JSON.stringify(answer));
}
