import { BaseTelegramClient, type BaseTelegramClientOptions, TcpTransport } from "@mtcute/node";
import { addPublicKey, NodeCryptoProvider } from "@mtcute/node/utils.js";
import { IntermediatePacketCodec, MemoryStorage, type TelegramTransport, type tl } from "@mtcute/core";
import type { TelegramPlatform } from "../../../telegram/telegram-platform.js";

const app = { apiId: 12_345, apiHash: "0123456789abcdef0123456789abcdef" } as const;

/** The second client, which speaks a later layer than GramJS. The tests handle its pushes. */
export interface MtcuteClient {
  readonly client: BaseTelegramClient;
  /** Updates pushed since the login, without their packets. */
  readonly pushed: readonly tl.TypeUpdate[];
}

/** Logs in at data centre 1 by a code that the account's phone scans. */
export async function mtcuteLogin(platform: TelegramPlatform, account: string): Promise<MtcuteClient> {
  addPublicKey(new NodeCryptoProvider(), platform.server.publicPem);
  const [home] = platform.server.addresses;
  if (!home) throw new Error("the server has no data centre");
  const dc = { id: home.id, ipAddress: home.host, port: home.port };
  const client = new BaseTelegramClient({
    ...app,
    storage: new MemoryStorage(),
    defaultDcs: { main: dc, media: dc },
    transport: intermediate(),
    updates: false,
    disableUpdates: false,
    logLevel: 1,
  } satisfies BaseTelegramClientOptions);
  const pushed: tl.TypeUpdate[] = [];
  client.onServerUpdate.add((packet) => {
    if (packet._ === "updateShort") pushed.push(packet.update);
    else if (packet._ === "updates") pushed.push(...packet.updates);
  });
  const ask = (): Promise<tl.auth.TypeLoginToken> => client.call({ _: "auth.exportLoginToken", ...app, exceptIds: [] });
  const answer = await ask();
  if (answer._ !== "auth.loginToken") throw new Error(answer._);
  await platform.control.scan(account, `tg://login?token=${Buffer.from(answer.token).toString("base64url")}`);
  const done = await ask();
  if (done._ !== "auth.loginTokenSuccess") throw new Error(done._);
  pushed.length = 0;
  return { client, pushed };
}

function intermediate(): TelegramTransport {
  const tcp = new TcpTransport();
  return { connect: (dc) => tcp.connect(dc), packetCodec: () => new IntermediatePacketCodec() };
}
