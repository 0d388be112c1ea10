import { ApiError } from "../../shared/contract/api-error.js";
import { isSessionId, type SessionId } from "../../shared/contract/ids.js";
import * as errors from "../../shared/contract/telegram/errors.js";
import type { MediaAddress, MediaDescription } from "../../shared/contract/media.js";
import type { Log } from "../../shared/log/logger.js";
import { chunkOf } from "../media/chunk.js";
import type { CachedDescription, MediaHolder } from "../../shared/media/description-cache.js";
import type { LinkParts } from "../../shared/media/link.js";
import { isChannel } from "../../shared/media/message-media.js";
import type { SessionPort } from "../endpoint/authenticate.js";
import type { CommandPort } from "../endpoint/endpoint.js";
import type { SessionSlots } from "../endpoint/session-slots.js";
import type { HttpHandler } from "../http/handler.js";
import type { HttpRequest } from "../http/request.js";
import type { HttpAnswer } from "../http/response.js";
import { MediaChangedError, type ChunkLoader, type ChunkMetrics, type MediaFile } from "../media/chunk-loader.js";
import type { BorrowedChunk } from "../media/chunk-memory.js";
import { chunkStream, opened } from "../media/chunk-stream.js";
import { describedFile, type DescribedFile, type MediaMemory } from "../media/media-memory.js";
import { bytesAnswer, mediaReply } from "../media/media-reply.js";
import { ReadAhead } from "../media/read-ahead.js";
import type { MediaSession } from "../media/session-memory.js";

/**
 * So long what the shard said of a message is believed, while its session is connected. The platform tells a session of every deletion in its private chats and
 * basic groups, and `MediaMemory` hears of it; of channels it may tell nothing.
 */
const freshMs = 5 * 60_000;
const freshInChannelMs = 60_000;

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

/** Sessions as media requests need them; `waitActive` as of `SessionPort`. */
export interface MediaSessionPort {
  /** As this process remembers it, without I/O; `undefined` when Redis has to be asked. */
  atHand(id: SessionId): MediaSession | undefined;
  /** As Redis has it; `undefined` when there is no such session. */
  read(id: SessionId): Promise<MediaSession | undefined>;
}

