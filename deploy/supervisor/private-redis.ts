import { spawn, type ChildProcess } from "node:child_process";
import { mkdirSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "../../shared/log/logger.js";
import { Backoff } from "./backoff.js";
import { makePrivate } from "./private-files.js";
import { callRedis } from "./redis-call.js";
import { redisProgram } from "./redis-program.js";
import { isListening, socketPath } from "./unix-socket.js";

/** Redis replies to a ping from its event loop; a pause this long is a fork or a full disk, not a slow reply. */
const responseTimeoutMs = 2_000;
const shutdownMs = 20_000;

/** A running server: started by us, or left behind by a killed supervisor. */
interface Instance {
  /** Resolves with a phrase when the server is gone. */
  gone: Promise<string>;
  /** Undefined for an adopted server. */
  child: ChildProcess | undefined;
}

/**
 * Purpose of a private server (shared/README.md, "Redis"). `coordination` writes an append-only file and never evicts. `cache` stores
 * nothing on disk and evicts the least recently used keys, so that media cannot fill the other server.
 */
export type RedisPurpose = "coordination" | "cache";

const purposes: Record<RedisPurpose, { folder: string; options: Record<string, string> }> = {
  coordination: { folder: "redis", options: { appendonly: "yes", appendfsync: "everysec", "maxmemory-policy": "noeviction" } },
  cache: { folder: "cache", options: { appendonly: "no", maxmemory: "512mb", "maxmemory-policy": "allkeys-lru" } },
};

/**
 * Redis of a host without REDIS_URL: a server on a unix socket in the data folder. It survives a killed supervisor, and the next
 * supervisor adopts it. It is restarted when it exits.
 */
export class PrivateRedis {
  /** Address for clients: the absolute path of the socket. */
  readonly url: string;
  private readonly folder: string;
  private readonly stopped = new AbortController();
  private starting: Promise<Instance> | undefined;
  private instance: Instance | undefined;
  private watch: Promise<void> | undefined;

  /** `onEnd` is called when the server ends without being stopped. */
  constructor(
    dataDir: string,
    readonly purpose: RedisPurpose,
    private readonly log: Log,
    private readonly onEnd: (purpose: RedisPurpose) => void = () => undefined,
  ) {
    this.folder = join(dataDir, purposes[purpose].folder);
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    makePrivate(this.folder);
    this.url = socketPath(this.folder, "redis.sock");
  }

  async start(): Promise<void> {
    this.starting = this.bring();
    this.instance = await this.starting;
    this.watch = this.keep();
  }

  /** Stops the server, which writes its file first. After 20 s it is killed, which still loses nothing that reached the kernel. */
  async stop(): Promise<void> {
    this.stopped.abort();
    await this.starting?.catch(() => undefined); // start() has already rejected with this error.
    if (this.instance === undefined) return;
    await this.end(this.instance);
    await this.watch;
  }

  private async end({ child, gone }: Instance): Promise<void> {
    const pid =
      child?.pid ?? Number(/process_id:(\d+)/.exec((await callRedis(this.url, ["INFO", "server"], responseTimeoutMs)) ?? "")?.[1]);
    // A signal has the same effect as SHUTDOWN and needs no socket.
    if (child !== undefined) child.kill("SIGTERM");
    else await callRedis(this.url, ["SHUTDOWN"], responseTimeoutMs);
    const late = setTimeout(() => {
      this.log.error({ pid }, "redis shutdown timed out");
      if (Number.isInteger(pid)) process.kill(pid, "SIGKILL");
    }, shutdownMs);
    await gone;
    clearTimeout(late);
  }

  /** Restarts the server until it is stopped. */
  private async keep(): Promise<void> {
    const { signal } = this.stopped;
    const backoff = new Backoff();
    while (!signal.aborted && this.instance !== undefined) {
      const since = performance.now();
      const reason = await this.instance.gone;
      if (signal.aborted) return;
      this.log.warn({ reason }, "redis exited, restarting");
      this.onEnd(this.purpose);
      this.instance = await this.bringBack(since, backoff);
    }
  }

  private async bringBack(since: number, backoff: Backoff): Promise<Instance | undefined> {
    const { signal } = this.stopped;
    for (let lived = performance.now() - since; !signal.aborted; lived = 0) {
      try {
        await sleep(backoff.next(lived), undefined, { signal });
        return await this.bring();
      } catch (error) {
        if (!signal.aborted) this.log.error({ err: error }, "redis start failed");
      }
    }
    return undefined;
  }

  /**
   * Adopts the server that listens on the socket, even a slow one (two servers would corrupt the file), or starts one. Resolves when its
   * data is loaded.
   */
  private async bring(): Promise<Instance> {
    const instance = (await isListening(this.url)) ? { gone: this.adopt(), child: undefined } : this.launch();
    const ended = new AbortController();
    void instance.gone.then((reason) => ended.abort(new Error(`redis-server ended (${reason}); its log is ${this.logFile}`)));
    const signal = AbortSignal.any([ended.signal, this.stopped.signal]);
    try {
      // Redis replies "-LOADING" while it reads its file, however long that takes.
      while ((await callRedis(this.url, ["PING"], responseTimeoutMs)) !== "PONG") await sleep(50, undefined, { signal });
      // The stop may have been requested during the reply.
      signal.throwIfAborted();
    } catch (error) {
      if (instance.child !== undefined) await this.end(instance);
      throw ended.signal.aborted ? ended.signal.reason : error;
    }
    return instance;
  }

  private launch(): Instance {
    const options = {
      port: "0",
      unixsocket: this.url,
      unixsocketperm: "600",
      dir: this.folder,
      daemonize: "no",
      logfile: this.logFile,
      loglevel: "warning",
      save: "",
      ...purposes[this.purpose].options,
    };
    const child = spawn(
      redisProgram(),
      Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]),
      { detached: true, stdio: "ignore", env: { PATH: process.env["PATH"] } },
    ); // Passes only PATH, because the rest of the environment contains secrets.
    const gone = new Promise<string>((resolve) => {
      child.once("error", (error) => resolve(error.message));
      child.once("exit", (code, signal) => resolve(signal ?? `exit code ${code}`));
    });
    return { gone, child };
  }

  /** An idle connection, which closes when the server ends. */
  private adopt(): Promise<string> {
    this.log.info({ socket: this.url }, "running redis adopted");
    return new Promise((resolve) => {
      const socket = connect(this.url);
      socket.once("error", () => socket.destroy());
      socket.once("close", () => resolve("connection closed"));
      socket.resume();
    });
  }

  private get logFile(): string {
    return join(this.folder, "redis.log");
  }
}
