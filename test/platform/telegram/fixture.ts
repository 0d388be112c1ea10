import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CommandName, Input, Output } from "../../../shared/contract/commands.js";
import { defaultEventTypes } from "../../../shared/contract/webhook-events.js";
import type { ProxyAddress } from "../../../shared/tenant/proxy-address.js";
import { silentLog } from "../../../shared/log/logger.js";
import { Downloader } from "../../../shard/files/download/download.js";
import { VideoFrames } from "../../../shard/files/download/video-frame.js";
import type { Egress } from "../../../shard/egress/egress.js";
import { ImageError } from "../../../shard/files/media/image-error.js";
import type { PlatformAdapter } from "../../../shard/session/platform-adapter.js";
import { Session } from "../../../shard/session/session.js";
import type { ImagePort, Picture, TextCardPort } from "../../../shard/files/media/ports.js";
import type { TelegramConnector } from "../../../shard/telegram/connector.js";
import { createTelegramAdapter } from "../../../shard/telegram/telegram-adapter.js";
import type { TelegramTiming } from "../../../shard/telegram/timing.js";
import { testEgress } from "../../harness/egress.js";
import { testRefs } from "../../harness/test-refs.js";
import { drawPicture, scaleToJpeg } from "../../sandbox/files/pictures.js";
import { type Sandbox, startSandbox } from "../../sandbox/sandbox.js";
import { openLimiter, type Storage, TestContext, timing as quickly } from "../session-context.js";

/** Uses the sandbox's own pictures: the render pool has its own tests, and would disable formats with which the sandbox draws. */
const images: ImagePort & TextCardPort = {
  undrawable: () => [],
  textCard: (text) =>
    drawPicture(120, { width: 1080, height: 1920 }, text)
      .then((picture) => scaled(picture, 1920))
      .then(({ bytes }) => bytes),
  scaleImage: (source) => scaled(source, 1080),
  thumbnail: (source, maxSide) => scaled(source, maxSide),
  sticker: (source) => scaled(source, 512),
  square: (source) => scaled(source, 640),
};

async function scaled(source: Uint8Array | string, maxSide: number): Promise<Picture> {
  const picture = Buffer.from(typeof source === "string" ? await readFile(source) : source);
  const jpeg = await scaleToJpeg(picture, maxSide).catch((error: unknown) => Promise.reject(new ImageError("image is damaged", error)));
  return { ...jpeg, mimetype: "image/jpeg" };
}

/** The sandbox, and an adapter whose sessions use it. */
export class TelegramFixture {
  readonly chunks = new Map<string, Buffer>();
  private readonly running: Session<TelegramConnector>[] = [];
  private commandCount = 0;

  private constructor(
    private readonly folder: string,
    readonly sandbox: Sandbox,
    readonly adapter: PlatformAdapter<"telegram", TelegramConnector>,
    private readonly downloads: Downloader,
    chunks: Map<string, Buffer>,
  ) {
    this.chunks = chunks;
  }

