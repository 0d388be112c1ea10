import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BinaryNode, getBinaryNodeChild, getBinaryNodeChildren, jidDecode } from "@whiskeysockets/baileys";
import { type ProtocolServerOptions, WhatsAppProtocolServer } from "../../../whatsapp/protocol/protocol-server.js";
import { quietLibsignal } from "../../../whatsapp/protocol/signal/quiet-libsignal.js";
import type {
  AccountProfile,
  Connection,
  DecryptedMessage,
  Device,
  IqAnswer,
  noAnswer,
  User,
  WhatsAppBackend,
} from "../../../whatsapp/whatsapp-backend.js";

/** A backend with only the functions of the protocol's own tests: accounts, device lists, and acks for every message. */
export class TestBackend implements WhatsAppBackend {
  readonly accounts = new Map<string, AccountProfile>();
  readonly strangers = new Map<string, User>();
  readonly stanzas: { kind: string; node: BinaryNode }[] = [];
  readonly sent: { node: BinaryNode; device: Device; decrypted: DecryptedMessage }[] = [];
  readonly receipts: BinaryNode[] = [];
  readonly chatstates: BinaryNode[] = [];
  readonly errors: string[] = [];
  readonly overlaps: Device[] = [];
  changes = 0;
  refusal: number | undefined;
  accepts = true;
  fault: ((kind: string, connection: Connection) => Promise<typeof noAnswer | undefined>) | undefined;
  server: WhatsAppProtocolServer | undefined;

  add(phone: string, profile: Partial<AccountProfile> = {}): AccountProfile {
    const account: AccountProfile = { ...userOf(phone), pushName: `Name of ${phone}`, contacts: [], firstSync: "initial", ...profile };
    this.accounts.set(phone, account);
    this.strangers.set(account.lid, account);
    return account;
  }

  account(phone: string): AccountProfile | undefined {
    return this.accounts.get(phone);
  }

  user(part: { phone: string } | { lid: string }): User | undefined {
    if ("lid" in part) return this.strangers.get(part.lid);
    if (part.phone.startsWith("000")) return undefined;
    const user = userOf(part.phone);
    this.strangers.set(user.lid, user);
    return user;
  }

  iq(node: BinaryNode): IqAnswer {
    if (node.attrs.xmlns !== "usync") return undefined;
    const usync = getBinaryNodeChild(node, "usync");
    const users = getBinaryNodeChildren(getBinaryNodeChild(usync, "list"), "user").flatMap(
      ({ attrs: { jid = "" } }) => this.usyncUser(jid) ?? [],
    );
    return [{ tag: "usync", attrs: {}, content: [{ tag: "list", attrs: {}, content: users }] }];
  }

  async message(node: BinaryNode, device: Device, connection: Connection): Promise<void> {
    const decrypted = await this.started().decrypt(node, device);
    this.sent.push({ node, device, decrypted });
    this.started().ack(node, connection);
  }

  presence(): void {
    // The tests observe presences in `intercept`.
  }

  chatstate(node: BinaryNode): void {
    this.chatstates.push(node);
  }

  receipt(node: BinaryNode): void {
    this.receipts.push(node);
  }

  async intercept(kind: string, node: BinaryNode, connection: Connection): Promise<typeof noAnswer | undefined> {
    this.stanzas.push({ kind, node });
    return await this.fault?.(kind, connection);
  }

  refuses(): number | undefined {
    return this.refusal;
  }

  acceptsConnection(): boolean {
    return this.accepts;
  }

  onDeviceChanged(): void {
    this.changes += 1;
  }

  onConnectionChanged(): void {
    // The tests read the server's connections instead.
  }

  onOverlap(device: Device): void {
    this.overlaps.push(device);
  }

  private started(): WhatsAppProtocolServer {
    if (!this.server) throw new Error("no server");
    return this.server;
  }

  private usyncUser(jid: string): BinaryNode | undefined {
    const { user: part = "", server } = jidDecode(jid) ?? {};
    const user = this.user(server === "lid" ? { lid: part } : { phone: part });
    if (!user) return undefined;
    const numbers = [
      0,
      ...this.started()
        .devices(user.phone)
        .map(({ number }) => number),
    ];
    const list = numbers.map((id) => ({ tag: "device", attrs: { id: String(id), "key-index": String(id) } }));
    const devices = { tag: "devices", attrs: {}, content: [{ tag: "device-list", attrs: {}, content: list }] };
    return {
      tag: "user",
      attrs: { jid },
      content: server === "lid" ? [devices] : [devices, { tag: "lid", attrs: { val: `${user.lid}@lid` } }],
    };
  }
}

export function userOf(phone: string): User {
  return { phone, lid: String(10n ** 14n + BigInt(createHash("sha1").update(phone).digest().readUInt32BE(0))) };
}

export interface StartedServer {
  readonly server: WhatsAppProtocolServer;
  readonly backend: TestBackend;
  readonly folder: string;
  stop(): Promise<void>;
}

export async function startServer(options: Partial<ProtocolServerOptions> = {}, backend = new TestBackend()): Promise<StartedServer> {
  quietLibsignal();
  const folder = mkdtempSync(join(tmpdir(), "whatsapp-"));
  const quiet = (message: string, fields?: object): unknown =>
    process.env.TEST_LOG ? process.stderr.write(`${message} ${JSON.stringify(fields)}\n`) : undefined;
  const log = {
    debug: quiet,
    warn: quiet,
    error: (message: string, fields?: Readonly<Record<string, unknown>>) =>
      backend.errors.push(`${message} ${fields?.error instanceof Error ? fields.error.stack : ""}`),
  };
  const server = new WhatsAppProtocolServer({
    certificatePath: join(folder, "certificate.json"),
    host: "127.0.0.1",
    port: 0,
    backend,
    log,
    ...options,
  });
  backend.server = server;
  await server.start();
  const stop = async (): Promise<void> => {
    await server.stop();
    rmSync(folder, { recursive: true });
  };
  return { server, backend, folder, stop };
}