export interface MediaParts {
  readonly sessions: MediaSessionPort;
  readonly owners: Pick<SessionPort, "waitActive">;
  readonly commands: CommandPort;
  readonly links: LinkPort;
  readonly descriptions: DescriptionPort;
  /** What this process knows of links; `media-at-hand.ts` answers out of it. */
  readonly memory: MediaMemory;
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
    request.identified();
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
    const file = await this.describe(session);
    const reply = mediaReply(this.request, file);
    if (reply.kind === "whole") return reply.answer;
    const { status, headers, start, end } = reply;
    await this.requireChunks(session, file, chunkOf(start), chunkOf(end));
    const head = { status, headers, prepared: file.prepared };
    const release = this.parts.slots.take(this.session);
    if (chunkOf(start) === chunkOf(end))
      return bytesAnswer(head, await this.oneChunk(file, chunkOf(start), release), { start, end }, release);
    return {
      kind: "stream",
      ...head,
      length: end - start + 1,
      body: await this.open(file, { start, end, whole: status === 200 }, release),
    };
  }

  /** True when an error may mean that the cached description is not that of the present file. */
  mayBeStale(error: unknown): boolean {
    return this.describedByCache && (error instanceof MediaChangedError || (error instanceof ApiError && error.status === 404));
  }

  async forget(): Promise<void> {
    this.parts.memory.forget(this.request.path);
    await this.parts.descriptions.forget(this.holder, this.address);
  }

  private get holder(): MediaHolder {
    return { session: this.session, account: this.account };
  }

  /** A session that is gone has no media, and one without a login has no right to any, whatever is cached. */
  private async storedSession(): Promise<MediaSession> {
    const { sessions } = this.parts;
    const session = sessions.atHand(this.session) ?? (await sessions.read(this.session));
    if (session === undefined || session.kind === "deleted") throw errors.mediaNotFound();
    if (!isLoggedIn(session)) throw errors.sessionNotConnected();
    this.account = session.lastAccount;
    return session;
  }

  /**
   * Only a session with a login can be asked; one that is between two owners gets a bounded moment. What is cached needs neither. Nobody is refused
   * by what this process remembers: that is read anew. Whether one that is not connected is about to be, only its shard knows, which waits for that as for every command.
   */
  private async requireLogin(session: MediaSession): Promise<void> {
    if (isConnected(session)) return;
    const current = await this.parts.owners.waitActive("telegram", this.session, this.signal);
    const kind = current?.active === true ? current.state.kind : undefined;
    if (kind !== "connected" && kind !== "disconnected") throw errors.sessionNotConnected();
  }

  private async describe(session: MediaSession): Promise<DescribedFile> {
    const known = this.parts.memory.get(this.request.path);
    if (known?.account === this.account && !mustAskAgain(known, isConnected(session))) {
      this.describedByCache = true;
      return known.file;
    }
    this.refuseDeleted();
    const cached = await this.cachedDescription();
    this.describedByCache = cached !== undefined;
    if (cached === undefined) return this.describeAnew(session);
    if (!mustAskAgain({ ...cached, address: this.address }, isConnected(session))) return this.remember(cached);
    try {
      return await this.describeAnew(session);
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) {
        await this.forget();
        throw error;
      }
      return describedFile(cached.description);
    }
  }

  private async describeAnew(session: MediaSession): Promise<DescribedFile> {
    const { descriptions, commands } = this.parts;
    await this.requireLogin(session);
    const description = await commands.call("telegram", "describe-media", this.session, this.address, this.signal, this.request.requestId);
    this.refuseDeleted();
    await descriptions.put(this.holder, this.address, description).catch((error: unknown) => {
      this.parts.log.warn({ err: error, requestId: this.request.requestId }, "media description was not cached");
    });
    // Told of its deletion while it was put there: it was removed before that, and must be again.
    if (this.parts.memory.isDeleted(this.holder, this.address)) await this.forget();
    return this.remember({ description, ageMs: 0 });
  }

  /** What is under way when the platform tells of a deletion must not outlive it. */
  private refuseDeleted(): void {
    if (this.parts.memory.isDeleted(this.holder, this.address)) throw errors.mediaNotFound();
  }

  /** A cache that does not answer is a miss. */
  private async cachedDescription(): Promise<CachedDescription | undefined> {
    try {
      return await this.parts.descriptions.get(this.holder, this.address);
    } catch (error) {
      this.parts.log.warn({ err: error, requestId: this.request.requestId }, "media description read failed");
      return undefined;
    }
  }

  private remember({ description, ageMs }: CachedDescription): DescribedFile {
    this.refuseDeleted();
    const file = describedFile(description);
    this.parts.memory.put(this.request.path, { ...this.holder, address: this.address, file, ageMs });
    return file;
  }

  private async requireChunks(session: MediaSession, file: DescribedFile, first: number, last: number): Promise<void> {
    if (isConnected(session)) return;
    if (await this.parts.loader.hasAll(this.mediaFile(file), numbers(first, last))) return;
    await this.requireLogin(session);
    // Asked for its answer alone, which comes once the session is connected: a stream must not end midway for want of that.
    await this.parts.commands.call("telegram", "describe-media", this.session, this.address, this.signal, this.request.requestId);
  }

  /** Loads the chunk that a range lies in. It counts as a stream from now on: it holds one of the bounded slots. */
  private async oneChunk(file: DescribedFile, chunk: number, release: () => void): Promise<BorrowedChunk> {
    try {
      return await this.parts.loader.borrow(this.mediaFile(file), chunk, this.signal);
    } catch (error) {
      release();
      throw error;
    }
  }

  /** The stream with its first chunk loaded. */
  private async open(
    file: DescribedFile,
    { start, end, whole }: Span,
    release: () => void,
  ): Promise<AsyncIterator<Uint8Array, void, undefined>> {
    const { loader, metrics } = this.parts;
    const ahead = new ReadAhead({ loader, file: this.mediaFile(file), last: chunkOf(end), whole, metrics });
    return await opened(
      chunkStream((chunk, signal) => ahead.load(chunk, signal), start, end, this.signal),
      release,
    );
  }

  private mediaFile({ description }: DescribedFile): MediaFile {
    return { session: this.session, address: this.address, description, requestId: this.request.requestId };
  }
}

/** True when the shard has to say whether the message is still there. Only a connected session can be asked. */
export function mustAskAgain({ address, ageMs }: { readonly address: MediaAddress; readonly ageMs: number }, connected: boolean): boolean {
  return connected && ageMs >= freshInChannelMs && (ageMs >= freshMs || (address.variant !== "profile" && isChannel(address.chatId)));
}

/** The login is there, whether or not its connection stands. */
export function isLoggedIn({ kind }: MediaSession): boolean {
  return kind === "connected" || kind === "disconnected";
}

export function isConnected({ active, kind }: MediaSession): boolean {
  return active && kind === "connected";
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
