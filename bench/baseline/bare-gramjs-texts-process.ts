import { Api, type TelegramClient } from "telegram";
import { AuthKey } from "telegram/crypto/AuthKey.js";
import { NewMessage, type NewMessageEvent } from "telegram/events/NewMessage.js";
import { StringSession } from "telegram/sessions/index.js";
import typia from "typia";
import { addServerKeys } from "../../shard/telegram/network/server-keys.js";
import { serveParent } from "../child.js";
import type { BareGramTextsMessage } from "./bare-gramjs-texts.js";
import { routedClient } from "./routed-gramjs.js";
import { serveTexts } from "./serve-texts.js";

const isMessage = typia.createAssert<BareGramTextsMessage>();
let received = 0;

serveParent(async (message) => {
  const order = isMessage(message);
  if (order.kind === "usage") return { received };
  addServerKeys([order.publicKey]);
  const accounts = await Promise.all(order.logins.map((login, index) => open(order, login, order.met[index] ?? [])));
  const port = await serveTexts(async ({ from, to, text }) => {
    const account = accounts[from];
    const peer = account?.peers.get(to);
    if (account === undefined || peer === undefined) throw new Error("nobody of that number");
    await account.client.sendMessage(peer, { message: text });
  });
  return { port };
});

interface Account {
  readonly client: TelegramClient;
  readonly peers: ReadonlyMap<string, Api.InputPeerUser>;
}

type Start = BareGramTextsMessage & { kind: "start" };

async function open({ firstDcPort }: Start, { dcId, authKey }: Start["logins"][number], met: readonly string[]): Promise<Account> {
  const session = new StringSession("");
  session.setDC(dcId, `127.0.0.${dcId}`, 80);
  const key = new AuthKey();
  await key.setKey(Buffer.from(authKey, "base64"));
  session.setAuthKey(key);
  const client = routedClient(session, firstDcPort);
  client.addEventHandler(({ message }: NewMessageEvent) => {
    if (message.out !== true) received += 1;
  }, new NewMessage({}));
  await client.connect();
  await client.getMe();
  const peers = new Map<string, Api.InputPeerUser>();
  for (const phone of met) {
    const { users } = await client.invoke(new Api.contacts.ResolvePhone({ phone }));
    const [user] = users;
    if (!(user instanceof Api.User) || user.accessHash === undefined) throw new Error("no such number");
    peers.set(phone, new Api.InputPeerUser({ userId: user.id, accessHash: user.accessHash }));
    await new Promise((resolve) => setTimeout(resolve, lookUpMs));
  }
  return { client, peers };
}

/** The platform's pace for resolving numbers with one account, and some room. */
const lookUpMs = 3_200;
