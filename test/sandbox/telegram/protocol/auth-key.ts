/** The authorisation keys of all data centres, with their salts and sessions, and their stored form. */
import { randomBytes } from "node:crypto";
import typia from "typia";
import type { AuthKey, ClientInfo, RpcConnection } from "../rpc.js";
import { present } from "../tl/present.js";
import { sha1 } from "./crypto/digest.js";
import type { FutureSalt } from "./messages/future-salt.js";
import { Session } from "./messages/session.js";

/** A key as plain JSON. Sessions and future salts are not stored: clients request them again. */
export interface StoredKey {
  readonly dcId: number;
  /** 256 bytes, base64. */
  readonly authKey: string;
  /** Decimal. */
  readonly salt: string;
  readonly initialised: boolean;
  readonly client?: ClientInfo;
  readonly layer: number;
  readonly account?: string;
  readonly pendingAccount?: string;
  readonly scannedAccount?: string;
  readonly revoked?: string;
  readonly home: boolean;
  readonly duplicated: boolean;
}

/** Sessions kept per key without a connection, so that a client can continue its session on a new connection. */
const detachedSessions = 2;
/** Validity of the current salt unless it is rotated. The announced salts follow it. */
const saltLifeSeconds = 86_400;
const futureSaltLifeSeconds = 3_600;

export class KeyRecord implements AuthKey {
  readonly id: string;
  readonly idBytes: Buffer;
  /** Identifies the key during its exchange. */
  readonly auxHash: Buffer;
  initialised = false;
  client: ClientInfo | undefined;
  layer = 0;
  account: string | undefined;
  pendingAccount: string | undefined;
  scannedAccount: string | undefined;
  revoked: string | undefined;
  home = true;
  duplicated = false;
  readonly connections = new Set<RpcConnection>();
  readonly sessions = new Map<bigint, Session>();
  private announced: FutureSalt[] = [];

  constructor(
    readonly dcId: number,
    readonly authKey: Buffer,
    public salt: bigint,
  ) {
    const hash = sha1(authKey);
    this.auxHash = hash.subarray(0, 8);
    this.idBytes = hash.subarray(12, 20);
    this.id = this.idBytes.readBigUInt64LE(0).toString();
  }

  /** Returns the session with that id, and creates it if necessary. */
  session(id: bigint): Session {
    const known = this.sessions.get(id);
    if (known) return known;
    const detached = [...this.sessions.values()].filter((session) => session.connection === undefined);
    for (const session of detached.slice(0, Math.max(0, detached.length - detachedSessions + 1))) this.sessions.delete(session.id);
    const session = new Session(id, this);
    this.sessions.set(id, session);
    return session;
  }

  acceptsSalt(salt: bigint, now: number): boolean {
    return (
      salt === this.salt || this.announced.some((future) => future.salt === salt && future.validSince <= now && now < future.validUntil)
    );
  }

  /** Returns the current salt and the next ones, `count` in total. */
  futureSalts(count: number, now: number): readonly FutureSalt[] {
    this.announced = this.announced.filter(({ validUntil }) => validUntil > now);
    const current = { salt: this.salt, validSince: now - futureSaltLifeSeconds, validUntil: now + saltLifeSeconds };
    while (this.announced.length < count - 1) {
      const validSince = this.announced.at(-1)?.validUntil ?? current.validUntil;
      this.announced.push({ salt: randomSalt(), validSince, validUntil: validSince + futureSaltLifeSeconds });
    }
    return [current, ...this.announced.slice(0, count - 1)];
  }

  /** Replaces the salt. The old one is rejected from now on. */
  rotateSalt(): void {
    this.salt = randomSalt();
    this.announced = [];
  }

  toStored(): StoredKey {
    const { dcId, initialised, client, layer, account, pendingAccount, scannedAccount, revoked, home, duplicated } = this;
    const authKey = this.authKey.toString("base64");
    return present({
      dcId,
      authKey,
      salt: this.salt.toString(),
      initialised,
      client,
      layer,
      account,
      pendingAccount,
      scannedAccount,
      revoked,
      home,
      duplicated,
    });
  }

  static fromStored(stored: StoredKey): KeyRecord {
    const { authKey, salt, dcId, ...state } = typia.assert(stored);
    const bytes = Buffer.from(authKey, "base64");
    if (bytes.length !== 256) throw new TypeError("a stored key must have 256 bytes");
    return Object.assign(new KeyRecord(dcId, bytes, BigInt(salt)), state);
  }
}

function randomSalt(): bigint {
  return randomBytes(8).readBigInt64LE(0);
}
