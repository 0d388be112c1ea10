import { createHmac } from "node:crypto";
import type { BinaryNode } from "@whiskeysockets/baileys";
import { isTcTokenExpired } from "@whiskeysockets/baileys/lib/Utils/tc-token-utils.js";
import { SerialQueue } from "../../../shared/flow/serial-queue.js";
import type { Log } from "../../../shared/log/logger.js";
import type { SessionMap } from "../../session/session-context.js";
import type { Client } from "../client.js";
import { userJid, userOf } from "../jid.js";

/**
 * Makes the tokens that the account sends to people who have given it none: without one the platform refuses messages to strangers (463). The salt for
 * them comes with the account's app state, once, and is stored in the session's map in Redis.
 */
export class StrangerTokens {
  private readonly writing = new SerialQueue();
  private known: Promise<Buffer> | undefined;

  constructor(
    private readonly map: Pick<SessionMap, "get" | "setMany">,
    private readonly log: Log,
  ) {}

  /** An empty salt forgets the former one. Never rejects. */
  learn(salt: Buffer): void {
    this.known = Promise.resolve(salt);
    void this.writing.run(async () => {
      try {
        await this.map.setMany(new Map([[field, `"${salt.toString("base64")}"`]]));
      } catch (error) {
        this.log.warn({ err: error }, "salt for tokens could not be stored");
      }
    });
  }

  /** Reads the salt from the platform when the app state was read by a version that did not know it; once for each login. Never rejects. */
  async ensure(client: Client): Promise<void> {
    try {
      if ((await this.map.get(field)) !== undefined) return;
      await client.readAgain("regular_high");
      await this.idle();
      if ((await this.map.get(field)) === undefined) this.learn(Buffer.alloc(0));
    } catch (error) {
      this.log.info({ err: error }, "salt for tokens could not be read");
    }
  }

  clear(): void {
    this.known = undefined;
  }

  /** Resolves when nothing is being written. */
  async idle(): Promise<void> {
    await this.writing.idle();
  }

  /** What a message to this person (JID) carries beside its content. */
  async nodesFor(client: Client, jid: string): Promise<BinaryNode[]> {
    const salt = await (this.known ??= this.read());
    const { me, sock } = client;
    if (salt.length === 0 || [me.id, me.lid].some((own) => userOf(own) === userOf(jid))) return [];
    const lid = jid.endsWith("@lid") ? jid : await client.ask(() => sock.signalRepository.lidMapping.getLIDForPN(jid));
    if (lid === null) return [];
    const name = userJid(lid);
    const { [name]: given } = await sock.authState.keys.get("tctoken", [name]);
    // With a token of theirs the library sends that one.
    if (given?.token.length && !isTcTokenExpired(given.timestamp)) return [];
    return [{ tag: "cstoken", attrs: {}, content: createHmac("sha256", salt).update(name).digest() }];
  }

  private async read(): Promise<Buffer> {
    try {
      return Buffer.from((await this.map.get(field))?.slice(1, -1) ?? "", "base64");
    } catch (error) {
      this.known = undefined;
      throw error;
    }
  }
}

/** Its value is JSON, as all of the map's are. */
const field = "nct-salt";
