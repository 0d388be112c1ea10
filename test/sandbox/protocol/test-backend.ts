import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Api } from "telegram";
import { type AuthKey, noAnswer, type RpcAnswer, type RpcBackend, type RpcConnection, type RpcContext, type RpcMethod } from "../telegram/rpc.js";
import { type ProtocolServerOptions, TelegramProtocolServer } from "../telegram/protocol/protocol-server.js";

type Handler = (request: never, context: RpcContext) => RpcAnswer | Promise<RpcAnswer>;

/** A backend that holds just what the protocol's own tests call. */
export class TestBackend implements RpcBackend {
  readonly methods = new Map<string, RpcMethod>();
  readonly calls: string[] = [];
  readonly connections = new Set<RpcConnection>();
  readonly overlaps: { key: AuthKey; addresses: readonly string[] }[] = [];
  readonly errors: string[] = [];
  accepts = true;
  answersPings = true;

  open(name: string, handle: Handler): this {
    this.methods.set(name, { open: true, handle });
    return this;
  }

  closed(name: string, handle: Handler): this {
    this.methods.set(name, { handle });
    return this;
  }

  async intercept(className: string): Promise<undefined> {
    this.calls.push(className);
  }

  onKeyChanged(): void {
    // The tests read the server's keys.
  }

  onConnectionChanged(connection: RpcConnection, open: boolean): void {
    if (open) this.connections.add(connection);
    else this.connections.delete(connection);
  }

  acceptsConnection(): boolean {
    return this.accepts;
  }

  onOverlap(key: AuthKey, addresses: readonly string[]): void {
    this.overlaps.push({ key, addresses });
  }

  async interceptPing(): Promise<typeof noAnswer | undefined> {
    return this.answersPings ? undefined : noAnswer;
  }
}

export interface StartedServer {
  readonly server: TelegramProtocolServer;
  readonly backend: TestBackend;
  stop(): Promise<void>;
}

/** A server of two data centres on free ports, with `help.getConfig`, `help.getNearestDc` and file parts of a known content. */
export async function startServer(options: Partial<ProtocolServerOptions> = {}): Promise<StartedServer> {
  const folder = mkdtempSync(join(tmpdir(), "protocol-"));
  const backend = new TestBackend();
  const log = {
    debug: (message: string, fields?: object) => (process.env.TEST_LOG ? process.stderr.write(`${message} ${JSON.stringify(fields)}\n`) : undefined),
    warn: (message: string, fields?: object) => (process.env.TEST_LOG ? process.stderr.write(`${message} ${JSON.stringify(fields)}\n`) : undefined),
    error: (message: string, fields?: Readonly<Record<string, unknown>>) => backend.errors.push(`${message} ${String(fields?.error)}`),
  };
  const dcs = [1, 2].map((id) => ({ id, host: "127.0.0.1", port: 0 }));
  const server = new TelegramProtocolServer({ rsaPemPath: join(folder, "server.pem"), dcs, backend, log, ...options });
  await server.start();
  backend
    .open("help.GetConfig", (_request: Api.help.GetConfig, { dcId }) => aConfig(server, dcId))
    .open("help.GetNearestDc", (_request, { dcId }) => new Api.NearestDc({ country: "XX", thisDc: dcId, nearestDc: dcId }))
    .open("upload.GetFile", (request: Api.upload.GetFile) => filePart(request));
  const stop = async () => {
    await server.stop();
    rmSync(folder, { recursive: true });
  };
  return { server, backend, stop };
}

const fileBytes = randomBytes(1_100_000);

export function fileSlice(offset: number, limit: number): Buffer {
  return fileBytes.subarray(offset, offset + limit);
}

function filePart(request: Api.upload.GetFile): RpcAnswer {
  return new Api.upload.File({ type: new Api.storage.FileJpeg(), mtime: 1, bytes: fileSlice(request.offset.toJSNumber(), request.limit) });
}

function aConfig(server: TelegramProtocolServer, thisDc: number): Api.Config {
  const now = Math.floor(Date.now() / 1_000);
  return new Api.Config({
    date: now,
    expires: now + 3_600,
    testMode: false,
    thisDc,
    dcOptions: server.addresses.map(({ id, host, port }) => new Api.DcOption({ id, ipAddress: host, port })),
    dcTxtDomainName: "",
    chatSizeMax: 200,
    megagroupSizeMax: 200_000,
    forwardedCountMax: 100,
    onlineUpdatePeriodMs: 120_000,
    offlineBlurTimeoutMs: 5_000,
    offlineIdleTimeoutMs: 30_000,
    onlineCloudTimeoutMs: 300_000,
    notifyCloudDelayMs: 30_000,
    notifyDefaultDelayMs: 1_500,
    pushChatPeriodMs: 60_000,
    pushChatLimit: 2,
    editTimeLimit: 172_800,
    revokeTimeLimit: 2_147_483_647,
    revokePmTimeLimit: 2_147_483_647,
    ratingEDecay: 2_419_200,
    stickersRecentLimit: 200,
    channelsReadMediaPeriod: 604_800,
    callReceiveTimeoutMs: 20_000,
    callRingTimeoutMs: 90_000,
    callConnectTimeoutMs: 30_000,
    callPacketTimeoutMs: 10_000,
    meUrlPrefix: "https://t.me/",
    captionLengthMax: 1_024,
    messageLengthMax: 4_096,
    webfileDcId: 4,
  });
}
