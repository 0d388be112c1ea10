import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import bigInt from "big-integer";
import qrcode from "qrcode";
import { Api, TelegramClient } from "telegram";
import { _serverKeys as serverKeys } from "telegram/crypto/RSA.js";
import { Logger, PromisedNetSockets } from "telegram/extensions/index.js";
import { StringSession } from "telegram/sessions/index.js";
import { startSandbox, type Sandbox, type SandboxOptions } from "../../../sandbox.js";

/** A sandbox on free ports with its own data folder, which `restart` keeps. */
export class TestSandbox {
  private readonly clients: TelegramClient[] = [];

  private constructor(
    private sandbox: Sandbox,
    readonly dataDir: string,
  ) {}

  static async start(options: Pick<SandboxOptions, "load"> = {}): Promise<TestSandbox> {
    const dataDir = await mkdtemp(join(tmpdir(), "sandbox-"));
    return new TestSandbox(await start(dataDir, options), dataDir);
  }

  get telegram(): Sandbox["telegram"] {
    return this.sandbox.telegram;
  }

  async restart(): Promise<void> {
    await this.sandbox.stop();
    this.sandbox = await start(this.dataDir);
  }

  async stop(): Promise<void> {
    for (const client of this.clients) await end(client);
    await this.sandbox.stop();
    await rm(this.dataDir, { recursive: true, force: true });
  }

  /** Calls the control API once. The result includes the `status`. */
  async control(method: string, path: string, body?: Record<string, unknown>): Promise<{ status: number; body: Record<string, unknown> }> {
    const response = await fetch(this.url(path), {
      method,
      ...(body && { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
    });
    return { status: response.status, body: Object(await response.json()) };
  }

  async docs(path: string): Promise<Record<string, unknown>[]> {
    const { body } = await this.control("GET", path);
    return Array.isArray(body["docs"]) ? body["docs"] : [];
  }

  url(path: string): string {
    return `${this.sandbox.controlUrl}${path}`;
  }

  async file(name: string): Promise<Response> {
    return await fetch(this.url(`/files/${name}`));
  }

  /** Returns the unmodified client, unauthorised at data centre 1 unless a stored session is given. */
  client(stored = ""): TelegramClient {
    const { n, e, fingerprint } = this.telegram.server.publicKey;
    serverKeys.set(fingerprint, { n: bigInt(n), e });
    const { addresses } = this.telegram.server;
    class RoutedSocket extends PromisedNetSockets {
      override async connect(port: number, ip: string): Promise<void> {
        const home = addresses.find(({ id }) => ip === `127.0.0.${id}`);
        await super.connect(home?.port ?? port, home?.host ?? ip);
      }
    }
    const session = new StringSession(stored);
    if (stored === "") session.setDC(1, "127.0.0.1", 80);
    const client = new TelegramClient(session, 12_345, "0123456789abcdef0123456789abcdef", {
      networkSocket: RoutedSocket,
      baseLogger: new Logger("none" as never),
      connectionRetries: 2,
      floodSleepThreshold: 0,
    });
    client.onError = async () => undefined;
    this.clients.push(client);
    return client;
  }

  /** Connects and shows a QR code that the account's phone scans. Returns before a password is sent. */
  async scanned(account: string): Promise<TelegramClient> {
    const client = this.client();
    await client.connect();
    const { token } = asToken(await exportToken(client));
    const image = await qrcode.toBuffer(`tg://login?token=${token.toString("base64url")}`);
    const { status } = await this.control("POST", "/phone/scan", { platform: "telegram", account, qrcode: image.toString("base64") });
    if (status !== 200) throw new Error(`the scan answered ${status}`);
    return client;
  }

  async loggedIn(account: string): Promise<TelegramClient> {
    const client = await this.scanned(account);
    const result = await exportToken(client);
    if (result instanceof Api.auth.LoginTokenMigrateTo) {
      await client._switchDC(result.dcId);
      await client.invoke(new Api.auth.ImportLoginToken({ token: result.token }));
    } else if (!(result instanceof Api.auth.LoginTokenSuccess)) throw new Error(`login ended with ${result.className}`);
    return client;
  }
}

export async function exportToken(client: TelegramClient): Promise<Api.auth.TypeLoginToken> {
  return await client.invoke(new Api.auth.ExportLoginToken({ apiId: 12_345, apiHash: "x", exceptIds: [] }));
}

function asToken(result: Api.auth.TypeLoginToken): Api.auth.LoginToken {
  if (!(result instanceof Api.auth.LoginToken)) throw new Error(`expected a token, not ${result.className}`);
  return result;
}

export async function end(client: TelegramClient): Promise<void> {
  await client.destroy().catch(() => undefined); // The client may be connected to a sandbox that has stopped.
}

async function start(dataDir: string, options: Pick<SandboxOptions, "load"> = {}): Promise<Sandbox> {
  const silent = (): void => undefined;
  const log = {
    debug: silent,
    warn: silent,
    error: (message: string, fields?: object) => process.stderr.write(`${message} ${String(Object.values(fields ?? {}).map(String))}\n`),
  };
  return await startSandbox({ dataDir, cacheFolder: process.env["SANDBOX_CACHE"], controlPort: 0, telegramPort: () => 0, log, ...options });
}
