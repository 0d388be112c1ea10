import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { ControlServer } from "./control/control-server.js";
import { FileCache } from "./files/file-cache.js";
import { SampleFiles } from "./files/sample-files.js";
import type { ProtocolLog } from "./telegram/protocol/protocol-log.js";
import { TelegramPlatform } from "./telegram/telegram-platform.js";
import { WhatsAppPlatform } from "./whatsapp/whatsapp-platform.js";

export interface SandboxOptions {
  /** State goes to its subfolder `sandbox`. */
  readonly dataDir: string;
  /** Where the sample files and the keys of both platforms' servers are kept, which many sandboxes may share: to make them is most of a start. Default: with the state. */
  readonly cacheFolder?: string | undefined;
  /** The IPv4 address on which all of it listens, and at which its clients reach it. Default: loopback. Whoever reaches it commands it. */
  readonly host?: string;
  /** Port of the control API; 0 takes any. */
  readonly controlPort: number;
  /** Port of a Telegram data centre; 0 takes any. */
  readonly telegramPort: (dcId: number) => number;
  /** Ports of WhatsApp's WebSocket server and of its media server; default: any. */
  readonly whatsappPorts?: { readonly socket: number; readonly media: number };
  /** For thousands of accounts: WhatsApp decrypts nothing, and both platforms make up logins. */
  readonly load?: boolean;
  readonly log: ProtocolLog;
}

export interface Sandbox {
  /** Base address of the control API, without a slash at the end. */
  readonly controlUrl: string;
  readonly telegram: TelegramPlatform;
  readonly whatsapp: WhatsAppPlatform;
  /** Closes all sockets and writes what is still unwritten. */
  stop(): Promise<void>;
}

const loopback = "127.0.0.1";
const dcIds = [1, 2, 3] as const;

/** Starts the loopback platforms and the API that controls them. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { dataDir, host = loopback, controlPort, telegramPort, whatsappPorts, load, log } = options;
  const folder = join(dataDir, "sandbox");
  await mkdir(folder, { recursive: true });
  const cacheFolder = options.cacheFolder ?? folder;
  const cache = new FileCache(join(cacheFolder, "files"));
  const samples = new SampleFiles(cache);
  // Only Linux answers on all of 127.0.0.0/8 without further ado.
  const isApart = host === loopback && process.platform === "linux";
  const dcs = dcIds.map((id) => ({ id, host: isApart ? `127.0.0.${id}` : host, port: telegramPort(id) }));
  const telegram = await TelegramPlatform.start({
    folder,
    rsaPemPath: join(cacheFolder, "telegram-private.pem"),
    samples,
    cache,
    dcs,
    log,
    ...(load !== undefined && { load }),
  });
  const started: { stop(): Promise<void> }[] = [telegram];
  const stop = async (): Promise<void> => {
    for (const part of started.reverse()) await part.stop();
  };
  try {
    const whatsapp = await WhatsAppPlatform.start({
      folder,
      certificatePath: join(cacheFolder, "whatsapp-certificate.json"),
      host,
      port: whatsappPorts?.socket ?? 0,
      mediaPort: whatsappPorts?.media ?? 0,
      log,
      ...(load !== undefined && { load }),
    });
    started.push(whatsapp);
    const platforms = new Map([
      ["telegram", telegram.control],
      ["whatsapp", whatsapp.control],
    ]);
    const control = new ControlServer({ platforms, samples, failed: (error) => log.error("control call failed", { error }) });
    const port = await control.start(host, controlPort);
    started.push(control);
    return { controlUrl: `http://${host}:${port}`, telegram, whatsapp, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
