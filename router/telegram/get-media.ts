import { ApiError } from "../../shared/contract/api-error.js";
import { isSessionId, type SessionId } from "../../shared/contract/ids.js";
import * as errors from "../../shared/contract/telegram/errors.js";
import type { MediaAddress } from "../../shared/contract/media.js";
import { chunkOf } from "../media/chunk.js";
import type { BytesPort, PacedBytes } from "../media/media-bytes.js";
import type { LinkParts } from "../../shared/media/link.js";
import type { InFlightLimit } from "../endpoint/in-flight-limit.js";
import type { HttpHandler } from "../http/handler.js";
import type { HttpRequest } from "../http/request.js";
import type { HttpResponse } from "../http/response.js";
import { MediaChangedError, type ChunkLoader, type ChunkMetrics, type MediaFile } from "../media/chunk-loader.js";
import { chunkStream, opened } from "../media/chunk-stream.js";
import { isConnected } from "../media/media-freshness.js";
import type { DescribedFile } from "../media/media-memory.js";
import { bytesResponse, mediaReply } from "../media/media-reply.js";
import { patientLoad } from "../media/patient-load.js";
import { ReadAhead } from "../media/read-ahead.js";
import type { MediaSession } from "../media/media-sessions.js";
import { DescribedLink, type DescriptionParts, type VerifiedLink } from "./described-link.js";
import { type MediaSessionPort, readLogin, requireLogin } from "./media-login.js";

export const mediaPath = "/media/:platformId/:chatId/:messageId/:variant/:file";

/** Verifies links. Does no I/O. */
export interface LinkPort {
  verify(parts: LinkParts): MediaAddress | undefined;
}

export interface MediaParts extends DescriptionParts {
  readonly sessions: MediaSessionPort;
  readonly links: LinkPort;
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
    if (!isSessionId(session)) throw errors.invalidPlatformId();
    const address = parts.links.verify(toLinkParts(session, request.params));
    if (address === undefined) throw errors.mediaNotFound();
    request.identified();
    const reply = new MediaResponse(parts, request, { path: request.path, session, address, requestId: request.requestId }, signal);
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
  private described: DescribedLink | undefined;

  constructor(
    private readonly parts: MediaParts,
    private readonly request: HttpRequest,
    private readonly link: VerifiedLink,
    private readonly signal: AbortSignal,
  ) {}

  async make(): Promise<HttpResponse> {
    const session = await readLogin(this.parts.sessions, this.link.session);
    this.described = new DescribedLink(this.parts, this.link, session, this.signal);
    const file = await this.described.describe();
    const reply = mediaReply(this.request, file, errors);
    if (reply.kind === "whole") return reply.response;
    const { status, headers, start, end } = reply;
    await this.requireChunks(session, file, chunkOf(start), chunkOf(end));
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
    return this.described?.cached === true && (error instanceof MediaChangedError || (error instanceof ApiError && error.status === 404));
  }

  async forget(): Promise<void> {
    await this.described?.forget();
  }

  private async requireChunks(session: MediaSession, file: DescribedFile, first: number, last: number): Promise<void> {
    if (isConnected(session)) return;
    const { loader, owners, commands } = this.parts;
    if (await loader.hasAll(this.mediaFile(file), numbers(first, last))) return;
    await requireLogin(owners, this.link.session, session, this.signal);
    // The result is not needed. The command only waits until the session is connected, so that a stream does not end midway.
    await commands.call("telegram", "describe-media", this.link.session, this.link.address, {
      signal: this.signal,
      requestId: this.link.requestId,
    });
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
    return { session, address, description, requestId };
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
  const dot = file.indexOf(".");
  const [signature, ext] = dot < 0 ? [file, ""] : [file.slice(0, dot), file.slice(dot + 1)];
  return { session, chatId, messageId, variant, signature, ext };
}

function* numbers(from: number, to: number): Generator<number> {
  for (let number = from; number <= to; number++) yield number;
}
