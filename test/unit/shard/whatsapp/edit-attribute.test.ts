import { proto } from "@whiskeysockets/baileys";
import { expect, it } from "vitest";
import { editAttribute } from "../../../../shard/whatsapp/network/edit-attribute.js";

const { Type } = proto.Message.ProtocolMessage;
const key = { remoteJid: "1@s.whatsapp.net", id: "3EB0", fromMe: true };

it.each<[string, proto.IMessage, object]>([
  ["a text", { conversation: "x" }, {}],
  ["a reaction", { reactionMessage: { key, text: "👍" } }, {}],
  ["a reaction that is taken back", { reactionMessage: { key, text: "" } }, { edit: "7" }],
  ["an edit", { protocolMessage: { key, type: Type.MESSAGE_EDIT, editedMessage: { conversation: "y" } } }, { edit: "1" }],
  ["a deletion by the author", { protocolMessage: { key, type: Type.REVOKE } }, { edit: "7" }],
  ["a deletion by an administrator", { protocolMessage: { key: { ...key, fromMe: false }, type: Type.REVOKE } }, { edit: "8" }],
  ["a timer", { protocolMessage: { key, type: Type.EPHEMERAL_SETTING } }, {}],
])("the stanza of %s", (_, message, attribute) => {
  // A repeat of a command reads its message from the store.
  for (const one of [message, proto.Message.decode(proto.Message.encode(message).finish())]) expect(editAttribute(one)).toEqual(attribute);
});
