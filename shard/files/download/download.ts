import { setMaxListeners } from "node:events";
import type { IncomingHttpHeaders } from "node:http";
import { type Readable, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { AddressGuard, type AddressGuardOptions } from "./address-guard.js";
import { AbortScope } from "../../../shared/flow/abort-scope.js";
import { DownloadError, statusError, toDownloadError } from "./download-error.js";
import { createFile, DownloadedFile, removeFile } from "./downloaded-file.js";
import { KeyedSemaphore, type Release } from "../../flow/keyed-semaphore.js";
import { turnWithin, type QuotaPort } from "../../tenant/session-quota.js";
import { openHop, type Hop } from "./http-hop.js";
import { Pace, type PaceOptions } from "./pace.js";
import { TempFolder } from "./temp-folder.js";

export interface DownloadOptions extends AddressGuardOptions {
  /** Folder for the per-process folder of temporary files, such as the data folder of this host. */
  readonly folder: string;
  /** Downloads that run at once. Default 50. */
  readonly limit?: number;
  /** Limits each tenant's concurrent downloads over all shards. */
  readonly quota?: QuotaPort;
  /** Returns the tenant that owns a session: tenants take turns, and so do the sessions of each. Absent: all belong to one tenant. */
  readonly tenantOf?: (key: string) => string;
  /** Concurrent downloads of one key (a session). Default 4. */
  readonly limitPerKey?: number;
  /** Downloads that may wait. Default 500. */
  readonly maxWaiting?: number;
  /** Bytes of all files that are not yet disposed of, including those still arriving. Default 8 GiB. */
  readonly maxStoredBytes?: number;
  /** Default 5 s for name resolution, TCP and TLS of one hop. */
  readonly connectMs?: number;
  /** Default 15 s from the connection to the response's head, for one hop. */
  readonly firstByteMs?: number;
  /** Default 120 s for everything, waiting for a place included. */
  readonly totalMs?: number;
  /** Default 16 KiB/s over windows of 20 s. */
  readonly pace?: PaceOptions;
  /** Called after each download with its outcome (`ok`, `aborted`, or the fault with all statuses as `status`), for metrics. */
  readonly onFinished?: (outcome: string, seconds: number, sizeBytes: number) => void;
}

export interface DownloadRequest {
  /** The id of the session that downloads. */
  readonly key: string;
  /** 20 MiB for pictures, 5 MiB for thumbnails, 100 MiB for other files. Counted after decoding. */
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

const waitingMax = 500;
const any = Number.POSITIVE_INFINITY;
const maxRedirects = 3;
const redirects = new Set([301, 302, 303, 307, 308]);

/**
 * Fetches the files that tenants name by URL, without giving them access to our network (see AddressGuard). Rejects with DownloadError
 * (its `detail` is public), or with the reason of the caller's signal.
 */
export class Downloader {
  private readonly guard: AddressGuard;
  private readonly places: KeyedSemaphore;
  private readonly folder: TempFolder;
  private readonly stopping = new AbortController();
  private readonly running = new Set<Promise<unknown>>();
  private storedBytes = 0;
  /** Downloads that wait for their tenant's quota. */
  private beforeQuota = 0;

  constructor(private readonly options: DownloadOptions) {
    this.guard = new AddressGuard(options);
    setMaxListeners(0, this.stopping.signal); // one for each task, and their number has its own bound
    this.places = new KeyedSemaphore([options.limit ?? 50, any, options.limitPerKey ?? 4], options.maxWaiting ?? waitingMax);
    this.folder = new TempFolder(options.folder);
  }

  /** Waiting and running downloads. */
  get pending(): number {
    return this.places.sizeOf([]) + this.beforeQuota;
  }

  /** Makes the folder of this process and removes folders of dead processes. */
  async start(): Promise<void> {
    await this.folder.open();
  }

  /** Ends all downloads and removes every file, disposed of or not. */
  async stop(): Promise<void> {
    this.stopping.abort(new DownloadError("connection failed", "downloader stopped"));
    await Promise.allSettled(this.running);
    await this.folder.remove();
  }

  /** Fetches `url` into a file, which the caller must dispose of. */
  async download(url: string, request: DownloadRequest): Promise<DownloadedFile> {
    const startedAt = performance.now();
    const work = this.fetch(url, request);
    this.running.add(work);
    let outcome = "aborted";
    let sizeBytes = 0;
    try {
      const file = await work;
      [outcome, sizeBytes] = ["ok", file.size];
      return file;
    } catch (error) {
      if (request.signal.aborted) throw request.signal.reason;
      const failure = toDownloadError(error);
      outcome = /^\d/.test(failure.detail) ? "status" : failure.detail;
      throw failure;
    } finally {
      this.running.delete(work);
      this.options.onFinished?.(outcome, (performance.now() - startedAt) / 1000, sizeBytes);
    }
  }

  private async fetch(url: string, { key, maxBytes, signal }: DownloadRequest): Promise<DownloadedFile> {
    const first = this.guard.check(url);
    const scope = new AbortScope(
      [signal, this.stopping.signal],
      this.options.totalMs ?? 120_000,
      new DownloadError("timeout", undefined, "the file did not arrive in time"),
    );
    try {
      const release = await this.turn(key, scope.signal);
      if (release === undefined) throw new DownloadError("too many downloads");
      try {
        const hop = await this.follow(first, scope.signal);
        try {
          return await this.store(hop, maxBytes, scope.signal, (reason) => scope.abort(reason));
        } finally {
          await hop.close();
        }
      } finally {
        release();
      }
    } finally {
      scope.close();
    }
  }

  /** Downloads that wait for their tenant's quota count as waiting, too. */
  private async turn(key: string, signal: AbortSignal): Promise<Release | undefined> {
    const { quota, tenantOf, maxWaiting = waitingMax } = this.options;
    if (quota !== undefined && this.beforeQuota >= maxWaiting) return undefined;
    let waits = true;
    const over = (): void => {
      if (waits) this.beforeQuota -= 1;
      waits = false;
    };
    this.beforeQuota += 1;
    try {
      return await turnWithin(quota, key, signal, () => {
        over();
        return this.places.enterUnlessFull([tenantOf?.(key) ?? "", key], signal);
      });
    } finally {
      over();
    }
  }

  /** Follows redirects, each checked like the first URL, to the response that holds the file. */
  private async follow(first: URL, signal: AbortSignal): Promise<Hop> {
    const limits = { connectMs: this.options.connectMs ?? 5_000, firstByteMs: this.options.firstByteMs ?? 15_000 };
    let url = first;
    for (let hops = 0; hops <= maxRedirects; hops++) {
      const hop = await openHop(url, this.guard, limits, signal);
      const { statusCode, headers } = hop.response;
      if (statusCode === 200 || statusCode === 203) return hop;
      await hop.close();
      const { location } = headers;
      if (!redirects.has(statusCode) || typeof location !== "string") throw statusError(statusCode);
      url = this.guard.check(asUtf8(location), url);
    }
    throw new DownloadError("too many redirects", undefined, `more than ${maxRedirects}`);
  }

  /** Streams the body to a file, with one chunk at a time in memory. Leaves no file behind when it fails. */
  private async store(hop: Hop, maxBytes: number, signal: AbortSignal, abort: (reason: unknown) => void): Promise<DownloadedFile> {
    const { body, headers } = hop.response;
    const declared = Number(headers["content-length"] ?? 0);
    const decoders = decodersFor(headers);
    if (declared > maxBytes) throw tooLarge(maxBytes);
    if (this.isFull(declared)) throw new DownloadError("too many downloads");
    const { path, handle } = await createFile(this.folder.path);
    const pace = new Pace(this.options.pace ?? { bytes: 20 * 16 * 1024, windowMs: 20_000 }, () =>
      abort(new DownloadError("timeout", undefined, "the file arrives too slowly")),
    );
    let size = 0;
    const forget = (): void => void (this.storedBytes -= size);
    body.on("data", (chunk: Buffer) => pace.add(chunk.length)).pause();
    const sink = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        if (size + chunk.length > maxBytes) return done(tooLarge(maxBytes));
        if (this.isFull(chunk.length)) return done(new DownloadError("too many downloads"));
        const position = size;
        size += chunk.length;
        this.storedBytes += chunk.length;
        writeAll(position, chunk).then(() => done(), done);
      },
    });
    const writeAll = async (position: number, chunk: Buffer): Promise<void> => {
      for (let written = 0; written < chunk.length; ) {
        written += (await handle.write(chunk, written, chunk.length - written, position + written)).bytesWritten;
      }
    };
    try {
      await pipeline([body, ...decoders, sink], { signal });
      if (size === 0) throw new DownloadError("empty file");
      return new DownloadedFile(path, size, contentTypeOf(headers), handle, forget);
    } catch (error) {
      forget();
      await removeFile(handle, path);
      throw signal.aborted ? signal.reason : error;
    } finally {
      pace.stop();
    }
  }

  private isFull(moreBytes: number): boolean {
    return this.storedBytes + moreBytes > (this.options.maxStoredBytes ?? 8 * 1024 ** 3);
  }
}

