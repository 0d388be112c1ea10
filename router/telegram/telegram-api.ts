import { ApiError } from "../../shared/contract/api-error.js";
import { policies } from "../../shared/contract/policies.js";
import { serverBusy } from "../../shared/contract/telegram/errors.js";
import type { Log } from "../../shared/log/logger.js";
import type { ApiKeys } from "../endpoint/api-keys.js";
import type { SessionPort } from "../endpoint/authenticate.js";
import type { CommandPort } from "../endpoint/endpoint.js";
import { Mount, type RoutePort } from "../endpoint/mount.js";
import { SessionSlots, type SlotLimits } from "../endpoint/session-slots.js";
import type { RoutePath } from "../http/handler.js";
import { ChunkLoader, type ChunkMetrics, type ChunkStore } from "../media/chunk-loader.js";
import { createSession } from "./create-session.js";
import { getMedia, mediaPath, type DescriptionPort, type LinkPort } from "./get-media.js";
import { getSession } from "./get-session.js";
import { routes } from "./routes.js";

export interface TelegramApiParts {
  readonly app: RoutePort;
  /** In front of every path, such as `/telegram`; may be empty. */
  readonly prefix: "" | RoutePath;
  readonly sessions: SessionPort;
  readonly commands: CommandPort;
  readonly chunks: ChunkStore;
  readonly describe: DescriptionPort;
  readonly links: LinkPort;
  readonly apiKeys: ApiKeys;
  /** Bound of the chunks kept in this process, bytes; 0 keeps none. */
  readonly memoryBytes: number;
  readonly metrics: ChunkMetrics & { streamsOpen(count: number): void };
  readonly log: Log;
  readonly commandLimits?: SlotLimits;
  readonly streamLimits?: SlotLimits;
}

/** Commands in progress. A session that floods is told so; the others keep their share of the router's 5,000 requests. */
const defaultCommandLimits: SlotLimits = { total: 5_000, perSession: 256 };
/** Reliability sheet 2.7: a stream may hold two chunks, so 400 of them are 400 MiB. */
const defaultStreamLimits: SlotLimits = { total: 400, perSession: 16 };

/** Puts variant B's endpoints on the app, before it listens: its table of commands, and what the router answers alone. */
export function createTelegramApi(parts: TelegramApiParts): void {
  const { sessions, commands, links, describe: descriptions, metrics, log } = parts;
  const { "create-session": create, "describe-media": describe, "read-chunk": readChunk } = policies.telegram;
  const mount = new Mount(parts.app, "telegram", parts.prefix, log);
  const commandSlots = new SessionSlots(parts.commandLimits ?? defaultCommandLimits, tooManyRequests);
  mount.endpoints({ sessions, commands, slots: commandSlots }, routes, (name) => policies.telegram[name].deadlineMs + marginMs);
  mount.handle("POST", "/session", "create-session", create.deadlineMs + marginMs, createSession(commands, parts.apiKeys));
  mount.handle("GET", "/session", "get-session", marginMs, getSession(sessions));

  const loader = new ChunkLoader({ store: parts.chunks, commands, metrics, log, memoryBytes: parts.memoryBytes });
  const slots = new SessionSlots(parts.streamLimits ?? defaultStreamLimits, serverBusy, (open) => metrics.streamsOpen(open));
  const media = getMedia({ sessions, commands, links, descriptions, loader, slots, log });
  const mediaDeadlineMs = describe.deadlineMs + readChunk.deadlineMs + marginMs;
  mount.handle("GET", mediaPath, "get-media", mediaDeadlineMs, media);
  mount.handle("HEAD", mediaPath, "head-media", mediaDeadlineMs, media);
}

/** Over the commands' own deadlines: authentication, the wait for an owner, and a slow body. */
const marginMs = 20_000;

/** The documents do not show rate limits (reliability sheet 2.11). */
function tooManyRequests(): ApiError {
  return new ApiError(429, "too many requests", { retryAfterSeconds: 1 });
}
