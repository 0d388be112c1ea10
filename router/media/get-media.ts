import { signalOf } from "../../shared/flow/abort-scope.js";
import { ApiError } from "../../shared/contract/api-error.js";
import { isSessionId, type SessionId } from "../../shared/contract/ids.js";
import { invalidPlatformId, mediaNotFound } from "../../shared/contract/errors.js";
import type { MediaAddress } from "../../shared/contract/media.js";
import { chunkOf } from "./chunk.js";
import type { BytesPort, PacedBytes } from "./media-bytes.js";
import type { LinkParts } from "../../shared/media/link.js";
import type { InFlightLimit } from "../endpoint/in-flight-limit.js";
import type { HttpHandler } from "../http/handler.js";
import type { HttpRequest } from "../http/request.js";
import type { HttpResponse } from "../http/response.js";
import { MediaChangedError, type ChunkLoader, type ChunkMetrics, type MediaFile } from "./chunk-loader.js";
import { chunkStream, opened } from "./chunk-stream.js";
import { isConnected } from "./media-freshness.js";
import type { DescribedFile } from "./media-memory.js";
import { bytesResponse, mediaReply } from "./media-reply.js";
import { patientLoad } from "./patient-load.js";
import { ReadAhead } from "./read-ahead.js";
import type { MediaSession } from "./media-sessions.js";
import { splitFile } from "../../shared/media/sealed-links.js";
import type { MediaSource } from "./media-source.js";
import { type MediaSessionPort, readLogin } from "./media-login.js";

export const mediaPath = "/media/:platformId/:chatId/:messageId/:variant/:file";

/** A verified link in one request. */
export interface VerifiedLink {
  readonly requestId: string;
  readonly path: string;
  readonly session: SessionId;
  readonly address: MediaAddress;
}

/** What a link leads to. Its platform finds the file. */
export interface LinkTarget {
  readonly address: MediaAddress;
  open(link: VerifiedLink, session: MediaSession, signal: AbortSignal): LinkedFile;
}

/** The file behind a link, in one request. */
export interface LinkedFile {
  /** True if the description came from a cache, so it may be outdated. */
  readonly cached: boolean;
  describe(): Promise<DescribedFile>;
  forget(): Promise<void>;
  /** Resolves once the session is connected, so that a stream that needs the platform for `chunk` does not end midway. */
  untilConnected(file: MediaFile, chunk: number): Promise<unknown>;
}

export interface MediaParts {
  /** Verifies a link. Does no I/O. */
  readonly verify: (parts: LinkParts) => LinkTarget | undefined;
  readonly source: MediaSource;
  readonly sessions: MediaSessionPort;
  readonly loader: ChunkLoader;
  /** Open streams, each of which may hold two chunks. */
  readonly inFlight: InFlightLimit;
  readonly bytes: BytesPort;
  readonly metrics: Pick<ChunkMetrics, "readAhead">;
}

/**
 * GET and HEAD of a media link (variant B). Order: session id (400), signature (404), session and message (404), conditions (304), range
 * (416), connection (500), quota (429), bytes. Loads the first chunk before the status line.
 */
export function getMedia(parts: MediaParts): HttpHandler {
  return async (request, signal) => {
    const session = request.params["platformId"] ?? "";
    if (!isSessionId(session)) throw invalidPlatformId();
    const target = parts.verify(toLinkParts(session, request.params));
    if (target === undefined) throw mediaNotFound();
    request.identified();
    const link = { path: request.path, session, address: target.address, requestId: request.requestId };
    const reply = new MediaResponse(parts, request, { link, target }, signalOf(signal));
    try {
      return await reply.make();
    } catch (error) {
      if (!reply.mayBeOutdated(error)) throw error;
      // Nothing was sent yet and the cached description is outdated, so the shard describes the file again.
      await reply.forget();
      return await reply.make();
    }
  };
}

class MediaResponse {
  private linked: LinkedFile | undefined;
  private readonly link: VerifiedLink;

  constructor(
    private readonly parts: MediaParts,
    private readonly request: HttpRequest,
    private readonly verified: { readonly link: VerifiedLink; readonly target: LinkTarget },
    private readonly signal: AbortSignal,
  ) {
    this.link = verified.link;
  }

  async make(): Promise<HttpResponse> {
    const session = await readLogin(this.parts.sessions, this.link.session);
    const linked = (this.linked = this.verified.target.open(this.link, session, this.signal));
    const file = await linked.describe();
    const reply = mediaReply(this.request, file);
    if (reply.kind === "whole") return reply.response;
    const { status, headers, start, end } = reply;
    await this.requireChunks(session, linked, file, chunkOf(start), chunkOf(end));
    const head = { status, headers, prepared: file.prepared };
    const length = end - start + 1;
    const release = this.parts.inFlight.take({ id: this.link.session, tenant: session.tenant });
    const paced = await this.orRelease(this.parts.bytes.begin(session.tenant, length, this.signal), release);
    if (paced.isFree && chunkOf(start) === chunkOf(end)) {
      const borrowed = await this.orRelease(this.parts.loader.borrow(this.mediaFile(file), chunkOf(start), this.signal), release);
      return bytesResponse(head, borrowed, { start, end }, release);
    }
    return { kind: "stream", ...head, length, body: await this.open(file, { start, end, whole: status === 200 }, paced, release) };
  }

  /** Returns true if the error may come from an outdated cached description. */
  mayBeOutdated(error: unknown): boolean {
    return this.linked?.cached === true && (error instanceof MediaChangedError || (error instanceof ApiError && error.status === 404));
  }

  async forget(): Promise<void> {
    await this.linked?.forget();
  }

  private async requireChunks(session: MediaSession, linked: LinkedFile, file: DescribedFile, first: number, last: number): Promise<void> {
    if (isConnected(session)) return;
    const mediaFile = this.mediaFile(file);
    if (!(await this.parts.loader.hasAll(mediaFile, numbers(first, last)))) await linked.untilConnected(mediaFile, last);
  }

  /** A stream takes its place before its first bytes are loaded, so a failure must release it. */
  private async orRelease<T>(work: Promise<T>, release: () => void): Promise<T> {
    try {
      return await work;
    } catch (error) {
      release();
      throw error;
    }
  }

  /** Returns the stream with its first chunk loaded. */
  private async open(
    file: DescribedFile,
    { start, end, whole }: Span,
    paced: PacedBytes,
    release: () => void,
  ): Promise<AsyncIterator<Uint8Array, void, undefined>> {
    const { loader, metrics, sessions } = this.parts;
    const ahead = new ReadAhead({ loader, file: this.mediaFile(file), last: chunkOf(end), whole, metrics });
    const load = patientLoad((chunk, signal) => ahead.load(chunk, signal), {
      first: chunkOf(start),
      requireLogin: () => readLogin(sessions, this.link.session),
    });
    const chunks = chunkStream(load, start, end, this.signal);
    return await opened(paced.pace(chunks), release);
  }

  private mediaFile({ description }: DescribedFile): MediaFile {
    const { session, address, requestId } = this.link;
    return { session, address, description, requestId, source: this.parts.source };
  }
}

/** The bytes to send, both inclusive. `whole`: the client requested no range. */
interface Span {
  readonly start: number;
  readonly end: number;
  readonly whole: boolean;
}

function toLinkParts(session: SessionId, params: HttpRequest["params"]): LinkParts {
  const { chatId = "", messageId = "", variant = "", file = "" } = params;
  return { session, chatId, messageId, variant, ...splitFile(file) };
}

function* numbers(from: number, to: number): Generator<number> {
  for (let number = from; number <= to; number++) yield number;
}
