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

/** Redis answers a ping from its event loop; a pause this long is a fork or a full disk, not a slow answer. */
const answerMs = 2_000;
const shutdownMs = 20_000;

/** One running server: ours, or one that a killed supervisor left behind. */
interface Instance {
  /** Settles with a phrase when the server is gone. */
  gone: Promise<string>;
  /** Undefined for one that was adopted. */
  child: ChildProcess | undefined;
}

/**
 * What a server of ours is for (shared/README.md, "Redis"): `coordination` appends every write to a file and never evicts; `cache` keeps nothing over a restart and
 * evicts what was used longest ago, so that whoever reads media cannot fill the memory of the server that holds the logins.
 */
export type RedisPurpose = "coordination" | "cache";

const purposes: Record<RedisPurpose, { folder: string; options: Record<string, string> }> = {
  coordination: { folder: "redis", options: { appendonly: "yes", appendfsync: "everysec", "maxmemory-policy": "noeviction" } },
  cache: { folder: "cache", options: { appendonly: "no", maxmemory: "512mb", "maxmemory-policy": "allkeys-lru" } },
};

/**
 * The Redis of a host without REDIS_URL: a server of our own on a unix socket in the data folder. It is a process beside ours, so it outlives a killed supervisor, and the next one adopts it. When it dies it is started again.
 */
export class PrivateRedis {
  /** What clients connect to: the absolute path of the socket. */
  readonly url: string;
  private readonly folder: string;
  private readonly stopped = new AbortController();
  private starting: Promise<Instance> | undefined;
  private instance: Instance | undefined;
  private watch: Promise<void> | undefined;

  /** `onEnd`: it ended although nobody had told it to. */
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

  /** The server writes its file to the disk and ends; killed only when it has not after 20 s, which still loses nothing that reached the kernel. */
  async stop(): Promise<void> {
    this.stopped.abort();
    await this.starting?.catch(() => undefined); // start() has rejected with it.
    if (this.instance === undefined) return;
    await this.end(this.instance);
    await this.watch;
  }

  private async end({ child, gone }: Instance): Promise<void> {
    const pid = child?.pid ?? Number(/process_id:(\d+)/.exec((await callRedis(this.url, ["INFO", "server"], answerMs)) ?? "")?.[1]);
    // The signal means the same to the server, and needs no socket.
    if (child !== undefined) child.kill("SIGTERM");
    else await callRedis(this.url, ["SHUTDOWN"], answerMs);
    const late = setTimeout(() => {
      this.log.error({ pid }, "redis shutdown timed out");
      if (Number.isInteger(pid)) process.kill(pid, "SIGKILL");
    }, shutdownMs);
    await gone;
    clearTimeout(late);
  }

  /** Ends when stopped. */
  private async keep(): Promise<void> {
    const { signal } = this.stopped;
    const backoff = new Backoff();
    while (!signal.aborted && this.instance !== undefined) {
      const since = performance.now();
      const reason = await this.instance.gone;
      if (signal.aborted) return;
      this.log.error({ reason }, "redis exited, restarting");
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

  /** Adopts the server that listens on the socket, even one that is slow to answer (two on one file would ruin it), or starts one; resolves when its data is loaded. */
  private async bring(): Promise<Instance> {
    const instance = (await isListening(this.url)) ? { gone: this.adopt(), child: undefined } : this.launch();
    const ended = new AbortController();
    void instance.gone.then((reason) => ended.abort(new Error(`redis-server ended (${reason}); its log is ${this.logFile}`)));
    const signal = AbortSignal.any([ended.signal, this.stopped.signal]);
    try {
      // "-LOADING" while it reads its file, however long that takes.
      while ((await callRedis(this.url, ["PING"], answerMs)) !== "PONG") await sleep(50, undefined, { signal });
      // It may have been told to stop while it answered.
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
    ); // Of our environment only the search path: the rest holds secrets.
    const gone = new Promise<string>((resolve) => {
      child.once("error", (error) => resolve(error.message));
      child.once("exit", (code, signal) => resolve(signal ?? `exit code ${code}`));
    });
    return { gone, child };
  }

  /** An idle connection, which ends when the server does. */
  private adopt(): Promise<string> {
    this.log.info({ socket: this.url }, "redis of an earlier start adopted");
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
