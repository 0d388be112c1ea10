import { createHash, randomBytes } from "node:crypto";
import { ApiKeys } from "../../../../router/endpoint/api-keys.js";
import type { CommandPort } from "../../../../router/endpoint/endpoint.js";
import type { SessionPort } from "../../../../router/endpoint/authenticate.js";
import type { HttpApp } from "../../../../router/http/app.js";
import type { ChunkStore } from "../../../../router/media/chunk-loader.js";
import type { SlotLimits } from "../../../../router/endpoint/session-slots.js";
import type { DescriptionPort } from "../../../../router/telegram/get-media.js";
import { createTelegramApi } from "../../../../router/telegram/telegram-api.js";
import type { CommandName, Input, Output } from "../../../../shared/contract/commands.js";
import { newSessionId, newSessionSecret, type SessionId } from "../../../../shared/contract/ids.js";
import type { Platform } from "../../../../shared/contract/platform.js";
import type { MediaDescription } from "../../../../shared/contract/telegram/media.js";
import { silentLog } from "../../../../shared/log/logger.js";
import { LinkKeys } from "../../../../shared/media/link.js";
import type { StoredSession } from "../../../../shared/session/session-reader.js";
import { anApp, aSession, RecordedMetrics } from "../support.js";

type Answer = (input: unknown, session: SessionId, signal: AbortSignal | undefined) => unknown;

/** The router's other side, small and in memory: sessions, commands, caches. The test says what each command answers. */
export class ApiUnderTest implements SessionPort, CommandPort {
  readonly id = newSessionId(Date.now());
  readonly secret = newSessionSecret();
  readonly metrics = new RecordedMetrics();
  readonly links = LinkKeys.parse(`a:${randomBytes(32).toString("base64")}`);
  readonly calls: { command: string; session: SessionId; input: unknown }[] = [];
  readonly chunks = new Map<string, Uint8Array>();
  readonly descriptions = new Map<string, MediaDescription>();
  readonly app: HttpApp = anApp(this.metrics);
  session: StoredSession | undefined = aSession({ id: this.id, secretHash: createHash("sha256").update(this.secret).digest("hex") });
  /** What the session becomes while a request waits for its owner. */
  later: StoredSession | undefined;
  answers: Partial<Record<CommandName<"telegram">, Answer>> = {};
  cacheFails = false;
  /** How long ago the shard described what stands in the cache. */
  descriptionAgeMs = 0;

  async start(options: { apiKeys?: string; memoryBytes?: number; streamLimits?: SlotLimits; commandLimits?: SlotLimits } = {}): Promise<void> {
    const { apiKeys = "", memoryBytes = 64 * 1024 * 1024, streamLimits, commandLimits } = options;
    createTelegramApi({
      app: this.app,
      prefix: "/telegram",
      sessions: this,
      commands: this,
      chunks: this.chunkStore,
      describe: this.descriptionStore,
      links: this.links,
      apiKeys: ApiKeys.parse(apiKeys),
      memoryBytes,
      metrics: this.metrics,
      log: silentLog,
      ...(streamLimits === undefined ? {} : { streamLimits }),
      ...(commandLimits === undefined ? {} : { commandLimits }),
    });
    await this.app.listen();
  }

  get base(): string {
    return `http://127.0.0.1:${this.app.port}/telegram`;
  }

  /** A call with the right credentials. */
  async fetch(route: string, { body, headers = {} }: { body?: unknown; headers?: Record<string, string> } = {}): Promise<Response> {
    const [method = "GET", path = ""] = route.split(" ");
    const json: Record<string, string> = body === undefined ? {} : { "Content-Type": "application/json" };
    return await fetch(this.base + path, {
      method,
      headers: { id: this.id, "session-id": this.secret, ...json, ...headers },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
  }

  read(_platform: Platform, id: SessionId): Promise<StoredSession | undefined> {
    return Promise.resolve(this.session?.id === id ? this.session : undefined);
  }

  waitActive(): Promise<StoredSession | undefined> {
    return Promise.resolve(this.later ?? this.session);
  }

  async call<P extends Platform, C extends CommandName<P>>(_platform: P, command: C, session: SessionId, input: Input<P, C>, signal?: AbortSignal): Promise<Output<P, C>> {
    this.calls.push({ command, session, input });
    const answer: Answer | undefined = Object.entries(this.answers).find(([name]) => name === command)?.[1];
    if (answer === undefined) throw new Error(`no answer for ${command}`);
    return (await answer(input, session, signal)) as Output<P, C>;
  }

  private readonly chunkStore: ChunkStore = {
    get: (fileKey, chunk, expectedLength) => {
      if (this.cacheFails) return Promise.reject(new Error("cache is away"));
      const bytes = this.chunks.get(`${fileKey}:${chunk}`);
      return Promise.resolve(bytes?.length === expectedLength ? bytes : undefined);
    },
    has: (fileKey, chunks) => Promise.resolve(chunks.every((chunk) => this.chunks.has(`${fileKey}:${chunk}`))),
  };

  private readonly descriptionStore: DescriptionPort = {
    get: ({ session }, { messageId }) => {
      if (this.cacheFails) return Promise.reject(new Error("cache is away"));
      const description = this.descriptions.get(`${session}:${messageId}`);
      return Promise.resolve(description && { description, ageMs: this.descriptionAgeMs });
    },
    put: ({ session }, { messageId }, description) => {
      if (this.cacheFails) return Promise.reject(new Error("cache is away"));
      this.descriptions.set(`${session}:${messageId}`, description);
      return Promise.resolve();
    },
    forget: ({ session }, { messageId }) => {
      this.descriptions.delete(`${session}:${messageId}`);
      return Promise.resolve();
    },
  };
}
