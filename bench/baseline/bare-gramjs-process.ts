import { createHash } from "node:crypto";
import bigInt from "big-integer";
import { Api, type TelegramClient } from "telegram";
import { StringSession } from "telegram/sessions/index.js";
import typia from "typia";
import { drawQr } from "../../shard/files/image/qr-image.js";
import { addServerKeys } from "../../shard/telegram/network/server-keys.js";
import { serveParent } from "../child.js";
import type { BareDownload } from "./bare-download.js";
import type { BareGramMessage } from "./bare-gramjs.js";
import { apiId, routedClient } from "./routed-gramjs.js";

const isMessage = typia.createAssert<BareGramMessage>();
let client: TelegramClient | undefined;

serveParent(async (message) => {
  const order = isMessage(message);
  if (order.kind === "download") return await download(order);
  client = await logIn(order);
  return {};
});

async function logIn({ control, firstDcPort, publicKey, account }: BareGramMessage & { kind: "start" }): Promise<TelegramClient> {
  addServerKeys([publicKey]);
  const session = new StringSession("");
  session.setDC(1, "127.0.0.1", 80);
  const made = routedClient(session, firstDcPort);
  await made.connect();
  const offered = await exportToken(made);
  if (!(offered instanceof Api.auth.LoginToken)) throw new Error(`no login token but ${offered.className}`);
  const qrcode = Buffer.from(await drawQr(`tg://login?token=${offered.token.toString("base64url")}`)).toString("base64");
  const scanned = await fetch(`${control}/phone/scan`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ platform: "telegram", account, qrcode }),
    signal: AbortSignal.timeout(15_000),
  });
  if (!scanned.ok) throw new Error(`the scan was answered ${scanned.status}`);
  const taken = await exportToken(made);
  if (!(taken instanceof Api.auth.LoginTokenSuccess)) throw new Error(`the login ended with ${taken.className}`);
  return made;
}

function exportToken(made: TelegramClient): Promise<Api.auth.TypeLoginToken> {
  return made.invoke(new Api.auth.ExportLoginToken({ apiId, apiHash: "x", exceptIds: [] }));
}

async function download({ channel, messageId, method, digest }: BareGramMessage & { kind: "download" }): Promise<BareDownload> {
  if (client === undefined) throw new Error("not logged in");
  const message = await findMessage(client, channel, messageId);
  const hash = createHash("sha256");
  let bytes = 0;
  const take = (part: Buffer): void => {
    bytes += part.length;
    if (digest) hash.update(part);
  };
  const startedAt = performance.now();
  const cpuAtStart = process.cpuUsage();
  if (method === "iterDownload")
    for await (const part of client.iterDownload({ file: documentOf(message), requestSize: partBytes })) take(part);
  else take(Buffer.from((await client.downloadMedia(message)) ?? ""));
  const seconds = (performance.now() - startedAt) / 1000;
  const { user, system } = process.cpuUsage(cpuAtStart);
  return { bytes, seconds, cpuSeconds: (user + system) / 1e6, sha256: digest ? hash.digest("hex") : "" };
}

async function findMessage(from: TelegramClient, username: string, id: number): Promise<Api.Message> {
  const { chats } = await from.invoke(new Api.contacts.ResolveUsername({ username }));
  const [chat] = chats;
  if (!(chat instanceof Api.Channel)) throw new Error("the name is no channel's");
  const channel = new Api.InputChannel({ channelId: chat.id, accessHash: chat.accessHash ?? bigInt.zero });
  const found = await from.invoke(new Api.channels.GetMessages({ channel, id: [new Api.InputMessageID({ id })] }));
  const message = "messages" in found ? found.messages[0] : undefined;
  if (!(message instanceof Api.Message)) throw new Error("the message is not there");
  return message;
}

function documentOf({ media }: Api.Message): Api.MessageMediaDocument {
  if (!(media instanceof Api.MessageMediaDocument)) throw new Error("the message holds no file");
  return media;
}

/** The largest part that `iterDownload` accepts: fewer round trips than any other size. */
const partBytes = 512 * 1024;
