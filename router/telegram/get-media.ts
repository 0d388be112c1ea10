import { ApiError } from "../../shared/contract/api-error.js";
import { isSessionId, type SessionId } from "../../shared/contract/ids.js";
import * as errors from "../../shared/contract/telegram/errors.js";
import type { MediaAddress, MediaDescription } from "../../shared/contract/telegram/media.js";
import type { Log } from "../../shared/log/logger.js";
import { chunkOf } from "../../shared/media/chunk.js";
import type { CachedDescription, MediaHolder } from "../../shared/media/description-cache.js";
import type { LinkParts } from "../../shared/media/link.js";
import type { StoredSession } from "../../shared/session/session-reader.js";
import type { SessionPort } from "../endpoint/authenticate.js";
import type { CommandPort } from "../endpoint/endpoint.js";
import type { SessionSlots } from "../endpoint/session-slots.js";
import { errorAnswer } from "../endpoint/serve.js";
import type { HttpHandler } from "../http/handler.js";
import { singleHeader, type HttpRequest } from "../http/request.js";
import type { HttpAnswer } from "../http/response.js";
import { MediaChangedError, type ChunkLoader, type ChunkMetrics, type MediaFile } from "../media/chunk-loader.js";
import { chunkStream, opened } from "../media/chunk-stream.js";
import { mediaHeaders } from "../media/media-headers.js";
import { ReadAhead } from "../media/read-ahead.js";
import { noneMatch, rangeApplies, selectRange, type Selection } from "../media/range.js";

/** How long a link of a connected session may go on after its message was deleted; then the shard is asked again. */
const freshMs = 5 * 60_000;

export const mediaPath = "/media/:platformId/:chatId/:messageId/:variant/:file";

/** Checks links; no I/O. */
export interface LinkPort {
  verify(parts: LinkParts): MediaAddress | undefined;
}

/** The cache of descriptions. */
export interface DescriptionPort {
  get(holder: MediaHolder, address: MediaAddress): Promise<CachedDescription | undefined>;
  put(holder: MediaHolder, address: MediaAddress, description: MediaDescription): Promise<void>;
  forget(holder: MediaHolder, address: MediaAddress): Promise<void>;
}

export interface MediaParts {
  readonly sessions: SessionPort;
  readonly commands: CommandPort;
  readonly links: LinkPort;
  readonly descriptions: DescriptionPort;
  readonly loader: ChunkLoader;
  /** Open streams: each may hold two chunks. */
  readonly slots: SessionSlots;
  readonly metrics: Pick<ChunkMetrics, "readAhead">;
  readonly log: Log;
}

/**
 * GET and HEAD of a media link (variant B). Order: shape of the session id (400), signature (404), session and message (404),
 * conditions (304), range (416), connection (500), then the file's bytes. The first chunk is in hand before the status line.
 */
export function getMedia(parts: MediaParts): HttpHandler {
  return async (request, signal) => {
    const session = request.params["platformId"] ?? "";
    if (!isSessionId(session)) throw errors.invalidPlatformId();
    const address = parts.links.verify(toLinkParts(session, request.params));
    if (address === undefined) throw errors.mediaNotFound();
    const answer = new MediaAnswer(parts, request, session, address, signal);
    try {
      return await answer.make();
    } catch (error) {
      if (!answer.mayBeStale(error)) throw error;
      // Nothing was sent yet, and what the cache says of the file is out of date: ask the shard what it is now.
      await answer.forget();
      return await answer.make();
    }
  };
}

class MediaAnswer {
  private describedByCache = false;
  private account = "";

  constructor(
    private readonly parts: MediaParts,
    private readonly request: HttpRequest,
    private readonly session: SessionId,
    private readonly address: MediaAddress,
    private readonly signal: AbortSignal,
  ) {}

