import { type BinaryNode, proto } from "@whiskeysockets/baileys";
import type { Device, WhatsAppWire } from "../whatsapp-backend.js";
import type { Account } from "../world/account.js";
import type { World } from "../world/world.js";

const { Type } = proto.Message.ProtocolMessage;

/**
 * Resends messages of which a device received only a placeholder, when the device requests them from the account's phone. A phone keeps
 * back messages that may be opened only once.
 */
export async function resendPlaceholders(
  request: BinaryNode,
  account: Account,
  device: Device,
  world: World,
  wire: WhatsAppWire,
): Promise<void> {
  const { message } = await wire.decrypt(request, device);
  const asked = message?.protocolMessage?.peerDataOperationRequestMessage;
  const keys = (asked?.placeholderMessageResendRequest ?? []).flatMap(({ messageKey }) => messageKey ?? []);
  const found = keys.flatMap((key) => {
    const known = world.messages.get(account.account, key.id ?? "");
    if (known === undefined || known.message.viewOnceMessageV2 || known.message.viewOnceMessageV2Extension) return [];
    // The phone has not accepted a message with a forged signature either.
    if (world.faults.takeNamed("forge", world.accounts.ofPhone(known.author.phone)?.account, "group-signature") !== undefined) return [];
    const webMessageInfoBytes = proto.WebMessageInfo.encode(
      proto.WebMessageInfo.fromObject({ key, message: known.message, messageTimestamp: known.at }),
    ).finish();
    return [{ placeholderMessageResendResponse: { webMessageInfoBytes } }];
  });
  if (found.length === 0) return;
  const response = { stanzaId: request.attrs.id ?? "", peerDataOperationResult: found };
  const protocolMessage = {
    type: Type.PEER_DATA_OPERATION_REQUEST_RESPONSE_MESSAGE,
    peerDataOperationRequestResponseMessage: {
      ...response,
      ...(asked && { peerDataOperationRequestType: asked.peerDataOperationRequestType ?? null }),
    },
  };
  await wire.sendToDevice(device, account, { protocolMessage }, { peer: true });
}
