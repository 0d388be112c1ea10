import { Long, type tl } from "@mtcute/core";
import { afterAll, beforeAll } from "vitest";
import { mtcuteLogin, type MtcuteClient } from "./mtcute-client.js";
import { TwoClients } from "./two-clients.js";

/**
 * Alice on GramJS, and Bob and Frank on mtcute, for one test file, with their names for people and chats. After a restart Bob and Frank
 * get new clients, and Alice has none.
 */
export function threeClients() {
  let two: TwoClients;
  let frank: MtcuteClient;
  const loginFrank = async (): Promise<void> => void (frank = await mtcuteLogin(two.sandbox.telegram, "frank"));

  beforeAll(async () => {
    two = await TwoClients.start();
    await loginFrank();
  });
  afterAll(async () => {
    await frank.client.destroy();
    await two.stop();
  });

  const idOf = (account: string): number => two.sandbox.telegram.world.accounts.get(account)?.userId ?? 0;
  const hash = (account: string, kind: "user" | "channel", id: number): Long =>
    Long.fromString(two.sandbox.telegram.world.secrets.accessHash(account, kind, id));
  const person = (id: number, seenBy = "bob"): tl.RawInputUser => ({ _: "inputUser", userId: id, accessHash: hash(seenBy, "user", id) });
  return {
    get alice() {
      return two.alice;
    },
    get bob() {
      return two.bob;
    },
    get frank() {
      return frank;
    },
    get sandbox() {
      return two.sandbox;
    },
    async restart(): Promise<void> {
      await frank.client.destroy();
      await two.restart();
      await loginFrank();
    },
    idOf,
    hash,
    person,
    user: (account: string, seenBy = "bob"): tl.RawInputUser => person(idOf(account), seenBy),
    channelOf: (id: number, seenBy = "bob"): tl.RawInputChannel => ({
      _: "inputChannel",
      channelId: id,
      accessHash: hash(seenBy, "channel", id),
    }),
  };
}

/** Returns the actions of the service messages that a client received for one chat. */
export function actions({ pushed }: MtcuteClient, id: number): tl.TypeMessageAction[] {
  return pushed.flatMap((update) => {
    if ((update._ !== "updateNewMessage" && update._ !== "updateNewChannelMessage") || update.message._ !== "messageService") return [];
    const { peerId, action } = update.message;
    return (peerId._ === "peerChat" && peerId.chatId === id) || (peerId._ === "peerChannel" && peerId.channelId === id) ? [action] : [];
  });
}
