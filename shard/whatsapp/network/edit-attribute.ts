import { proto } from "@whiskeysockets/baileys";

const { MESSAGE_EDIT, REVOKE } = proto.Message.ProtocolMessage.Type;

/**
 * Returns the attribute by which a stanza says that its message changes another one, because the server cannot read the message. The
 * values are those of the platform's own clients; the library adds them in a call that is not used here.
 */
export function editAttribute({ protocolMessage, reactionMessage }: proto.IMessage): { readonly edit?: string } {
  if (reactionMessage?.text === "") return takenBack;
  if (protocolMessage?.type === MESSAGE_EDIT) return { edit: "1" };
  if (protocolMessage?.type !== REVOKE) return {};
  return protocolMessage.key?.fromMe === true ? takenBack : { edit: adminDeletion };
}

/** Marks the deletion of another person's message. The platform refuses it from anybody but an administrator. */
export const adminDeletion = "8";
const takenBack = { edit: "7" };