/**
 * We request `identity`, but accept one coding and count the decoded bytes. Two nested codings are refused: with a few bytes they could
 * keep the decoders busy for the whole time of a download.
 */
function decodersFor(headers: IncomingHttpHeaders): (Readable & NodeJS.WritableStream)[] {
  // A repeated header is a list here, whatever its type says.
  const sent = [headers["content-encoding"] ?? ""].flat().join();
  const codings = sent.split(",").map((coding) => coding.trim().toLowerCase());
  const [coding, ...further] = codings.filter((one) => !sameBytes.has(one));
  if (coding === undefined) return [];
  const create = further.length > 0 ? undefined : decoders.get(coding);
  if (create === undefined)
    throw new DownloadError("connection failed", `content-encoding ${sent}`, "the server compresses the file in a way that cannot be read");
  return [create()];
}

/** Values that servers send although the bytes are the file's own: charsets, and how an object store received the upload. */
const sameBytes = new Set([
  "",
  "identity",
  "none",
  "null",
  "utf-8",
  "utf8",
  "us-ascii",
  "iso-8859-1",
  "binary",
  "7bit",
  "8bit",
  "aws-chunked",
]);

/** Decodes a `Location` with raw UTF-8 bytes, which arrives with one character for each byte. */
function asUtf8(location: string): string {
  if (!/[\x80-\xff]/.test(location) || /[^\0-\xff]/.test(location)) return location;
  const text = Buffer.from(location, "latin1").toString();
  return text.includes("\ufffd") ? location : text;
}

function tooLarge(maxBytes: number): DownloadError {
  const size = maxBytes >= mebibyte ? `${Math.floor(maxBytes / mebibyte)} MiB` : `${maxBytes} bytes`;
  return new DownloadError("too large", undefined, `at most ${size}`);
}

const mebibyte = 1024 * 1024;

const decoders: ReadonlyMap<string, () => Readable & NodeJS.WritableStream> = new Map([
  ["gzip", () => createGunzip()],
  ["x-gzip", () => createGunzip()],
  ["deflate", () => createInflate()],
  ["br", () => createBrotliDecompress()],
]);

/** Passes only a plain `type/subtype`: any other text of the server could end up in one of our headers. */
function contentTypeOf(headers: IncomingHttpHeaders): string {
  return /^[\w.+-]{1,64}\/[\w.+-]{1,64}/.exec(headers["content-type"] ?? "")?.[0].toLowerCase() ?? "";
}
