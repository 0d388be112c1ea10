import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { ControlServer } from "./control/control-server.js";
import { FileCache } from "./files/file-cache.js";
import { SampleFiles } from "./files/sample-files.js";
import type { ProtocolLog } from "./telegram/protocol/protocol-log.js";
import { TelegramPlatform } from "./telegram/telegram-platform.js";
import { WhatsAppPlatform } from "./whatsapp/whatsapp-platform.js";

export interface SandboxOptions {
  /** The state is in its subfolder `sandbox`. */
  readonly dataDir: string;
  /** Folder of the sample files and the servers' keys; default: the state's folder. Sharing it between sandboxes saves most of a start. */
  readonly cacheFolder?: string | undefined;
  /** The IPv4 address of all servers; default: loopback. Every client that can reach it controls the sandbox. */
  readonly host?: string;
  /** Port of the control API; 0 picks a free port. */
  readonly controlPort: number;
  /** Port of a Telegram data centre; 0 picks a free port. */
  readonly telegramPort: (dcId: number) => number;
  /** Ports of WhatsApp's WebSocket server and media server; default: free ports. */
  readonly whatsappPorts?: { readonly socket: number; readonly media: number };
  /** Load mode, for thousands of accounts: WhatsApp decrypts nothing, and both platforms fabricate logins. */
  readonly load?: boolean;
  readonly log: ProtocolLog;
}

export interface Sandbox {
  /** Base address of the control API, without a trailing slash. */
  readonly controlUrl: string;
  readonly telegram: TelegramPlatform;
  readonly whatsapp: WhatsAppPlatform;
  /** Closes all sockets and writes all pending state. */
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
  // Only Linux accepts connections on all of 127.0.0.0/8 by default.
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
      samples,
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
