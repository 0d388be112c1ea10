/**
 * Messages of the phone to a companion after its first login: the app-state key, and a history without messages that has the chats and the
 * LIDs of the address book.
 */
import { deflateSync } from "node:zlib";
import { proto } from "@whiskeysockets/baileys";
import type { AccountProfile, WhatsAppBackend } from "../whatsapp-backend.js";
import { saltOf } from "../world/stranger-token.js";
import type { AppState } from "./app-state/app-state.js";
import { bytesField } from "./app-state/mutation-keys.js";
import type { DeviceRecord } from "./device-book.js";
import type { MessageWriter } from "./messages/message-writer.js";

const { Type } = proto.Message.ProtocolMessage;
const { HistorySyncType } = proto.Message;

/** `HistorySync.nctSalt`. */
const saltField = 19;

/** Returns false if the connection closed early. The next login sends everything again. */
export async function sendFirstSync(
  device: DeviceRecord,
  profile: AccountProfile,
  appState: AppState,
  writer: MessageWriter,
  backend: Pick<WhatsAppBackend, "storeBlob">,
): Promise<boolean> {
  if (profile.firstSync === "silent") return true;
  const { keyId, keyData } = appState.of(profile);
  const timestamp = Math.floor(Date.now() / 1_000);
  const keyShare = {
    keys: [
      { keyId: { keyId }, keyData: { keyData, fingerprint: { rawId: 1, currentIndex: 0, deviceIndexes: [0, device.number] }, timestamp } },
    ],
  };
  const shared = await writer.send(
    device,
    profile,
    { protocolMessage: { type: Type.APP_STATE_SYNC_KEY_SHARE, appStateSyncKeyShare: keyShare } },
    { peer: true },
  );
  if (shared === undefined || profile.firstSync === "keys-only") return shared !== undefined;
  const encoded = proto.HistorySync.encode({
    syncType: proto.HistorySync.HistorySyncType.INITIAL_BOOTSTRAP,
    conversations: (profile.chats ?? []).map(({ phone, seconds }) => ({
      id: `${phone}@s.whatsapp.net`,
      // The chats include people outside the address book.
      displayName: `Chat with ${phone}`,
      ...(seconds > 0 && { ephemeralExpiration: seconds, ephemeralSettingTimestamp: timestamp }),
    })),
    progress: 100,
    chunkOrder: 1,
    phoneNumberToLidMappings: profile.contacts.map(({ phone, lid }) => ({ pnJid: `${phone}@s.whatsapp.net`, lidJid: `${lid}@lid` })),
  }).finish();
  const history = profile.saltInHistory === true ? Buffer.concat([encoded, bytesField(saltField, saltOf(profile.phone))]) : encoded;
  const packed = deflateSync(history);
  const historySyncNotification = {
    syncType: HistorySyncType.INITIAL_BOOTSTRAP,
    // Inline by default, so that clients need no download from the media host.
    ...(profile.firstSync === "blobs" ? await uploaded(backend, packed) : { initialHistBootstrapInlinePayload: packed }),
    progress: 100,
    chunkOrder: 1,
  };
  return (
    (await writer.send(
      device,
      profile,
      { protocolMessage: { type: Type.HISTORY_SYNC_NOTIFICATION, historySyncNotification } },
      { peer: true },
    )) !== undefined
  );
}

async function uploaded(backend: Pick<WhatsAppBackend, "storeBlob">, packed: Buffer): Promise<proto.Message.IHistorySyncNotification> {
  if (backend.storeBlob === undefined) throw new Error("no media hosts");
  const { size, ...blob } = await backend.storeBlob("history", packed);
  return { ...blob, fileLength: size };
}
