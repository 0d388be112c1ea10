/** One data centre: a listener and its connections. */
import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import type { RpcBackend } from "../rpc.js";
import { Connection, type ConnectionHost } from "./connection.js";

/** Address of a data centre; port 0 picks a free port. */
export interface DataCentreAddress {
  readonly id: number;
  readonly host: string;
  readonly port: number;
}

/** Connections per data centre. Further connections are closed at once. */
const maxConnections = 50_000;

export class DataCentre {
  readonly connections = new Set<Connection>();
  private readonly server: Server;

  constructor(
    readonly configured: DataCentreAddress,
    private readonly host: ConnectionHost,
    private readonly backend: RpcBackend,
  ) {
    this.server = createServer((socket) => this.accept(socket));
    this.server.maxConnections = maxConnections;
  }

  /** The bound address, once started. */
  get address(): DataCentreAddress {
    const bound = this.server.address();
    return { ...this.configured, port: bound !== null && typeof bound === "object" ? bound.port : this.configured.port };
  }

  async start(): Promise<void> {
    // Thousands of clients reconnect at the same moment when their shard restarts.
    this.server.listen({ host: this.configured.host, port: this.configured.port, backlog: 4_096 });
    await once(this.server, "listening");
    this.server.on("error", (error) => this.host.log.error("listener failed", { dcId: this.configured.id, error }));
  }

  /** Resolves when every connection is closed, without any action of the clients. */
  async stop(): Promise<void> {
    if (!this.server.listening) return;
    const closed = once(this.server, "close");
    this.server.close();
    for (const connection of this.connections) connection.destroy();
    await closed;
  }

  private accept(socket: Socket): void {
    const connection = new Connection(this.configured.id, socket, this.host);
    if (!this.backend.acceptsConnection(this.configured.id, connection.remoteAddress)) {
      connection.destroy();
      return;
    }
    this.connections.add(connection);
    this.backend.onConnectionChanged(connection, true);
    socket.on("close", () => {
      connection.detach();
      this.connections.delete(connection);
      this.backend.onConnectionChanged(connection, false);
    });
  }
}