  /** `through` maps the port of a data centre to the port at which it is reached. */
  static async start(
    timing: Partial<TelegramTiming> = {},
    egress: Egress = testEgress(),
    through: (port: number) => Promise<number> = (port) => Promise.resolve(port),
  ): Promise<TelegramFixture> {
    const folder = await mkdtemp(join(tmpdir(), "telegram-test-"));
    const sandbox = await startSandbox({
      dataDir: folder,
      cacheFolder: process.env["SANDBOX_CACHE"],
      controlPort: 0,
      telegramPort: () => 0,
      log: silentLog,
    });
    const chunks = new Map<string, Buffer>();
    const downloads = new Downloader({ folder: join(folder, "downloads"), allow: [new URL(sandbox.controlUrl).host] });
    await downloads.start();
    const dcMap = new Map<string, string>();
    for (const entry of sandbox.telegram.dcMap.split(",")) {
      const [, virtual = "", host = "", port = ""] = /^(.+)=(.+):(\d+)$/.exec(entry) ?? [];
      dcMap.set(virtual, `${host}:${await through(Number(port))}`);
    }
    const adapter = createTelegramAdapter({
      app: { apiId: 12345, apiHash: "0123456789abcdef0123456789abcdef" },
      device: { deviceModel: "Support desk", systemVersion: "7.1", appVersion: "3.2" },
      dcMap,
      startDc: { dcId: 1, address: "127.0.0.1" },
      serverKeys: [await readFile(sandbox.telegram.publicKeyPath, "utf8")],
      images,
      videos: new VideoFrames({}),
      tenantOf: () => "default",
      downloads,
      links: {
        mediaUrl: (session, { chatId, messageId, variant }, ext) => `/media/${session}/${chatId}/${messageId}/${variant}/signature.${ext}`,
      },
      refs: testRefs("telegram"),
      chunks: {
        put: async (fileKey, chunk, bytes) => void chunks.set(`${fileKey}:${chunk}`, bytes),
        length: async (fileKey, chunk) => chunks.get(`${fileKey}:${chunk}`)?.length ?? 0,
      },
      deletedMedia: { forget: () => Promise.resolve(), refresh: () => Promise.resolve() },
      log: silentLog,
      egress,
      timing: { backoffMinMs: 100, backoffMaxMs: 1_000, ...timing },
    });
    return new TelegramFixture(folder, sandbox, adapter, downloads, chunks);
  }

  open(storage?: Storage, proxy?: ProxyAddress): { session: Session<TelegramConnector>; context: TestContext } {
    const context = new TestContext(storage);
    context.proxied = proxy;
    context.requested = new Set(defaultEventTypes);
    const session = new Session({ ...this.adapter, context, limiter: openLimiter, timing: quickly });
    this.running.push(session);
    void session.run();
    return { session, context };
  }

  /** Opens a session that is logged in to an account without a password. */
  async login(account: string): Promise<{ session: Session<TelegramConnector>; context: TestContext }> {
    const opened = this.open();
    await this.scan(account, await opened.context.qr());
    await opened.context.connected();
    return opened;
  }

  async scan(account: string, qr: string): Promise<void> {
    await this.sandbox.telegram.control.scan(account, qr);
  }

  run<C extends CommandName<"telegram">>(
    session: Session<TelegramConnector>,
    command: C,
    input: Input<"telegram", C>,
    signal: AbortSignal = new AbortController().signal,
  ): Promise<Output<"telegram", C>> {
    return this.adapter.commands[command].run(session, input, {
      id: `command-${(this.commandCount += 1)}`,
      signal,
      ending: signal,
      yieldLane: () => undefined,
      log: silentLog,
    });
  }

  async fault(fault: Record<string, unknown>): Promise<void> {
    await this.control("/faults", { platform: "telegram", ...fault });
  }

  /** Gives an account a picture that no cache holds. */
  async changePicture(account: string): Promise<void> {
    await this.control("/people/photo", { platform: "telegram", account });
  }

  private async control(path: string, body: Record<string, unknown>): Promise<void> {
    const response = await fetch(`${this.sandbox.controlUrl}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(await response.text());
  }

  /** Returns how often a method, such as `upload.getFile`, was called since `resetCalls`. */
  calls(method: string): number {
    const counts: Record<string, unknown> = this.sandbox.telegram.control.calls();
    return Number(counts[method] ?? 0);
  }

  resetCalls(): void {
    this.sandbox.telegram.control.resetCalls();
  }

  connections(): readonly Record<string, unknown>[] {
    return this.sandbox.telegram.control.connections();
  }

  async closeSessions(): Promise<void> {
    for (const session of this.running.splice(0)) await session.close();
    this.sandbox.telegram.control.clearFaults();
  }

  async stop(): Promise<void> {
    await this.closeSessions();
    await this.downloads.stop();
    await this.sandbox.stop();
    await rm(this.folder, { recursive: true, force: true });
  }
}
