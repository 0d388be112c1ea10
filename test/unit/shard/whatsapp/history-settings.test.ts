import { deflateSync } from "node:zlib";
import { downloadAndProcessHistorySyncNotification, proto } from "@whiskeysockets/baileys";
import { makeEventBuffer } from "@whiskeysockets/baileys/lib/Utils/event-buffer.js";
import { beforeAll, describe, expect, it } from "vitest";
import { historySalt, reportHistorySettings } from "../../../../shard/whatsapp/network/history-settings.js";
import { silentLogger } from "../../../../shard/whatsapp/network/silent-logger.js";

const { HistorySyncType } = proto.HistorySync;
const salt = Buffer.alloc(32, 7);

/** Returns what the library reads from a history that a phone sends. */
function read(history: proto.IHistorySync, further: Uint8Array = Buffer.alloc(0)) {
  const encoded = Buffer.concat([proto.HistorySync.encode(proto.HistorySync.fromObject(history)).finish(), further]);
  return downloadAndProcessHistorySyncNotification({ initialHistBootstrapInlinePayload: deflateSync(encoded) }, {});
}

describe("a history", () => {
  beforeAll(() => reportHistorySettings());

  const further = Buffer.concat([Buffer.from([0x9a, 0x01, salt.length]), salt]);
  const types = [HistorySyncType.INITIAL_BOOTSTRAP, HistorySyncType.PUSH_NAME, HistorySyncType.NON_BLOCKING_DATA];
  it.each(types)("of type %s has the account's salt, also when the library holds its events back", async (syncType) => {
    const data = await read({ syncType }, further);
    expect(historySalt(data.pastParticipants)).toEqual(salt);
    const ev = makeEventBuffer(silentLogger);
    const reported: unknown[] = [];
    ev.on("messaging-history.set", ({ pastParticipants }) => void reported.push(historySalt(pastParticipants)));
    ev.buffer();
    for (const history of [data, await read({ syncType, pastParticipants: [{ groupJid: "1@g.us" }] })])
      ev.emit("messaging-history.set", { ...history, pastParticipants: history.pastParticipants ?? null, progress: null, syncType });
    ev.flush();
    expect(reported).toEqual([salt]);
  });
  it("without a salt has none", async () => {
    expect(historySalt((await read({ syncType: HistorySyncType.INITIAL_BOOTSTRAP })).pastParticipants)).toBeUndefined();
  });
  it("has chats without names: they are not in the address book for having a chat", async () => {
    const chat = { id: "628111@s.whatsapp.net", name: "A Shop", displayName: "A Shop", lidJid: "77@lid" };
    const { contacts } = await read({ syncType: HistorySyncType.INITIAL_BOOTSTRAP, conversations: [chat] });
    expect(contacts).toMatchObject([{ id: chat.id, lid: chat.lidJid, name: undefined }]);
  });
});
