import { readFileSync } from "node:fs";
import { join } from "node:path";
import { RedisClock } from "./redis/redis-clock.js";
import { MemberWatch, redisSilentMs } from "../shared/cluster/member-watch.js";
import type { Platform } from "../shared/contract/platform.js";
import type { Log } from "../shared/log/logger.js";
import { ChunkCache } from "../shared/media/chunk-cache.js";
import { DescriptionCache } from "../shared/media/description-cache.js";
import { AdminServer } from "../shared/metrics/admin-server.js";
import { RedisProbe } from "../shared/metrics/redis-probe.js";
import { createRegistry } from "../shared/metrics/registry.js";
import type { Lifecycle } from "../shared/process/lifecycle.js";
import { tellSupervisor } from "../shared/process/run.js";
import { connectRedis } from "../shared/redis/connect.js";
import { requireFittingKeys } from "../shared/session/key-check.js";
import { SessionWriter } from "./session/store/session-writer.js";
import { CommandServer } from "./bus/command-server.js";
import { StreamLength } from "./bus/stream-length.js";
import type { ShardSecrets, ShardSettings } from "./config.js";
import { Downloader } from "./download/download.js";
import { VideoFrames } from "./download/video-frame.js";
import { LoopLag } from "./flow/loop-lag.js";
import { Deadlines, type DeletionClock } from "./host/deadlines.js";
import { Host } from "./host/host.js";
import { LeaseKeeper } from "./host/lease-keeper.js";
import { SlotKeeper } from "./host/slot-keeper.js";
import { ImagePool } from "./image/image-pool.js";
import { DeletedMedia } from "./media/deleted-media.js";
import { createShardMetrics } from "./metrics.js";
import type { PlatformSession, SessionContext } from "./platform/platform-session.js";
import { createTelegramAdapter } from "./telegram/telegram-adapter.js";
import { Courier } from "./webhook/courier.js";
import type { WebhookTiming } from "./webhook/timing.js";
import { createWhatsAppAdapter } from "./whatsapp/whatsapp-adapter.js";

/** Draining all slots at the process's end: a send that has begun is waited for, 30 s at most. */
const drainMs = 40_000;

