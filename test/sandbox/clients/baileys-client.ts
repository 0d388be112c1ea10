import { setTimeout as sleep } from "node:timers/promises";
import makeWASocket, {
  addTransactionCapability,
  type AnyMessageContent,
  type AuthenticationCreds,
  type BinaryNode,
  BufferJSON,
  Browsers,
  type Contact,
  generateMessageIDV2,
  initAuthCreds,
  type SignalDataSet,
  type SignalDataTypeMap,
  type SignalKeyStore,
  type UserFacingSocketConfig,
  WA_CERT_DETAILS,
  type WAMessage,
  type WASocket,
} from "@whiskeysockets/baileys";
import { silentLogger } from "../whatsapp/protocol/signal/silent-logger.js";
import type { WhatsAppProtocolServer } from "../whatsapp/protocol/protocol-server.js";

export interface ClientState {
  readonly creds: AuthenticationCreds;
  readonly keys: SignalKeyStore;
}

/** Credentials as text, in the library's own JSON form. */
export function storedCreds(text: string): AuthenticationCreds {
  return JSON.parse(text, BufferJSON.reviver) as AuthenticationCreds;
}

/** Credentials and keys in memory. */
export function clientState(creds = initAuthCreds()): ClientState {
  const values = new Map<string, unknown>();
  const keys: SignalKeyStore = {
    get: <T extends keyof SignalDataTypeMap>(type: T, ids: string[]) => {
      const found: { [id: string]: SignalDataTypeMap[T] } = {};
      for (const id of ids) {
        const value = values.get(`${type} ${id}`);
        if (value !== undefined) found[id] = value as SignalDataTypeMap[T];
      }
      return found;
    },
    set: (data: SignalDataSet) => {
      for (const [type, entries] of Object.entries(data)) {
        for (const [id, value] of Object.entries(entries ?? {})) {
          if (value === null) values.delete(`${type} ${id}`);
          else values.set(`${type} ${id}`, value);
        }
      }
    },
  };
  return { creds, keys: addTransactionCapability(keys, silentLogger, { maxCommitRetries: 1, delayBetweenTriesMs: 10 }) };
}

/** Limit for a missing ack. A busy machine takes more than 10 s for a message to a group of 500. */
const ackMs = 120_000;

/** One socket of the unmodified library, given the server's root key. */
export class Client {
  readonly socket: WASocket;
  /** "open", or the close code. */
  readonly opened: Promise<"open" | number>;
  /** Close code. */
  readonly closed: Promise<number>;
  readonly codes: string[] = [];
  readonly received: WAMessage[] = [];
  readonly contacts: Partial<Contact>[] = [];

  constructor(
    server: Pick<WhatsAppProtocolServer, "publicKey" | "url">,
    readonly state: ClientState,
    options: Partial<UserFacingSocketConfig> = {},
  ) {
    WA_CERT_DETAILS.PUBLIC_KEY = Buffer.from(server.publicKey);
    this.socket = makeWASocket({
      auth: state,
      waWebSocketUrl: server.url,
      logger: silentLogger,
      browser: Browsers.ubuntu("Chrome"),
      syncFullHistory: false,
      markOnlineOnConnect: false,
      fireInitQueries: false,
      ...options,
    });
    const { ev } = this.socket;
    this.closed = new Promise((resolve) => {
      ev.on("connection.update", ({ connection, lastDisconnect, qr }) => {
        if (qr) this.codes.push(qr);
        if (connection === "close") resolve(closeCode(lastDisconnect?.error));
      });
    });
    const open = new Promise<"open">((resolve) => ev.on("connection.update", ({ connection }) => connection === "open" && resolve("open")));
    this.opened = Promise.race([open, this.closed]);
    ev.on("messages.upsert", ({ messages }) => this.received.push(...messages));
    ev.on("contacts.upsert", (contacts) => this.contacts.push(...contacts));
    ev.on("messaging-history.set", ({ contacts }) => this.contacts.push(...contacts));
    ev.on("contacts.update", (contacts) => this.contacts.push(...contacts));
  }

  /** Sends a message and returns the server's ack. */
  async send(jid: string, content: AnyMessageContent, options: { statusJidList?: string[] } = {}): Promise<BinaryNode> {
    const messageId = generateMessageIDV2(this.state.creds.me?.id);
    const answer: Promise<BinaryNode | undefined> = this.socket.waitForMessage(messageId, ackMs);
    answer.catch(() => undefined);
    await this.socket.sendMessage(jid, content, { messageId, ...options });
    const ack = await answer;
    if (!ack) throw new Error("no ack");
    return ack;
  }

  end(): void {
    void this.socket.end(undefined);
  }
}

/** Returns a client that was linked by scanning its QR code with the account's phone, and has logged in. */
export async function linked(
  server: WhatsAppProtocolServer,
  phone: string,
  options: Partial<UserFacingSocketConfig> = {},
): Promise<Client> {
  const first = new Client(server, clientState(), options);
  await server.pair(await until(() => first.codes[0]), phone);
  await first.closed;
  const second = new Client(server, first.state, options);
  if ((await second.opened) !== "open") throw new Error("did not open");
  return second;
}

/** Polls, because the library emits most events before a test can subscribe to them. */
export async function until<T>(probe: () => T | undefined | false, limitMs = 15_000): Promise<T> {
  const end = Date.now() + limitMs;
  for (;;) {
    const value = probe();
    if (value !== undefined && value !== false) return value;
    if (Date.now() > end) throw new Error(`not within ${limitMs} ms: ${probe.toString()}`);
    await sleep(20);
  }
}

function closeCode(error: unknown): number {
  const output = typeof error === "object" && error !== null && "output" in error ? error.output : undefined;
  return typeof output === "object" && output !== null && "statusCode" in output ? Number(output.statusCode) : 0;
}
