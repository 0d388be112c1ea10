import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { createServer, type AddressInfo, type Server } from "node:net";
import { afterEach, it } from "vitest";
import { WebSocketServer } from "ws";
import { silentLog } from "../../../../shared/log/logger.js";
import { Session } from "../../../../shard/session/session.js";
import { createWhatsAppAdapter } from "../../../../shard/whatsapp/whatsapp-adapter.js";
import { testEgress } from "../../../harness/egress.js";
import { testRefs } from "../../../harness/test-refs.js";
import { eventually } from "../../../harness/eventually.js";
import { openLimiter, TestContext } from "../../../platform/session-context.js";

/** A platform that accepts connections and sends nothing. */
class MutePlatform {
  /** The number of connections so far; `open` counts those that are open now. */
  taken = 0;
  open = 0;

  private constructor(private readonly server: Server) {
    server.on("connection", (socket) => {
      this.taken += 1;
      this.open += 1;
      socket
        .on("error", () => undefined)
        .on("close", () => (this.open -= 1))
        .resume();
    });
  }

  static async start(server: Server): Promise<MutePlatform> {
    const platform = new MutePlatform(server);
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return platform;
  }

  get url(): string {
    return `ws://127.0.0.1:${(this.server.address() as AddressInfo).port}/`;
  }

  async stop(): Promise<void> {
    await new Promise((resolve) => this.server.close(resolve));
  }
}

/** A server that upgrades to WebSocket. */
function webSocketServer(): Server {
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: 65_536 });
  return createHttpServer().on("upgrade", (request, socket, head) =>
    sockets.handleUpgrade(request, socket, head, (client) => client.on("error", () => undefined)),
  );
}

const unused = (): never => {
  throw new Error("nothing is sent here");
};

/** Starts a session. The returned function ends it. */
function startSession(url: string): () => Promise<void> {
  const adapter = createWhatsAppAdapter({
    url,
    egress: testEgress(),
    images: { scaleImage: unused, thumbnail: unused, sticker: unused, square: unused },
    videos: { read: unused },
    downloads: { download: unused },
    links: { fileUrl: unused, thumbUrl: unused },
    refs: testRefs("whatsapp"),
    media: { chunks: { put: unused, length: unused }, tenantOf: unused, links: { openAddress: unused } },
    log: silentLog,
    timing: { connectMs: 200 },
  });
  const session = new Session({
    ...adapter,
    context: new TestContext(),
    limiter: openLimiter,
    timing: { backoffMinMs: 10, backoffMaxMs: 20 },
  });
  void session.run();
  return () => session.close();
}

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

it.each([
  ["takes the connection and says nothing", createServer],
  ["opens the WebSocket and says nothing", webSocketServer],
])("a platform that %s is left alone after a while and tried again, and no connection stays behind", async (_, serve) => {
  const platform = await MutePlatform.start(serve());
  ends.push(() => platform.stop());
  const stop = startSession(platform.url);
  ends.push(stop);
  await eventually("a third connection", () => platform.taken >= 3);
  await stop();
  await eventually("all connections closed", () => platform.open === 0);
});
