import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CommandName, Input, Output } from "../../../shared/contract/commands.js";
import type { PasskeyCredential, PasskeyOptions } from "../../../shared/contract/passkey.js";
import { LinkKeys } from "../../../shared/media/link.js";
import { SealedLinks } from "../../../shared/media/sealed-links.js";
import type { ProxyAddress } from "../../../shared/tenant/proxy-address.js";
import { type Log, silentLog } from "../../../shared/log/logger.js";
import { Downloader } from "../../../shard/files/download/download.js";
import { VideoFrames } from "../../../shard/files/download/video-frame.js";
import type { Egress } from "../../../shard/egress/egress.js";
import { ImageError } from "../../../shard/files/media/image-error.js";
import type { PlatformAdapter } from "../../../shard/session/platform-adapter.js";
import { Session } from "../../../shard/session/session.js";
import type { ImagePort, Picture } from "../../../shard/files/media/ports.js";
import type { ShownDevice } from "../../../shard/whatsapp/shown-device.js";
import { FileLinks } from "../../../shard/whatsapp/media/file-links.js";
import type { WhatsAppConnector } from "../../../shard/whatsapp/connector.js";
import type { WhatsAppTiming } from "../../../shard/whatsapp/timing.js";
import type { WhatsAppMetrics } from "../../../shard/whatsapp/services.js";
import type { VersionPort } from "../../../shard/whatsapp/version/client-versions.js";
import { createWhatsAppAdapter } from "../../../shard/whatsapp/whatsapp-adapter.js";
import { testEgress } from "../../harness/egress.js";
import { eventually } from "../../harness/eventually.js";
import { testRefs } from "../../harness/test-refs.js";
import { scaleToJpeg } from "../../sandbox/files/pictures.js";
import { type Sandbox, startSandbox } from "../../sandbox/sandbox.js";
import { Passkey } from "../../sandbox/whatsapp/protocol/passkey/passkey.js";
import type { Received } from "../../sandbox/whatsapp/world/received.js";
import { openLimiter, type Storage, TestContext, timing as quickly } from "../session-context.js";

