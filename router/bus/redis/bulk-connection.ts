import { connect, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import type { Log } from "../../../shared/log/logger.js";
import type { BulkRead, BulkRoute, movedAway } from "../../../shared/media/chunk-cache.js";
import type { RedisAddress } from "../../../shared/redis/address.js";
import { encodeCommand } from "../../../shared/redis/resp/encode.js";
import { ReplyReader, type ReplyTaker } from "../../../shared/redis/resp/reply-reader.js";
import type { MasterPart } from "./each-master.js";
import { SetupReply, HashRead, type Pending } from "./pending-replies.js";
import { serverPlace, type ServerPlace } from "./server-place.js";

/**
 * A connection for long values only, read into their final buffer: ioredis takes three times the CPU for 512 KiB (bench/findings.md). At
 * most 8 reads are in flight and 1,024 wait. A reply later than 3 s ends the connection.
 */
export class BulkConnection implements BulkRoute, MasterPart {
  private socket: Socket | undefined;
  private isReady = false;
  private closed = false;
  private attempt = 0;
  private again: NodeJS.Timeout | undefined;
  private overdue: NodeJS.Timeout | undefined;
  private sending: NodeJS.Immediate | undefined;
  private readonly waiting: HashRead[] = [];
  /** Sent reads in order. Each read gets two replies: for its fields and for its new lifetime. */
  private readonly sent: { readonly read: Pending; readonly at: number }[] = [];

  constructor(
    private readonly address: RedisAddress,
    private readonly log: Log,
  ) {}

  get ready(): boolean {
    return this.isReady;
  }

  /** Starts to connect and retries until stopped. Resolves at once, because the connection is an optional shortcut. */
  start(): Promise<void> {
    void this.find();
    return Promise.resolve();
  }

  /** Rejects when the connection fails, its reply is late, or too many reads wait. */
  read({ key, fields, length, lifetimeSeconds, allocate = allocateOwn }: BulkRead): Promise<Buffer | typeof movedAway | undefined> {
    if (!this.isReady) return Promise.reject(new Error("bulk connection is not there"));
    if (this.waiting.length >= waitingMax) return Promise.reject(new Error("too many bulk reads"));
    return new Promise((resolve, reject) => {
      const command = encodeCommand(["HMGET", key, ...fields]) + encodeCommand(["EXPIRE", key, String(lifetimeSeconds)]);
      this.waiting.push(new HashRead(command, { length, allocate }, resolve, reject));
      this.sendSoon();
    });
  }

  stop(): void {
    this.closed = true;
    clearTimeout(this.again);
    this.lose(new Error("bulk connection was closed"));
  }

  /** Never rejects. */
  private async find(): Promise<void> {
    try {
      const place = await serverPlace(this.address, this.log);
      if (!this.closed) this.connect(place);
    } catch (error) {
      this.tryAgain(error instanceof Error ? error : new Error(String(error)));
    }
  }

  private connect(place: ServerPlace): void {
    const { tls } = this.address.access;
    const replies = new ReplyReader(() => this.next());
    const options = {
      ...place,
      ...tls,
      onread: {
        buffer: () => replies.space(),
        callback: (length: number): boolean => {
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
    };
    const socket: Socket = tls === undefined ? connect(options) : connectTls(options);
    socket.setNoDelay(true).setKeepAlive(true);
    this.socket = socket;
    socket.setTimeout(connectMs, () => {
      if (!this.isReady) this.lose(new Error("redis does not answer"));
    });
    socket.on(tls === undefined ? "connect" : "secureConnect", () => this.greet(socket));
    socket.on("error", (error) => {
      if (this.socket === socket) this.lose(error);
    });
    socket.on("close", () => {
      if (this.socket === socket) this.lose(new Error("redis closed the connection"));
    });
  }

  /** Authenticates and names the connection. The connection is ready after the last reply. */
  private greet(socket: Socket): void {
    const { username, password } = this.address.access;
    const database = "database" in this.address ? this.address.database : 0;
    const commands = [
      ...(password === undefined ? [] : [["AUTH", ...(username === undefined ? [] : [username]), password]]),
      ...(database === 0 ? [] : [["SELECT", String(database)]]),
      ["CLIENT", "SETNAME", "trunkline-bulk"],
    ];
    for (const [index, command] of commands.entries()) {
      const onEnd = (error: Error | undefined): void => {
        if (error !== undefined) this.lose(error);
        else if (index === commands.length - 1) this.becomeReady(socket);
      };
      this.sent.push({ read: new SetupReply(onEnd), at: performance.now() });
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

  /** Sends all reads of this turn of the event loop in one write, because each write is a system call. */
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

  /** Returns the taker of the next reply. */
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

  /** Ends the connection, rejects all reads, and reconnects after a pause. */
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
    this.tryAgain(error);
  }

  private tryAgain({ message }: Error): void {
    if (this.closed) return;
    this.log.warn({ role: "bulk", reason: message }, "redis connection error");
    this.again = setTimeout(() => void this.find(), Math.min(50 * 2 ** this.attempt++, 1_000));
  }
}

const sentMax = 8;
const waitingMax = 1_024;
const replyMs = 3_000;
const connectMs = 5_000;

/** Allocates memory of its own: a buffer from the pool would keep its neighbours alive. */
function allocateOwn(length: number): Buffer {
  return Buffer.allocUnsafeSlow(length);
}
