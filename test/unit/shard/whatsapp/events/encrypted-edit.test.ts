import { proto } from "@whiskeysockets/baileys";
import { describe, expect, it } from "vitest";
import { encryptedEditIn, openEdit } from "../../../../../shard/whatsapp/events/encrypted-edit.js";
import { encryptedEdit } from "./encrypted-edit.js";
import { ann, bob, received } from "./events-under-test.js";

const { Type } = proto.Message.ProtocolMessage;
const { SecretEncType } = proto.Message.SecretEncryptedMessage;
const secret = Buffer.alloc(32, 1);
const annByLid = "900000000000002@lid";
const edited = { id: "M0", secret, author: ann };
const protocolMessage = { type: Type.MESSAGE_EDIT, key: { id: "M0", fromMe: true }, timestampMs: 1_790_000_000_123 };
const whole = { protocolMessage: { ...protocolMessage, editedMessage: { conversation: "new" } } };

const opened = (message: proto.IMessage, authors: readonly string[] = [ann], secrets = [secret]): object | undefined => {
  const edit = encryptedEditIn(message);
  return edit && openEdit(edit, secrets, authors);
};

describe("an encrypted edit", () => {
  it.each<[string, proto.IMessage, number]>([
    ["of a phone", whole, 1_790_000_000_123],
    ["of a phone, in a wrapper", { editedMessage: { message: whole } }, 1_790_000_000_123],
    ["of the content alone", { conversation: "new" }, 0],
    ["of a wrapped content", { ephemeralMessage: { message: { conversation: "new" } } }, 0],
  ])("is opened: %s", (_, content, at) => {
    expect(opened(encryptedEdit(edited, content))).toMatchObject({ kind: "edited", id: "M0", message: { conversation: "new" }, at });
  });

  it.each<[string, proto.IMessage]>([
    ["in a chat with disappearing messages", { ephemeralMessage: { message: encryptedEdit(edited, whole) } }],
    ["on the account's other device", { deviceSentMessage: { message: encryptedEdit(edited, whole) } }],
  ])("is found in its wrapper: %s", (_, message) => {
    expect(opened(received(message))).toMatchObject({ id: "M0", message: { conversation: "new" } });
  });

  it.each([
    [ann, ann],
    [ann, annByLid],
    [annByLid, ann],
    [annByLid, annByLid],
  ])("is opened whichever of the author's ids its key is made with: %s, %s", (author, editor) => {
    expect(opened(encryptedEdit({ ...edited, author, editor }, whole), [ann, annByLid])).toMatchObject({ id: "M0" });
  });

  it("is opened by one of several secrets, and by no other secret or person", () => {
    const message = encryptedEdit(edited, whole);
    expect(opened(message, [ann], [Buffer.alloc(32), secret])).toMatchObject({ id: "M0" });
    expect(opened(message, [ann], [Buffer.alloc(32)])).toBeUndefined();
    expect(opened(message, [ann], [])).toBeUndefined();
    expect(opened(message, [bob])).toBeUndefined();
    expect(opened(encryptedEdit({ ...edited, editor: bob }, whole), [bob])).toBeUndefined();
  });

  it("without content is empty, and that of a file which may be viewed once is marked", () => {
    expect(opened(encryptedEdit(edited, { protocolMessage }))).toMatchObject({ id: "M0", message: {} });
    expect(opened(encryptedEdit(edited, { viewOnceMessage: { message: { imageMessage: {} } } }))).toMatchObject({ viewOnce: true });
  });

  it.each<[string, proto.Message.ISecretEncryptedMessage]>([
    ["another kind", { targetMessageKey: { id: "M0" }, encPayload: secret, encIv: secret, secretEncType: SecretEncType.EVENT_EDIT }],
    ["no message", { encPayload: secret, encIv: secret, secretEncType: SecretEncType.MESSAGE_EDIT }],
    ["no ciphertext", { targetMessageKey: { id: "M0" }, secretEncType: SecretEncType.MESSAGE_EDIT }],
  ])("is none with %s", (_, secretEncryptedMessage) => {
    expect(encryptedEditIn(received({ secretEncryptedMessage }))).toBeUndefined();
  });

  it.each([0, 15, 16, 40])("of %d bytes that no key opens is not opened", (length) => {
    expect(openEdit({ id: "M0", payload: Buffer.alloc(length), iv: Buffer.alloc(12) }, [secret], [ann])).toBeUndefined();
    expect(openEdit({ id: "M0", payload: Buffer.alloc(length), iv: Buffer.alloc(0) }, [secret], [ann])).toBeUndefined();
  });
});
