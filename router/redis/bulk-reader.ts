import { connect, type NetConnectOpts, type Socket } from "node:net";
import type { Log } from "../../shared/log/logger.js";
import type { BulkRead, BulkReads } from "../../shared/media/chunk-cache.js";
import type { RedisAddress } from "../../shared/redis/address.js";
import { encodeCommand } from "../../shared/redis/resp/encode.js";
import { ReplyReader, type ReplyTaker } from "../../shared/redis/resp/reply-reader.js";

/**
 * A connection to Redis for nothing but long values, which it reads from the socket to where they stay: ioredis takes three times the CPU for
 * 512 KiB (bench/findings.md), and on a connection of their own they keep no small command waiting. It only ever helps: while it is not
 * `ready` (connecting, a TLS address) the caller has to ask in the general way.
 *
 * At most 8 reads are under way, so that Redis holds 4 MiB of replies for it; others wait here, up to 1,024. A reply that
 * does not come within 3 s ends the connection and all reads on it.
 */
export class BulkReader implements BulkReads {
  private socket: Socket | undefined;
  private isReady = false;
  private closed = false;
  private attempt = 0;
  private again: NodeJS.Timeout | undefined;
  private overdue: NodeJS.Timeout | undefined;
  private sending: NodeJS.Immediate | undefined;
  private readonly waiting: HashRead[] = [];
  /** Sent, in this order. Each has two replies: the fields', and that of its new lifetime. */
  private readonly sent: { readonly read: Pending; readonly at: number }[] = [];

  private constructor(
    private readonly address: Address,
    private readonly log: Log,
  ) {}

  /** Begins to connect; `undefined` for an address that this reader does not speak to. To be closed. */
  static open(where: RedisAddress, log: Log): BulkReader | undefined {
    const address = plainAddress(where);
    if (address === undefined) return undefined;
    const reader = new BulkReader(address, log);
    reader.connect();
    return reader;
  }

  get ready(): boolean {
    return this.isReady;
  }

  /**
   * The fields of a hash, one after the other in one buffer of its own, and a new lifetime for the key; `undefined` when one is missing or they
   * are not `length` bytes together. Rejects when Redis does not answer, or too many wait.
   */
  read({ key, fields, length, lifetimeSeconds, allocate = allocateOwn }: BulkRead): Promise<Buffer | undefined> {
    if (!this.isReady) return Promise.reject(new Error("bulk reader is not connected"));
    if (this.waiting.length >= waitingMax) return Promise.reject(new Error("too many bulk reads"));
    return new Promise((resolve, reject) => {
      const command = encodeCommand(["HMGET", key, ...fields]) + encodeCommand(["EXPIRE", key, String(lifetimeSeconds)]);
      this.waiting.push(new HashRead(command, { length, allocate }, resolve, reject));
      this.sendSoon();
    });
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.again);
    this.lose(new Error("bulk reader was closed"));
  }

  private connect(): void {
    const replies = new ReplyReader(() => this.next());
    const socket = connect({
      ...this.address.socket,
      noDelay: true,
      keepAlive: true,
      onread: {
        buffer: () => replies.space(),
        callback: (length) => {
          if (this.socket !== socket) return false;
          try {
            replies.wrote(length);
          } catch (error) {
            this.lose(error instanceof Error ? error : new Error(String(error)));
            return false;
          }
          return true;
        },
      },
    });
    this.socket = socket;
    socket.setTimeout(connectMs, () => {
      if (!this.isReady) this.lose(new Error("redis does not answer"));
    });
    socket.on("connect", () => this.greet(socket));
    socket.on("error", (error) => {
      if (this.socket === socket) this.lose(error);
    });
    socket.on("close", () => {
      if (this.socket === socket) this.lose(new Error("redis closed the connection"));
    });
  }

  /** Who we are. The last answer makes the connection ready. */
  private greet(socket: Socket): void {
    const { username, password, database } = this.address;
    const commands = [
      ...(password === "" ? [] : [["AUTH", ...(username === "" ? [] : [username]), password]]),
      ...(database === 0 ? [] : [["SELECT", String(database)]]),
      ["CLIENT", "SETNAME", "trunkline-bulk"],
    ];
    for (const [index, command] of commands.entries()) {
      const onEnd = (error: Error | undefined): void => {
        if (error !== undefined) this.lose(error);
        else if (index === commands.length - 1) this.becomeReady(socket);
      };
      this.sent.push({ read: new Greeting(onEnd), at: performance.now() });
      socket.write(encodeCommand(command));
    }
  }

  private becomeReady(socket: Socket): void {
    if (this.socket !== socket) return;
    socket.setTimeout(0);
    this.attempt = 0;
    this.isReady = true;
    this.sendSoon();
  }

  /** Once for all reads of this turn of the event loop: each write is a call of the kernel. */
  private sendSoon(): void {
    this.sending ??= setImmediate(() => {
      this.sending = undefined;
      this.send();
    });
  }

  private send(): void {
    if (!this.isReady) return;
    const reads = this.waiting.splice(0, sentMax - this.sent.length);
    if (reads.length === 0) return;
    const at = performance.now();
    for (const read of reads) this.sent.push({ read, at });
    this.socket?.write(reads.map(({ command }) => command).join(""));
    this.watch();
  }

  /** Whose reply comes next. */
  private next(): ReplyTaker {
    const [first] = this.sent;
    if (first === undefined) throw new Error("redis sent a reply that nobody waits for");
    return first.read.replyTaker(
      () => {
        this.sent.shift();
        if (this.waiting.length > 0) this.sendSoon();
      },
      (error) => this.lose(error),
    );
  }

  private watch(): void {
    this.overdue ??= setTimeout(() => {
      this.overdue = undefined;
      const [first] = this.sent;
      if (first === undefined) return;
      if (performance.now() - first.at >= replyMs) this.lose(new Error("redis does not answer"));
      else this.watch();
    }, replyMs / 3).unref();
  }

  /** Ends the connection and all that waits; connects again after a moment. */
  private lose(error: Error): void {
    const { socket } = this;
    this.socket = undefined;
    this.isReady = false;
    clearTimeout(this.overdue);
    this.overdue = undefined;
    if (this.sending !== undefined) clearImmediate(this.sending);
    this.sending = undefined;
    for (const { read } of this.sent.splice(0)) read.fail(error);
    for (const read of this.waiting.splice(0)) read.fail(error);
    if (socket === undefined) return;
    socket.destroy();
    if (this.closed) return;
    this.log.warn({ role: "bulk", reason: error.message }, "redis connection error");
    this.again = setTimeout(() => this.connect(), Math.min(50 * 2 ** this.attempt++, 1_000));
  }
}

