import { createHmac } from "node:crypto";
import type { BinaryNode } from "@whiskeysockets/baileys";
import { SerialQueue } from "../../../shared/flow/serial-queue.js";
import type { Log } from "../../../shared/log/logger.js";
import type { SessionMap } from "../../session/session-context.js";
import type { Client } from "../client.js";
import { userJid, userOf } from "../jid.js";

/**
 * Makes tokens for people who have given the account none: without one the platform refuses messages to strangers (463). The salt arrives
 * once, with the app state or the history, and is stored in Redis.
 */
export class ContactTokens {
  private readonly writing = new SerialQueue();
  private cached: Promise<Buffer> | undefined;

  constructor(
    private readonly map: Pick<SessionMap, "get" | "setMany">,
    private readonly log: Log,
  ) {}

  /** Stores the salt of the app state; an empty salt means that the phone removed it. Never rejects. */
  learn(salt: Buffer): void {
    void this.writing.run(() => this.store(salt.length === 0 ? removed : toValue(salt)));
  }

  /** Stores the salt of a history unless the app state has set or removed one: the app state is newer. Never rejects. */
  learnFromHistory(salt: Buffer): void {
    void this.writing.run(async () => {
      const stored = await this.map.get(field).catch(() => undefined);
      if (stored === undefined || stored === none) await this.store(toValue(salt));
    });
  }

  /** Reads the salt from the platform if a version that did not know it read the app state; once for each login. Never rejects. */
  async ensure(client: Client): Promise<void> {
    try {
      if ((await this.map.get(field)) !== undefined) return;
      await client.readAgain("regular_high");
      await this.idle();
      if ((await this.map.get(field)) === undefined) await this.writing.run(() => this.store(none));
    } catch (error) {
      this.log.info({ err: error }, "token salt not read");
    }
  }

  clear(): void {
    this.cached = undefined;
  }

  /** Resolves when all writes are done. */
  async idle(): Promise<void> {
    await this.writing.idle();
  }

  /** Returns the nodes that a message to this person (JID) carries beside its content. */
  async nodesFor(client: Client, jid: string): Promise<BinaryNode[]> {
    await this.idle();
    const salt = await (this.cached ??= this.read());
    const { me, sock } = client;
    if (salt.length === 0 || [me.id, me.lid].some((own) => userOf(own) === userOf(jid))) return [];
    const lid = jid.endsWith("@lid") ? jid : await client.runQuery(() => sock.signalRepository.lidMapping.getLIDForPN(jid));
    if (lid === null) return [];
    const name = userJid(lid);
    const { [name]: given } = await sock.authState.keys.get("tctoken", [name]);
    // If the person has given a valid token, the library sends that token.
    if (given?.token.length && !isTokenExpired(given.timestamp, Date.now())) return [];
    return [{ tag: "cstoken", attrs: {}, content: createHmac("sha256", salt).update(name).digest() }];
  }

  private async store(value: string): Promise<void> {
    this.cached = Promise.resolve(toSalt(value));
    try {
      await this.map.setMany(new Map([[field, value]]));
    } catch (error) {
      this.log.warn({ err: error }, "token salt not stored");
    }
  }

  private async read(): Promise<Buffer> {
    try {
      return toSalt((await this.map.get(field)) ?? none);
    } catch (error) {
      this.cached = undefined;
      throw error;
    }
  }
}

/**
 * True when the library no longer sends this token, given at `timestamp` (seconds since 1970): tokens are valid for this week and the
 * three before.
 */
export function isTokenExpired(timestamp: string | undefined, now: number): boolean {
  const givenAt = Number.parseInt(timestamp ?? "");
  return Number.isNaN(givenAt) || givenAt < (Math.floor(now / 1_000 / weekSeconds) - 3) * weekSeconds;
}

const weekSeconds = 7 * 24 * 3_600;
/** Values are JSON, like all values of the map. */
const field = "nct-salt";
/** The app state has been read and has no salt. */
const none = '""';
/** The phone has removed the salt. Former versions read the value as an empty salt. */
const removed = '"-"';

function toValue(salt: Buffer): string {
  return `"${salt.toString("base64")}"`;
}

function toSalt(value: string): Buffer {
  return Buffer.from(value.slice(1, -1), "base64");
}
