import { commandRows } from "../../shared/contract/commands.js";
import * as errors from "../../shared/contract/telegram/errors.js";
import type { SessionRecord } from "../../shared/contract/session.js";
import { forAnybody } from "../endpoint/caller-handler.js";
import { Mount } from "../endpoint/mount.js";
import { commandLimits, InFlightLimit, type InFlightLimits } from "../endpoint/in-flight-limit.js";
import { ChunkLoader, type ChunkMetrics, type ChunkStore } from "../media/chunk-loader.js";
import type { DeletionFeed } from "../media/deletion-feed.js";
import { MediaMemory } from "../media/media-memory.js";
import type { BytesPort } from "../media/media-bytes.js";
import type { MediaSource } from "../media/media-source.js";
import type { ApiParts } from "../api/api-parts.js";
import { checkCreation } from "../api/create-session.js";
import { getSession, toRecord } from "../api/get-session.js";
import { ownRoutes } from "../api/session-routes.js";
import { createSession } from "./create-session.js";
import type { DescriptionPort } from "./described-link.js";
import { getMedia, mediaPath, type LinkPort } from "./get-media.js";
import { mediaAtHand, type LookupMetrics } from "./media-at-hand.js";
import type { MediaSessionPort } from "./media-login.js";
import { routes } from "./routes.js";

export interface TelegramApiParts extends ApiParts {
  readonly mediaSessions: MediaSessionPort;
  readonly chunks: ChunkStore;
  readonly describe: DescriptionPort;
  /** Notices of messages deleted on the platform. */
  readonly deletions: Pick<DeletionFeed, "onDeleted">;
  readonly links: LinkPort;
  readonly bytes: BytesPort;
  /** Limit of the chunks kept in this process, bytes; 0 keeps none. */
  readonly memoryBytes: number;
  /** Most concurrent media streams of all sessions. */
  readonly streams?: number;
  readonly metrics: ChunkMetrics & LookupMetrics & { streamsOpen(count: number): void };
  readonly streamLimits?: InFlightLimits;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

/** A stream may hold two chunks, so 400 streams hold 400 MiB. */
const defaultStreamLimits: InFlightLimits = { total: 400, perSession: 16 };

/** Registers variant B's endpoints: those of shards and those of the router itself. Call it before the app listens. */
export function createTelegramApi(parts: TelegramApiParts): void {
  const { sessions, keys, admission, messages, checked, commands, ring, links, webhooks, describe: descriptions, metrics, log } = parts;
  const { "create-session": create, "describe-media": describe, "read-chunk": readChunk } = commandRows.telegram;
  const mount = new Mount(parts.app, "telegram", parts.prefix, keys, parts.guard, log);
  const commandsInFlight = new InFlightLimit({
    limits: parts.commandLimits ?? commandLimits,
    refusal: errors.tooManyRequests,
    isShared: () => keys.isShared,
  });
  mount.endpoints({ sessions, admission, messages, commands, inFlight: commandsInFlight, ring, checked }, routes);
  mount.handle(ownRoutes["create-session"].route, "create-session", create.deadlineMs, createSession(parts, commands), {
    check: (request) => checkCreation(keys, request),
  });
  const read = getSession(sessions, keys, admission, "telegram", (session, secret) =>
    stringifyRecord(toRecord(session, secret, webhooks.read(session.id, session.webhook))),
  );
  mount.handle(ownRoutes["get-session"].route, "get-session", 0, read, { atHand: read.atHand });

  const clock = parts.now === undefined ? {} : { now: parts.now };
  const source: MediaSource = {
    readChunk: (id, chunk, signal, requestId) => commands.call("telegram", "read-chunk", id, chunk, { signal, requestId }),
  };
  const loader = new ChunkLoader({ store: parts.chunks, source, errors, metrics, log, memoryBytes: parts.memoryBytes, ...clock });
  const memory = new MediaMemory(parts.now);
  parts.deletions.onDeleted((holder, deleted) => memory.delete(holder, deleted));
  const streamsInFlight = new InFlightLimit({
    limits: parts.streamLimits ?? { ...defaultStreamLimits, total: parts.streams ?? defaultStreamLimits.total },
    refusal: errors.serverBusy,
    isShared: () => keys.isShared,
    onChange: (open) => metrics.streamsOpen(open),
  });
  const media = getMedia({
    sessions: parts.mediaSessions,
    owners: sessions,
    commands,
    links,
    descriptions,
    memory,
    loader,
    inFlight: streamsInFlight,
    bytes: parts.bytes,
    metrics,
    log,
  });
  const atHand = mediaAtHand({ sessions: parts.mediaSessions, memory, loader, inFlight: streamsInFlight, bytes: parts.bytes, metrics });
  // The link is the credential, and the handler verifies it.
  const signed = { check: () => undefined, atHand, exact: true };
  const mediaWorkMs = describe.deadlineMs + readChunk.deadlineMs;
  mount.handle(`GET ${mediaPath}`, "get-media", mediaWorkMs, forAnybody(media), signed);
}

// `JSON.stringify` saves 40 us over the generated stringifier on this record's long texts (bench session-record).
const stringifyRecord = (record: SessionRecord): string => JSON.stringify(record);