  async make(): Promise<HttpAnswer> {
    const session = await this.storedSession();
    const description = await this.describe(session);
    const headers = mediaHeaders(description);
    const { size, etag } = description;
    if (noneMatch(this.request.headers.get("if-none-match"), etag)) return { kind: "empty", status: 304, headers };
    if (this.request.method === "HEAD") return { kind: "empty", status: 200, headers, length: size };

    const selection = this.select(description);
    if (selection.kind === "unsatisfiable") return errorAnswer(errors.rangeNotSatisfiable(), { "Content-Range": `bytes */${size}` });
    if (size === 0) return { kind: "empty", status: 200, headers, length: 0 };
    const [start, end] = selection.kind === "part" ? [selection.start, selection.end] : [0, size - 1];
    const body = await this.open(session, description, { start, end, whole: selection.kind === "whole" });
    const length = end - start + 1;
    if (selection.kind === "whole") return { kind: "stream", status: 200, headers, length, body };
    return { kind: "stream", status: 206, headers: { ...headers, "Content-Range": `bytes ${start}-${end}/${size}` }, length, body };
  }

  /** True when an error may mean that the cached description is not that of the present file. */
  mayBeStale(error: unknown): boolean {
    return this.describedByCache && (error instanceof MediaChangedError || (error instanceof ApiError && error.status === 404));
  }

  async forget(): Promise<void> {
    await this.parts.descriptions.forget(this.holder, this.address);
  }

  private get holder(): MediaHolder {
    return { session: this.session, account: this.account };
  }

  /** A session that is gone has no media. */
  private async storedSession(): Promise<StoredSession> {
    const session = await this.parts.sessions.read("telegram", this.session);
    if (session === undefined || session.state.kind === "deleted") throw errors.mediaNotFound();
    this.account = session.lastAccount;
    return session;
  }

  /** Only a connected session can be asked; one that is between two owners gets a bounded moment. What is cached needs neither. */
  private async requireConnection(session: StoredSession): Promise<void> {
    const current = session.active ? session : await this.parts.sessions.waitActive("telegram", this.session, this.signal);
    if (current?.active !== true || current.state.kind !== "connected") throw errors.sessionNotConnected();
  }

  private async describe(session: StoredSession): Promise<MediaDescription> {
    const cached = await this.cachedDescription();
    this.describedByCache = cached !== undefined;
    if (cached === undefined) return this.describeAnew(session);
    const connected = session.active && session.state.kind === "connected";
    if (cached.ageMs < freshMs || !connected) return cached.description;
    try {
      return await this.describeAnew(session);
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) {
        await this.forget();
        throw error;
      }
      return cached.description;
    }
  }

  private async describeAnew(session: StoredSession): Promise<MediaDescription> {
    const { descriptions, commands } = this.parts;
    await this.requireConnection(session);
    const description = await commands.call("telegram", "describe-media", this.session, this.address, this.signal);
    await descriptions.put(this.holder, this.address, description).catch((error: unknown) => {
      this.parts.log.warn({ err: error }, "media description was not cached");
    });
    return description;
  }

  /** A cache that does not answer is a miss. */
  private async cachedDescription(): Promise<CachedDescription | undefined> {
    try {
      return await this.parts.descriptions.get(this.holder, this.address);
    } catch (error) {
      this.parts.log.warn({ err: error }, "media description read failed");
      return undefined;
    }
  }

  private select({ size, etag }: MediaDescription): Selection {
    const applies = rangeApplies(this.request.headers.get("if-range"), etag);
    return selectRange(applies ? singleHeader(this.request, "range") : undefined, size);
  }

  /** The stream with its first chunk loaded; it holds one of the bounded stream slots until it ends. */
  private async open(session: StoredSession, description: MediaDescription, { start, end, whole }: Span): Promise<AsyncIterator<Uint8Array, void, undefined>> {
    const { loader, slots, metrics } = this.parts;
    const file: MediaFile = { session: this.session, address: this.address, description };
    const connected = session.active && session.state.kind === "connected";
    if (!connected && !(await loader.hasAll(file, numbers(chunkOf(start), chunkOf(end))))) await this.requireConnection(session);
    const release = slots.take(this.session);
    const ahead = new ReadAhead({ loader, file, last: chunkOf(end), whole, metrics });
    return await opened(chunkStream((chunk, signal) => ahead.load(chunk, signal), start, end, this.signal), release);
  }
}

/** The bytes to send, both inclusive; `whole` when the client asked for no range. */
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