/** Composition root of a shard: builds its parts in the order in which they start. Tests hold the clock of the timers that delete sessions, and shorten the waits of webhooks. */
export async function buildShard(
  settings: ShardSettings,
  secrets: ShardSecrets,
  lifecycle: Lifecycle,
  log: Log,
  deletionClock: DeletionClock = {},
  webhookTiming: Partial<WebhookTiming> = {},
): Promise<void> {
  const { name, host: hostName, redis } = settings;
  const [writer, reader, heartbeat, subscriber, cache] = await Promise.all([
    connectRedis(redis.url, "writer", log),
    connectRedis(redis.url, "reader", log),
    connectRedis(redis.url, "heartbeat", log),
    connectRedis(redis.url, "subscriber", log),
    connectRedis(redis.cacheUrl, "writer", log),
  ]);
  await requireFittingKeys(writer, secrets.credentialRing);
  const registry = createRegistry("shard", name);
  const metrics = createShardMetrics(registry);
  const images = new ImagePool({
    log,
    cacheFolder: join(settings.dataDir, "fonts"),
    onTask: metrics.renderTask,
    onRestart: metrics.renderRestart,
  });
  const videos = new VideoFrames({
    ffmpeg: settings.ffmpegPath,
    onRead: (outcome, seconds) => metrics.renderTask("video-frame", outcome, seconds),
  });
  const downloads = new Downloader({
    folder: join(settings.dataDir, "downloads"),
    allow: settings.downloadAllow,
    onBlocked: metrics.downloadBlocked,
    onFinished: metrics.downloadFinished,
  });
  const telegram = createTelegramAdapter({
    ...settings.telegram,
    ...sandboxAccess(settings),
    images,
    videos,
    downloads,
    links: { mediaUrl: (session, address, ext) => settings.baseUrls.telegram + secrets.linkKeys.sign(session, address, ext) },
    chunks: new ChunkCache(cache),
    deletedMedia: new DeletedMedia({ descriptions: new DescriptionCache(cache), redis: writer, onLeft: metrics.deletedMediaLeft, log }),
    metrics: metrics.telegram,
    log,
  });
  const whatsapp = createWhatsAppAdapter({ ...whatsappAccess(settings), images, videos, downloads, metrics: metrics.whatsapp, log });

  const open = (platform: Platform, context: SessionContext): PlatformSession =>
    (platform === "telegram" ? telegram : whatsapp).open(context);
  const members = new MemberWatch({ redis: writer, subscriber, log });
  const lease = new LeaseKeeper({ redis: heartbeat, name, host: hostName, weight: settings.weight, log });
  lease.on("joined", (incarnation) => tellSupervisor({ type: "joined", member: name, incarnation }));
  lease.on("fenced", metrics.fenced);
  const clock = new RedisClock(writer, log);
  const courier = new Courier({ guard: settings.webhook, clock, metrics: metrics.webhook, timing: webhookTiming, log });
  const loopLag = new LoopLag();
  const dropMs = { whatsapp: whatsapp.dropMs, telegram: telegram.dropMs };
  const host = new Host({
    writer: new SessionWriter(writer, secrets.credentialRing),
    open,
    dropMs,
    lagMs: () => loopLag.ms,
    qrPng: (text) => images.qrPng(text),
    courier,
    metrics: metrics.host,
    log,
  });
  const slots = new SlotKeeper({
    redis: writer,
    subscriber,
    members,
    lease,
    name,
    host: hostName,
    log,
    dropMs: Math.max(...Object.values(dropMs)),
    onProgress: (held) => tellSupervisor({ type: "progress", phase: "slots taken", done: held }),
    listener: {
      acquired: (acquired) => host.acquired(acquired),
      drain: async (slot) => {
        await commands.quiesce(slot);
        await host.drain(slot);
      },
      lost: (lost) => {
        commands.abandon(lost);
        host.lost(lost);
      },
    },
  });
  host.attach(slots);
  const commands = new CommandServer({
    member: name,
    writer,
    reader,
    cache,
    clock,
    host,
    slots,
    tables: { whatsapp: whatsapp.commands, telegram: telegram.commands },
    ring: secrets.credentialRing,
    parked: () => downloads.pending,
    metrics: metrics.commands,
    log,
  });
  const streamLength = new StreamLength(writer, name);
  const probe = new RedisProbe({ role: "shard", registry, name, servers: { coordination: writer, cache } });
  const deadlines = new Deadlines({
    sessions: () => host.all(),
    live: () => lease.holds(),
    onBlocked: metrics.massDeleteBlocked,
    log,
    ...deletionClock,
  });
  const admin = new AdminServer({
    ...settings.admin,
    registry,
    notReady: () => [
      ...(members.silentMs() < redisSilentMs ? [] : ["redis does not answer"]),
      ...probe.refusals(),
      ...(lease.holds() ? [] : [lease.nameTaken ?? "no lease"]),
      ...(slots.complete ? [] : ["slots are still with others"]),
    ],
  });
  metrics.watch({
    slots: () => slots.count,
    sessions: () => host.size,
    unreadableSessions: () => host.unreadable,
    sessionStates: () => [...host.all()].map((session) => ({ platform: session.platform, state: session.state().kind })),
    connectQueue: () => host.connects.waiting,
    connectsInProgress: () => host.connects.inProgress,
    connectsAllowed: () => host.connects.allowed,
    commandsInFlight: () => commands.running,
    commandStreamEntries: () => streamLength.entries,
    leaseSecondsLeft: () => lease.secondsLeft(),
    renderQueue: () => images.pending + videos.pending,
    downloads: () => downloads.pending,
    webhookInFlight: () => courier.inFlight,
    webhookWaiting: () => courier.waiting,
    webhookOldestSeconds: () => courier.oldestSeconds,
    webhookOpenCircuits: () => courier.openCircuits,
  });

  lifecycle.add({ name: "redis", stop: () => [writer, reader, heartbeat, subscriber, cache].forEach((client) => client.disconnect()) });
  lifecycle.add({ name: "admin server", start: () => admin.start(), stop: () => admin.stop() });
  lifecycle.add({ name: "redis probe", start: () => probe.start(), stop: () => probe.stop() });
  lifecycle.add({ name: "stream length", start: () => streamLength.start(), stop: () => streamLength.stop() });
  lifecycle.add({ name: "loop lag", start: () => loopLag.start(), stop: () => loopLag.stop() });
  lifecycle.add({ name: "render pool", start: () => images.start(), stop: () => images.stop(), stopMs: 10_000 });
  lifecycle.add({ name: "video frames", stop: () => videos.stop() });
  lifecycle.add({ name: "downloads", start: () => downloads.start(), stop: () => downloads.stop() });
  lifecycle.add({ name: "redis clock", start: () => clock.start(), stop: () => clock.stop() });
  lifecycle.add({ name: "member watch", start: () => members.start(), stop: () => members.stop() });
  lifecycle.add({ name: "lease", start: () => lease.start(), stop: () => lease.stop() });
  lifecycle.add({ name: "webhook courier", start: () => courier.start(), stop: () => courier.stop() });
  lifecycle.add({ name: "host", stop: () => host.stop() });
  // Commands are read before the first slot is taken, so that no router finds an owner whose stream does not exist.
  lifecycle.add({ name: "command server", start: () => commands.start(), stop: () => commands.stop() });
  lifecycle.add({ name: "slots", start: () => slots.start(), stop: () => slots.stop(), stopMs: drainMs });
  lifecycle.add({ name: "deadlines", start: () => deadlines.start(), stop: () => deadlines.stop() });
  // First in stopping: no other shard gives us slots any more, and routers see it coming.
  lifecycle.add({ name: "membership", stop: () => lease.announce("draining") });
}

/** Where the sandbox's data centres are, and under which key they answer; nothing on the live platform. */
function sandboxAccess({ telegram, egressAddress }: ShardSettings): {
  startDc?: { dcId: number; address: string };
  serverKeys: string[];
  egressAddress?: string;
} {
  const [firstAddress] = telegram.dcMap.keys();
  return {
    serverKeys: telegram.serverKeysPath === undefined ? [] : [readFileSync(telegram.serverKeysPath, "utf8")],
    ...(firstAddress === undefined ? {} : { startDc: { dcId: 1, address: firstAddress } }),
    ...(egressAddress === undefined ? {} : { egressAddress }),
  };
}

/** Where the sandbox's WhatsApp is, and what its certificates hang on; nothing on the live platform. */
function whatsappAccess({ whatsapp: { url, rootKeyPath, mediaCaPath }, egressAddress }: ShardSettings): {
  url?: string;
  rootKey?: Buffer;
  mediaCa?: string;
  egressAddress?: string;
} {
  return {
    ...(url === undefined ? {} : { url }),
    ...(rootKeyPath === undefined ? {} : { rootKey: readFileSync(rootKeyPath) }),
    ...(mediaCaPath === undefined ? {} : { mediaCa: readFileSync(mediaCaPath, "utf8") }),
    ...(egressAddress === undefined ? {} : { egressAddress }),
  };
}
