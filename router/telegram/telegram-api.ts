import { commandRows } from "../../shared/contract/commands.js";
import * as errors from "../../shared/contract/telegram/errors.js";
import type { SessionRecord } from "../../shared/contract/session.js";
import { forAnybody } from "../endpoint/caller-handler.js";
import { Mount } from "../endpoint/mount.js";
import { commandLimits, InFlightLimit } from "../endpoint/in-flight-limit.js";
import type { DeletionFeed } from "../media/deletion-feed.js";
import { MediaMemory } from "../media/media-memory.js";
import type { MediaSource } from "../media/media-source.js";
import type { ApiParts } from "../api/api-parts.js";
import { checkCreation } from "../api/create-session.js";
import { getSession, toRecord } from "../api/get-session.js";
import { ownRoutes } from "../api/session-routes.js";
import { createSession } from "./create-session.js";
import type { MediaAddress } from "../../shared/contract/media.js";
import type { LinkParts } from "../../shared/media/link.js";
import { getMedia, mediaPath, type LinkTarget } from "../media/get-media.js";
import { mediaAtHand } from "../media/media-at-hand.js";
import type { MediaSessionPort } from "../media/media-login.js";
import type { SharedMedia } from "../media/open-media.js";
import { DescribedLink, type DescriptionPort } from "./described-link.js";
import { routes } from "./routes.js";

/** Verifies links. Does no I/O. */
export interface LinkPort {
  verify(parts: LinkParts): MediaAddress | undefined;
}

export interface TelegramApiParts extends ApiParts {
  readonly mediaSessions: MediaSessionPort;
  readonly media: SharedMedia;
  readonly describe: DescriptionPort;
  /** Notices of messages deleted on the platform. */
  readonly deletions: Pick<DeletionFeed, "onDeleted" | "onEdited">;
  readonly links: LinkPort;
}

/** Registers variant B's endpoints: those of shards and those of the router itself. Call it before the app listens. */
export function createTelegramApi(parts: TelegramApiParts): void {
  const {
    sessions,
    keys,
    admission,
    messages,
    checked,
    commands,
    ring,
    links,
    webhooks,
    describe: descriptions,
    media: shared,
    log,
  } = parts;
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

  const source: MediaSource = {
    readChunk: (id, chunk, signal, requestId) => commands.call("telegram", "read-chunk", id, chunk, { signal, requestId }),
    timeout: errors.mediaTimeout,
  };
  const { loader, inFlight, bytes, metrics } = shared;
  const memory = new MediaMemory(shared.now);
  parts.deletions.onDeleted((holder, deleted) => memory.delete(holder, deleted));
  parts.deletions.onEdited((holder, edited) => memory.refresh(holder, edited));
  const served = { sessions: parts.mediaSessions, loader, inFlight, bytes, metrics };
  const described = { owners: sessions, commands, descriptions, memory, log };
  const verify = (link: LinkParts): LinkTarget | undefined => {
    const address = links.verify(link);
    return address && { address, open: (...opened) => new DescribedLink(described, ...opened) };
  };
  const media = getMedia({ ...served, verify, source });
  const atHand = mediaAtHand({ ...served, memory });
  // The link is the credential, and the handler verifies it.
  const signed = { check: () => undefined, atHand, exact: true };
  const mediaWorkMs = describe.deadlineMs + readChunk.deadlineMs;
  mount.handle(`GET ${mediaPath}`, "get-media", mediaWorkMs, forAnybody(media), signed);
}

// `JSON.stringify` saves 40 us over the generated stringifier on this record's long texts (bench session-record).
const stringifyRecord = (record: SessionRecord): string => JSON.stringify(record);
