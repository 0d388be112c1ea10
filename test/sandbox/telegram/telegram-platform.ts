import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import typia from "typia";
import type { PlatformControl } from "../control/platform-control.js";
import type { FileCache } from "../files/file-cache.js";
import type { SampleFiles } from "../files/sample-files.js";
import type { StoredKey } from "./protocol/auth-key.js";
import { TelegramProtocolServer } from "./protocol/protocol-server.js";
import type { ProtocolLog } from "./protocol/protocol-log.js";
import { Backend } from "./rpc/backend.js";
import { TelegramControl } from "./telegram-control.js";
import { Delivery } from "./world/delivery.js";
import { unixNow } from "./world/ids.js";
import { MediaLibrary } from "./world/media-library.js";
import type { Received } from "./world/received.js";
import { seededWorld } from "./world/seeded-world.js";
import { restoreWorld, worldRecords } from "./world/snapshot.js";
import { StateFile } from "../files/state-file.js";
import type { World, StatePart } from "./world/world.js";

export interface TelegramOptions {
  /** Folder of the state that a restart needs. */
  readonly folder: string;
  readonly samples: SampleFiles;
  /** PEM file of the data centres' key, created if it is missing. */
  readonly rsaPemPath: string;
  readonly cache: FileCache;
  readonly dcs: readonly { readonly id: number; readonly host: string; readonly port: number }[];
  readonly log: ProtocolLog;
  /** Load mode, for thousands of accounts: logins can be fabricated. */
  readonly load?: boolean;
}

/** Constants of this world, written once. */
interface Origin {
  readonly startedAt: number;
  readonly seed: string;
}

/** The Telegram half of the sandbox: world, methods, wire protocol and stored state. */
export class TelegramPlatform {
  readonly publicKeyPath: string;

  private constructor(
    private readonly options: TelegramOptions,
    readonly world: World,
    readonly delivery: Delivery,
    readonly control: PlatformControl,
    readonly server: TelegramProtocolServer,
    private readonly backend: Backend,
    private readonly files: readonly StateFile[],
  ) {
    this.publicKeyPath = join(options.folder, "telegram-public.pem");
  }

  /** Restores the state of an earlier run and starts the servers. */
  static async start(options: TelegramOptions): Promise<TelegramPlatform> {
    const { folder, rsaPemPath, log, dcs, load = false } = options;
    const failed = (error: unknown): void => log.error("state not written", { error });
    const file = (name: string, capture: () => Iterable<unknown>): StateFile =>
      new StateFile(join(folder, `telegram-${name}.jsonl`), capture, failed);
    const originFile = file("origin", () => [origin]);
    const [stored] = await originFile.read();
    const origin: Origin =
      stored === undefined ? { startedAt: unixNow(), seed: randomBytes(16).toString("hex") } : typia.assert<Origin>(stored);
    if (stored === undefined) originFile.changed();

    const media = new MediaLibrary(options.cache, options.samples, origin.startedAt);
    await media.load();
    const world: World = seededWorld({ ...origin, media, changed: (part) => files[part].changed() });
    const delivery = new Delivery(world);
    const backend = new Backend({ world, delivery, dcs });
    const server = new TelegramProtocolServer({ rsaPemPath, dcs, backend, log });
    const files: Readonly<Record<StatePart, StateFile>> = {
      world: file("world", () => worldRecords(world)),
      received: file("received", () => world.received.list(undefined)),
      keys: file("keys", () => server.exportKeys()),
    };
    restoreWorld(world, await files.world.read());
    restoreReceived(world, typia.assert<Received[]>(await files.received.read()));
    server.importKeys(typia.assert<StoredKey[]>(await files.keys.read()));
    for (const key of server.keys.values()) world.devices.update(key);

    const adopt = (keys: readonly StoredKey[]): void => {
      server.importKeys(keys);
      for (const key of server.keys.values()) world.devices.update(key);
    };
    const control = new TelegramControl(world, delivery, load ? adopt : undefined);
    const platform = new TelegramPlatform(options, world, delivery, control, server, backend, [originFile, ...Object.values(files)]);
    await server.start();
    await writeFile(platform.publicKeyPath, server.publicPem);
    return platform;
  }

  /** Maps each address that the platform names to its socket: "127.0.0.1=127.0.0.1:8101,...". */
  get dcMap(): string {
    return this.server.addresses.map(({ id, host, port }) => `127.0.0.${id}=${host}:${port}`).join(",");
  }

  async stop(): Promise<void> {
    this.backend.stop();
    await this.server.stop();
    const written = await Promise.allSettled(this.files.map((file) => file.stop()));
    for (const result of written) if (result.status === "rejected") this.options.log.error("state not written", { error: result.reason });
  }
}

/** Restores the used random ids too: a client may repeat its send after the restart. */
function restoreReceived(world: World, entries: readonly Received[]): void {
  world.received.restore(entries);
  for (const entry of entries) if (entry.type === "message" || entry.type === "story") world.randomIds.add(entry.account, entry.randomId);
}
