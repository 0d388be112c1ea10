import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Api } from "telegram";
import { config } from "../../../telegram/rpc/help.js";
import {
  type AuthKey,
  noAnswer,
  type RpcAnswer,
  type RpcBackend,
  type RpcConnection,
  type RpcContext,
  type RpcMethod,
} from "../../../telegram/rpc.js";
import { type ProtocolServerOptions, TelegramProtocolServer } from "../../../telegram/protocol/protocol-server.js";

type Handler = (request: never, context: RpcContext) => RpcAnswer | Promise<RpcAnswer>;

/** A backend with only the calls of the protocol's own tests. */
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
    // The tests read the server's keys instead.
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

/** Starts a server of two data centres on free ports, with `help.getConfig`, `help.getNearestDc` and file parts of known content. */
export async function startServer(options: Partial<ProtocolServerOptions> = {}): Promise<StartedServer> {
  const folder = mkdtempSync(join(tmpdir(), "protocol-"));
  const backend = new TestBackend();
  const log = {
    debug: (message: string, fields?: object) =>
      process.env.TEST_LOG ? process.stderr.write(`${message} ${JSON.stringify(fields)}\n`) : undefined,
    warn: (message: string, fields?: object) =>
      process.env.TEST_LOG ? process.stderr.write(`${message} ${JSON.stringify(fields)}\n`) : undefined,
    error: (message: string, fields?: Readonly<Record<string, unknown>>) => backend.errors.push(`${message} ${String(fields?.error)}`),
  };
  const dcs = [1, 2].map((id) => ({ id, host: "127.0.0.1", port: 0 }));
  const server = new TelegramProtocolServer({ rsaPemPath: join(folder, "server.pem"), dcs, backend, log, ...options });
  await server.start();
  backend
    .open("help.GetConfig", (_request: Api.help.GetConfig, { dcId }) => config(dcId, server.addresses))
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
