import type { Platform } from "../shared/contract/platform.js";
import { ChunkCache } from "../shared/media/chunk-cache.js";
import { SealedLinks } from "../shared/media/sealed-links.js";
import { DescriptionCache } from "../shared/media/description-cache.js";
import { pathPrefix } from "../shared/process/settings.js";
import { createAdminApi } from "./admin/admin-api.js";
import { createConsole } from "./console/create-console.js";
import type { RouterContext } from "./context.js";
import type { CredentialGuard } from "./tenant/guard/credential-guard.js";
import type { HttpApp } from "./http/app.js";
import type { OpenPath } from "./http/cors-rules.js";
import { splitRoute, type RoutePath } from "./http/handler.js";
import { Creations } from "./sessions/idempotency/creations.js";
import type { DeletionFeed } from "./media/deletion-feed.js";
import { MediaSessions } from "./media/media-sessions.js";
import type { EventFeed } from "./admin/live-events/event-feed.js";
import { openMedia } from "./media/open-media.js";
import type { Cluster } from "./open-cluster.js";
import type { OpenedCommands } from "./open-commands.js";
import type { Records } from "./open-records.js";
import type { Tenants } from "./open-tenants.js";
import { mountOpenApi } from "./openapi/mount-openapi.js";
import { mountPasskey } from "./api/passkey/mount-passkey.js";
import { mountEntry } from "./endpoint/static/mount-entry.js";
import { createTelegramApi } from "./telegram/telegram-api.js";
import { WebhookSettingsReader } from "./api/webhook/webhook-settings.js";
import { passkeyPages } from "./whatsapp/passkey-pages.js";
import { passkeyRoutes } from "./whatsapp/routes.js";
import { createWhatsAppApi } from "./whatsapp/whatsapp-api.js";

/** Path prefixes of the variants, and the one path that pages of a platform may call. */
export interface ApiPaths {
  readonly prefixes: Readonly<Record<Platform, "" | RoutePath>>;
  readonly passkey: RoutePath;
  readonly open: OpenPath;
}

export interface MountParts {
  readonly app: HttpApp;
  readonly paths: ApiPaths;
  readonly cluster: Cluster;
  readonly tenants: Tenants;
  readonly records: Records;
  readonly serving: OpenedCommands;
  readonly guard: CredentialGuard;
  readonly deletions: DeletionFeed;
  readonly events: EventFeed;
}

export function apiPaths(baseUrls: Readonly<Record<Platform, string>>): ApiPaths {
  const prefixes = { whatsapp: toPrefix(baseUrls.whatsapp), telegram: toPrefix(baseUrls.telegram) };
  const passkey = `${prefixes.whatsapp}${splitRoute(passkeyRoutes["get-passkey"].route)[1]}` as const;
  return { prefixes, passkey, open: passkeyPages(passkey) };
}

/** Registers everything that callers reach: both variants, the operators' endpoints, the console and the pages. */
export function mountApis({ settings, secrets, ring, redis, local, metrics, log }: RouterContext, parts: MountParts): void {
  const { app, paths, cluster, tenants, records, serving, guard, deletions, events } = parts;
  const { prefixes } = paths;
  const { members, schema } = cluster;
  const { keys, store, places, moves, admission, messages } = tenants;
  const { owners, commands, sessions } = serving;
  const { writer, cache, bulk } = redis;
  const callers = {
    app,
    keys,
    guard,
    places,
    admission,
    messages,
    checked: (ms: number): void => metrics.commands.stage("check", ms),
    creations: new Creations(writer, ring, metrics),
    sessions,
    commands,
    webhooks: new WebhookSettingsReader(ring),
    ring,
    log,
  };
  const media = openMedia({
    chunks: new ChunkCache(cache, bulk),
    local: local?.chunks,
    bytes: tenants.mediaBytes,
    memoryBytes: settings.chunkMemoryBytes,
    streams: settings.mediaStreams,
    isShared: () => keys.isShared,
    metrics: metrics.media,
    log,
  });
  const mediaSessions = (platform: Platform): MediaSessions =>
    new MediaSessions({ platform, records: records.records, reader: sessions, owners, members });
  createWhatsAppApi({
    ...callers,
    prefix: prefixes.whatsapp,
    media: { shared: media, sessions: mediaSessions("whatsapp"), links: new SealedLinks(secrets.linkKeys) },
  });
  createTelegramApi({
    ...callers,
    prefix: prefixes.telegram,
    mediaSessions: mediaSessions("telegram"),
    media,
    describe: new DescriptionCache(cache, ring),
    deletions,
    links: secrets.linkKeys,
  });
  mountPasskey(app, paths.passkey);
  createConsole({ app, keys, guard, redis: writer, prefixes, sandbox: settings.sandboxUrl, log });
  mountEntry(app, settings.describesApi);
  if (settings.describesApi) mountOpenApi(app, prefixes);
  createAdminApi({
    app,
    ring,
    schema,
    sessions,
    commands,
    redis: writer,
    members,
    directory: keys,
    store,
    places,
    moves,
    messages,
    events,
    guard,
    admission,
    log,
  });
}

function toPrefix(baseUrl: string): "" | RoutePath {
  const prefix = pathPrefix(baseUrl);
  return prefix === "" ? "" : `/${prefix.slice(1)}`;
}
