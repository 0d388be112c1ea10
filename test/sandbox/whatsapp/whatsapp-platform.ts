import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import typia from "typia";
import type { PlatformControl } from "../control/platform-control.js";
import type { SampleFiles } from "../files/sample-files.js";
import { StateFile } from "../files/state-file.js";
import { openCertificate } from "./media/certificate.js";
import { MediaAuth } from "./media/media-auth.js";
import { MediaReader } from "./media/media-reader.js";
import { MediaServer } from "./media/media-server.js";
import { MediaStore } from "./media/media-store.js";
import { storeBlob } from "./media/phone-blobs.js";
import { ProfilePictures } from "./media/profile-pictures.js";
import { downloadFaults, uploadFaults } from "./media/upload-faults.js";
import type { ProtocolLog } from "./protocol/protocol-log.js";
import { type StoredState, WhatsAppProtocolServer } from "./protocol/protocol-server.js";
import { useQuickCurve } from "./protocol/signal/quick-curve.js";
import { quietLibsignal } from "./protocol/signal/quiet-libsignal.js";
import { Attachments } from "./people/attachments.js";
import { WhatsAppControl } from "./whatsapp-control.js";
import { WhatsAppModel } from "./whatsapp-model.js";
import type { Received } from "./world/received.js";
import { seededWorld } from "./world/seeded-world.js";
import { restoreWorld, worldRecords } from "./world/snapshot.js";
import type { World, StatePart } from "./world/world.js";

export interface WhatsAppOptions {
  /** Folder of the state that a restart needs. */
  readonly folder: string;
  /** File of the certificate's keys. Several sandboxes may share it, because the library trusts one root per process. */
  readonly certificatePath: string;
  readonly host: string;
  /** Ports of the WebSocket server and the media server; 0 picks a free port. */
  readonly port: number;
  readonly mediaPort: number;
  readonly samples: SampleFiles;
  readonly log: ProtocolLog;
  /** Load mode, for thousands of accounts: nothing is decrypted. */
  readonly load?: boolean;
}

/** The WhatsApp half of the sandbox: world, IQs, media, wire protocol and stored state. */
export class WhatsAppPlatform {
  private constructor(
    private readonly options: WhatsAppOptions,
    readonly world: World,
    readonly control: PlatformControl,
    readonly server: WhatsAppProtocolServer,
    readonly media: MediaServer,
    private readonly model: WhatsAppModel,
    private readonly files: readonly StateFile[],
  ) {}

  /** Restores the state of an earlier run and starts the servers. */
  static async start(options: WhatsAppOptions): Promise<WhatsAppPlatform> {
    const { folder, certificatePath, host, log, load = false } = options;
    quietLibsignal();
    useQuickCurve();
    await mkdir(folder, { recursive: true });
    const failed = (error: unknown): void => log.error("state not written", { error });
    const file = (name: string, capture: () => Iterable<unknown>): StateFile =>
      new StateFile(join(folder, `whatsapp-${name}.jsonl`), capture, failed);
    const originFile = file("origin", () => [{ startedAt }]);
    const [stored] = await originFile.read();
    const startedAt = stored === undefined ? Math.floor(Date.now() / 1_000) : typia.assert<{ startedAt: number }>(stored).startedAt;
    if (stored === undefined) originFile.changed();

    const world: World = seededWorld({ startedAt, changed: (part) => files[part].changed() });
    const store = await MediaStore.open(join(folder, "whatsapp-media"));
    const auth = new MediaAuth();
    const certificate = await openCertificate(join(folder, "whatsapp-media-certificate.json"), host);
    const media = new MediaServer({
      certificate,
      host,
      port: options.mediaPort,
      store,
      auth,
      pictures: new ProfilePictures(),
      log,
      intercept: uploadFaults(world),
      interceptDownload: downloadFaults(world),
      uploaded: (account, path, { sha256, size }, remoteAddress) =>
        world.received.add({ type: "upload", account, path, remoteAddress, file: { sha256: sha256.toString("hex"), size } }),
    });
    const model = new WhatsAppModel({
      world,
      media: new MediaReader(store),
      store,
      load,
      storeBlob: (kind, plain) => storeBlob(store, kind, plain),
      mediaHost: () => media.address,
      mediaAuth: ({ account }) => auth.token(account),
    });
    const server = new WhatsAppProtocolServer({
      certificatePath,
      host,
      port: options.port,
      backend: model,
      log,
      load,
    });
    model.wire = server;
    const files: Readonly<Record<StatePart, StateFile>> = {
      world: file("world", () => worldRecords(world)),
      received: file("received", () => world.received.list(undefined)),
      protocol: file("protocol", () => server.exportState()),
    };
    restoreWorld(world, await files.world.read());
    world.received.restore(typia.assert<Received[]>(await files.received.read()));
    model.sink.restore();
    for (const state of typia.assert<StoredState[]>(await files.protocol.read())) server.importState(state);

    const control = new WhatsAppControl({
      world,
      wire: server,
      auth,
      otherSide: model.otherSide,
      store,
      attachments: new Attachments({ samples: options.samples, store, mediaHost: () => media.address }),
      allRead: () => model.sink.allRead(),
      load,
    });
    const platform = new WhatsAppPlatform(options, world, control, server, media, model, [originFile, ...Object.values(files)]);
    await writeFile(platform.rootKeyPath, server.publicKey.toString("base64"));
    await writeFile(platform.mediaCaPath, certificate.ca);
    await media.start();
    await server.start();
    return platform;
  }

  /** The value for `waWebSocketUrl`. */
  get url(): string {
    return this.server.url;
  }

  /** File with the 32 bytes, in base64, that clients use as the root of the server's certificate. */
  get rootKeyPath(): string {
    return join(this.options.folder, "whatsapp-root.key");
  }

  /** PEM of the authority that signed the media server's certificate. */
  get mediaCaPath(): string {
    return join(this.options.folder, "whatsapp-media-ca.pem");
  }

  async stop(): Promise<void> {
    this.model.stop();
    await this.server.stop();
    await this.model.sink.allRead();
    await this.media.stop();
    const written = await Promise.allSettled(this.files.map((file) => file.stop()));
    for (const result of written) if (result.status === "rejected") this.options.log.error("state not written", { error: result.reason });
  }
}
