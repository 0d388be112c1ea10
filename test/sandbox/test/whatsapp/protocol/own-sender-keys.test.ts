import { DEFAULT_CONNECTION_CONFIG, initAuthCreds } from "@whiskeysockets/baileys";
import { SenderKeyMessage } from "@whiskeysockets/baileys/lib/Signal/Group/sender-key-message.js";
import { describe, expect, it } from "vitest";
import { MemoryKeys } from "../../../whatsapp/protocol/signal/memory-keys.js";
import { OwnSenderKeys } from "../../../whatsapp/protocol/signal/own-sender-keys.js";
import { silentLogger } from "../../../whatsapp/protocol/signal/silent-logger.js";

const group = "1200000001@g.us";
const author = "99000001@lid";

/** Returns the library as the device of another group member. */
function reader() {
  const repository = DEFAULT_CONNECTION_CONFIG.makeSignalRepository(
    { creds: initAuthCreds(), keys: new MemoryKeys() },
    silentLogger,
    async () => [],
  );
  return {
    learn: async (distribution: Uint8Array) =>
      await repository.processSenderKeyDistributionMessage({
        authorJid: author,
        item: { groupId: group, axolotlSenderKeyDistributionMessage: distribution },
      }),
    read: async (msg: Uint8Array) => Buffer.from(await repository.decryptGroupMessage({ group, authorJid: author, msg })).toString(),
  };
}

describe("a phone's own sender keys", () => {
  it("are read by the library, each message with the next key of the chain", async () => {
    const keys = new OwnSenderKeys(new MemoryKeys());
    const messages = ["one", "two", "three"].map((text) => keys.encrypt(group, Buffer.from(text)));
    const { learn, read } = reader();
    await learn(messages[0]?.senderKeyDistributionMessage ?? Buffer.alloc(0));
    const texts: string[] = [];
    for (const { ciphertext } of messages) texts.push(await read(ciphertext));
    expect(texts).toEqual(["one", "two", "three"]);
    expect(messages.map(({ ciphertext }) => new SenderKeyMessage(null, null, null, null, ciphertext).getIteration())).toEqual([0, 1, 2]);
  });

  it("go on where they were after a restart, for who has the key already", async () => {
    const before = new MemoryKeys();
    const { learn, read } = reader();
    const first = new OwnSenderKeys(before).encrypt(group, Buffer.from("before"));
    await learn(first.senderKeyDistributionMessage);
    expect(await read(first.ciphertext)).toBe("before");
    const after = new MemoryKeys();
    after.import(before.export());
    expect(await read(new OwnSenderKeys(after).encrypt(group, Buffer.from("after")).ciphertext)).toBe("after");
  });

  it("let who joins later read what is written from then on, and nothing of before", async () => {
    const keys = new OwnSenderKeys(new MemoryKeys());
    const [early, late] = [keys.encrypt(group, Buffer.from("early")), keys.encrypt(group, Buffer.from("late"))];
    const { learn, read } = reader();
    await learn(late.senderKeyDistributionMessage);
    expect(await read(late.ciphertext)).toBe("late");
    await expect(read(early.ciphertext)).rejects.toThrow("old counter");
  });
});