interface Pending {
  /** Of its next reply; `onEnd` when that was the last one. */
  replyTaker(onEnd: () => void, onBroken: (error: Error) => void): ReplyTaker;
  fail(error: Error): void;
}

/** HMGET and EXPIRE of one key. */
class HashRead implements Pending {
  private bytes: Buffer | undefined;
  private filled = 0;
  private whole = true;
  private error: Error | undefined;
  private replies = 0;

  constructor(
    readonly command: string,
    private readonly wanted: Required<Pick<BulkRead, "length" | "allocate">>,
    private readonly resolve: (bytes: Buffer | undefined) => void,
    readonly fail: (error: Error) => void,
  ) {}

  replyTaker(onEnd: () => void, onBroken: (error: Error) => void): ReplyTaker {
    const isFields = this.replies++ === 0;
    return {
      text: (length) => this.place(length),
      scalar: (value) => {
        if (value instanceof Error) this.error = value;
        if (isFields) this.whole = false;
      },
      end: () => {
        if (isFields) return;
        onEnd();
        if (this.error === undefined) this.resolve(this.whole && this.filled === this.wanted.length ? this.bytes : undefined);
        else this.fail(this.error);
        // After a failover the old primary refuses to write: connect anew to find the new one.
        if (this.error?.message.startsWith("READONLY") === true) onBroken(this.error);
      },
    };
  }

  private place(length: number): Uint8Array | undefined {
    const from = this.filled;
    this.filled += length;
    const { length: whole, allocate } = this.wanted;
    if (this.filled > whole) return undefined;
    this.bytes ??= allocate(whole);
    return this.bytes.subarray(from, this.filled);
  }
}

class Greeting implements Pending {
  constructor(private readonly onEnd: (error: Error | undefined) => void) {}

  replyTaker(onEnd: () => void): ReplyTaker {
    let error: Error | undefined;
    return {
      text: () => undefined,
      scalar: (value) => {
        if (value instanceof Error) error = value;
      },
      end: () => {
        onEnd();
        this.onEnd(error);
      },
    };
  }

  fail(): void {
    // The connection is lost, and that is seen elsewhere.
  }
}

interface Address {
  readonly socket: NetConnectOpts;
  readonly username: string;
  readonly password: string;
  readonly database: number;
}

const sentMax = 8;
const waitingMax = 1_024;
const replyMs = 3_000;
const connectMs = 5_000;

/** One server, without encryption: what it may gain elsewhere has not been measured. */
function plainAddress(where: RedisAddress): Address | undefined {
  const { username = "", password = "", tls } = where.access;
  if (tls !== undefined) return undefined;
  if (where.kind === "socket") return { socket: { path: where.path }, username, password, database: 0 };
  return where.kind === "server" ? { socket: { ...where.server }, username, password, database: where.database } : undefined;
}

/** A buffer of its own memory: one from the pool would keep its neighbours. */
function allocateOwn(length: number): Buffer {
  return Buffer.allocUnsafeSlow(length);
}
