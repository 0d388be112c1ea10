import { mkdtemp, readFile, rm } from "node:fs/promises";
import { Agent } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AnyMessageContent, BinaryNode, UserFacingSocketConfig } from "@whiskeysockets/baileys";
import qrcode from "qrcode";
import { type Sandbox, startSandbox } from "../../../sandbox.js";
import { Client, clientState, until } from "../../../clients/baileys-client.js";

type Doc = Record<string, unknown>;

/** A sandbox on free ports with its own data folder (`restart` keeps it), and real clients linked through its control API. */
export class WhatsAppSandbox {
  private readonly clients: Client[] = [];

  private constructor(
    private sandbox: Sandbox,
    readonly dataDir: string,
    readonly errors: string[],
    private readonly load: boolean,
  ) {}

  /** `load` is for fabricated logins; nothing is decrypted. */
  static async start({ load = false } = {}): Promise<WhatsAppSandbox> {
    const dataDir = await mkdtemp(join(tmpdir(), "whatsapp-"));
    const errors: string[] = [];
    return new WhatsAppSandbox(await start(dataDir, errors, load), dataDir, errors, load);
  }

  get whatsapp(): Sandbox["whatsapp"] {
    return this.sandbox.whatsapp;
  }

  async restart(): Promise<void> {
    await this.sandbox.stop();
    this.sandbox = await start(this.dataDir, this.errors, this.load);
  }

  async stop(): Promise<void> {
    for (const client of this.clients) client.end();
    await this.sandbox.stop();
    await rm(this.dataDir, { recursive: true, force: true });
  }

  async control(method: string, path: string, body?: Doc): Promise<{ status: number; body: Doc }> {
    const response = await fetch(`${this.sandbox.controlUrl}${path}`, {
      method,
      ...(body && { body: JSON.stringify({ platform: "whatsapp", ...body }), headers: { "content-type": "application/json" } }),
    });
    return { status: response.status, body: Object(await response.json()) };
  }

  async docs(path: string): Promise<Doc[]> {
    const { body } = await this.control("GET", `${path}${path.includes("?") ? "&" : "?"}platform=whatsapp`);
    return Array.isArray(body["docs"]) ? body["docs"] : [];
  }

  async file(name: string): Promise<Buffer> {
    return Buffer.from(await (await fetch(`${this.sandbox.controlUrl}/files/${name}`)).arrayBuffer());
  }

  async client(state = clientState(), options: Partial<UserFacingSocketConfig> = {}): Promise<Client> {
    const ca = await readFile(this.whatsapp.mediaCaPath, "utf8");
    const client = new Client(this.whatsapp.server, state, { fetchAgent: new Agent({ ca }), defaultQueryTimeoutMs: 10_000, ...options });
    this.clients.push(client);
    return client;
  }

  /** Shows a QR code that the account's phone scans. */
  async scanned(account: string): Promise<{ client: Client; status: number; body: Doc }> {
    const client = await this.client();
    const image = await qrcode.toBuffer(await until(() => client.codes[0]));
    return { client, ...(await this.control("POST", "/phone/scan", { account, qrcode: image.toString("base64") })) };
  }

  /** Returns a linked client with an open connection. */
  async linked(account: string, options: Partial<UserFacingSocketConfig> = {}): Promise<Client> {
    const { client: first, status, body } = await this.scanned(account);
    if (status !== 200) throw new Error(`the scan answered ${status} ${JSON.stringify(body)}`);
    await first.closed;
    return await this.reconnected(first, options);
  }

  async reconnected(before: Client, options: Partial<UserFacingSocketConfig> = {}): Promise<Client> {
    const client = await this.client(before.state, options);
    const opened = await client.opened;
    if (opened !== "open") throw new Error(`did not open: ${opened}`);
    return client;
  }

  /** Returns the platform's entry for the message with this id. */
  async received(account: string, id: string): Promise<Doc> {
    const found = (await this.docs(`/received?account=${account}`)).find((doc) => doc["id"] === id);
    if (found === undefined) throw new Error(`nothing was received as ${id}`);
    return found;
  }

  /** Sends a message and returns what the recipients received. */
  async sent(
    client: Client,
    account: string,
    jid: string,
    content: AnyMessageContent,
    options: { statusJidList?: string[] } = {},
  ): Promise<Doc> {
    const ack = await client.send(jid, content, options);
    if (ack.attrs["error"] !== undefined) throw new Error(`ack error ${ack.attrs["error"]}`);
    return await this.received(account, ack.attrs["id"] ?? "");
  }
}

/** Sends a request to the server as the library does. */
export async function ask(client: Client, xmlns: string, content: BinaryNode, to = "@s.whatsapp.net"): Promise<BinaryNode> {
  const answer: unknown = await client.socket.query({ tag: "iq", attrs: { to, type: "get", xmlns }, content: [content] });
  return answer as BinaryNode;
}

async function start(dataDir: string, errors: string[], load: boolean): Promise<Sandbox> {
  const error = (message: string, fields?: Readonly<Record<string, unknown>>): void =>
    void errors.push(`${message} ${fields?.["error"] instanceof Error ? fields["error"].stack : ""}`);
  return await startSandbox({
    dataDir,
    cacheFolder: process.env["SANDBOX_CACHE"],
    controlPort: 0,
    telegramPort: () => 0,
    load,
    log: { debug: () => undefined, warn: () => undefined, error },
  });
}