/** Scales with the sandbox's own code: the render pool, which has its own tests, would disable formats that the sandbox needs. */
const images: ImagePort = {
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
export class WhatsAppFixture {
  private readonly running: Session<WhatsAppConnector>[] = [];
  private commandCount = 0;

  private constructor(
    private readonly folder: string,
    readonly sandbox: Sandbox,
    readonly adapter: PlatformAdapter<"whatsapp", WhatsAppConnector>,
    private readonly downloads: Downloader,
    /** Opens the links of received files, and holds their chunks instead of the cache Redis. */
    readonly media: { readonly links: SealedLinks; readonly chunks: ReadonlyMap<string, Buffer> },
  ) {}

  static async start(
    timing: Partial<WhatsAppTiming> = {},
    {
      egress = testEgress(),
      through = (port) => Promise.resolve(port),
      ...more
    }: {
      egress?: Egress;
      /** Returns the port through which the platform's port is reached. */
      through?: (port: number) => Promise<number>;
      metrics?: WhatsAppMetrics;
      log?: Log;
      versions?: VersionPort;
      device?: ShownDevice;
    } = {},
  ): Promise<WhatsAppFixture> {
    const folder = await mkdtemp(join(tmpdir(), "whatsapp-test-"));
    const sandbox = await startSandbox({
      dataDir: folder,
      cacheFolder: process.env["SANDBOX_CACHE"],
      controlPort: 0,
      telegramPort: () => 0,
      log: silentLog,
    });
    const downloads = new Downloader({ folder: join(folder, "downloads"), allow: [new URL(sandbox.controlUrl).host] });
    await downloads.start();
    const { rootKeyPath, mediaCaPath } = sandbox.whatsapp;
    const url = new URL(sandbox.whatsapp.url);
    url.port = String(await through(Number(url.port)));
    const links = new SealedLinks(LinkKeys.parse(`a:${randomBytes(32).toString("base64")}`));
    const chunks = new Map<string, Buffer>();
    const adapter = createWhatsAppAdapter({
      url: url.href,
      rootKey: await readFile(rootKeyPath),
      mediaCa: await readFile(mediaCaPath, "utf8"),
      images,
      videos: new VideoFrames({}),
      downloads,
      links: new FileLinks(links, "http://localhost/whatsapp"),
      refs: testRefs("whatsapp"),
      media: {
        chunks: {
          put: async (fileKey, chunk, bytes) => void chunks.set(`${fileKey}:${chunk}`, bytes),
          length: async (fileKey, chunk) => chunks.get(`${fileKey}:${chunk}`)?.length ?? 0,
        },
        tenantOf: () => "default",
        links,
      },
      log: silentLog,
      egress,
      ...more,
      timing,
    });
    return new WhatsAppFixture(folder, sandbox, adapter, downloads, { links, chunks });
  }

  /** Returns the URL of one of the sandbox's sample files. */
  file(name: string): string {
    return `${this.sandbox.controlUrl}/files/${name}`;
  }

  open(storage?: Storage, proxy?: ProxyAddress): { session: Session<WhatsAppConnector>; context: TestContext } {
    const context = new TestContext(storage);
    context.proxied = proxy;
    const session = new Session({ ...this.adapter, context, limiter: openLimiter, timing: quickly });
    this.running.push(session);
    void session.run();
    return { session, context };
  }

  /** Returns a logged-in session. If the phone sends an address book, the session has read it. */
  async login(account: string): Promise<{ session: Session<WhatsAppConnector>; context: TestContext }> {
    const opened = this.open();
    await this.scan(account, await opened.context.qr());
    await opened.context.connected();
    return opened;
  }

  async scan(account: string, qr: string): Promise<void> {
    await this.sandbox.whatsapp.control.scan(account, qr);
  }

  /** Returns the assertion of the owner's browser for a challenge, made on the platform's page unless `origin` names another. */
  passkeyCredential(account: string, options: PasskeyOptions | undefined, { origin }: { origin?: string } = {}): PasskeyCredential {
    if (options === undefined) throw new Error("no challenge");
    return new Passkey(this.sandbox.whatsapp.world.account(account).phone).assert(options, origin);
  }

  run<C extends CommandName<"whatsapp">>(
    session: Session<WhatsAppConnector>,
    command: C,
    input: Input<"whatsapp", C>,
    call: { id?: string; signal?: AbortSignal; yieldLane?: () => void; isFirstTry?: boolean } = {},
  ): Promise<Output<"whatsapp", C>> {
    const {
      id = `command-${(this.commandCount += 1)}`,
      // Longer than the frame of a video may take, whose process yields to all others on a busy machine.
      signal = AbortSignal.timeout(240_000),
      yieldLane = () => undefined,
      isFirstTry = false,
    } = call;
    return this.adapter.commands[command].run(session, input, { id, signal, ending: signal, yieldLane, isFirstTry, log: silentLog });
  }

  /** Calls the control API, for example `POST /faults`. */
  async control(path: string, body: Record<string, unknown>): Promise<void> {
    const response = await fetch(this.sandbox.controlUrl + path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ platform: "whatsapp", ...body }),
    });
    if (!response.ok) throw new Error(await response.text());
  }

  received<T extends Received["type"]>(account: string, type: T): Extract<Received, { type: T }>[] {
    return this.sandbox.whatsapp.world.received
      .list(account)
      .filter((entry): entry is Extract<Received, { type: T }> => entry.type === type);
  }

  /** Resolves when recipients have read all accepted messages. A message to more than a hundred is accepted before it is read. */
  async allRead(): Promise<void> {
    await this.sandbox.whatsapp.control.allRead?.();
  }

  /** Returns what the platform accepted under the id that a command returned. */
  sent(account: string, id: string): Extract<Received, { type: "message" | "status" }> {
    const found = this.sandbox.whatsapp.world.received
      .list(account)
      .find((entry) => (entry.type === "message" || entry.type === "status") && entry.id === id);
    if (found?.type !== "message" && found?.type !== "status") throw new Error(`nothing was received under ${id}`);
    return found;
  }

  /** Returns how many stanzas of a kind, such as `message`, arrived since `resetCalls`. */
  calls(kind: string): number {
    return Number(this.sandbox.whatsapp.control.calls()[kind] ?? 0);
  }

  resetCalls(): void {
    this.sandbox.whatsapp.control.resetCalls();
  }

  async closeSessions(): Promise<void> {
    for (const session of this.running.splice(0)) await session.close();
    this.sandbox.whatsapp.control.clearFaults();
  }

  async stop(): Promise<void> {
    await this.closeSessions();
    await this.downloads.stop();
    await this.sandbox.stop();
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** Shows each new code to the phone until the phone accepts one before it is replaced. */
export async function scanInTime(of: WhatsAppFixture, context: TestContext, account: string): Promise<void> {
  await eventually("a scan in time", async () => {
    await of.scan(account, await context.qr());
    return true;
  });
}
