import { IntermediatePacketCodec, MemoryStorage } from "@mtcute/core";
import { TcpTransport, TelegramClient } from "@mtcute/node";
import { addPublicKey, NodeCryptoProvider } from "@mtcute/node/utils.js";
import { readFile } from "node:fs/promises";
import type { TelegramFixture } from "./fixture.js";

/** Returns the unmodified client before its login. */
export async function mtcuteClient({ sandbox }: TelegramFixture): Promise<TelegramClient> {
  const { server, publicKeyPath } = sandbox.telegram;
  addPublicKey(new NodeCryptoProvider(), await readFile(publicKeyPath, "utf8"));
  const [home] = server.addresses;
  if (!home) throw new Error("the server has no data centre");
  const dc = { id: home.id, ipAddress: home.host, port: home.port };
  const tcp = new TcpTransport();
  return new TelegramClient({
    apiId: 12_345,
    apiHash: "0123456789abcdef0123456789abcdef",
    storage: new MemoryStorage(),
    defaultDcs: { main: dc, media: dc },
    transport: { connect: (to) => tcp.connect(to), packetCodec: () => new IntermediatePacketCodec() },
    logLevel: process.env["TEST_LOG"] === undefined ? 1 : 5,
  });
}

/** Logs the client in with a code that the account's phone scans. It receives updates from then on. */
export async function scanned({ sandbox }: TelegramFixture, client: TelegramClient, account: string): Promise<void> {
  await client.signInQr({ onUrlUpdated: (url) => void sandbox.telegram.control.scan(account, url) });
  await client.startUpdatesLoop();
}
