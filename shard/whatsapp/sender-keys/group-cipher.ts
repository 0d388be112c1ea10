import type { SignalRepositoryWithLIDStore } from "@whiskeysockets/baileys";
import type { SenderKeys } from "./sender-keys.js";

type GroupCipher = Pick<
  SignalRepositoryWithLIDStore,
  | "encryptGroupMessage"
  | "decryptGroupMessage"
  | "processSenderKeyDistributionMessage"
  | "getSenderKeyDistributionMessage"
  | "hasSenderKey"
  | "jidToSignalProtocolAddress"
>;

/** A group message with what stores its content (see `SenderKeys.decrypt`). */
export type GroupMessage = Parameters<GroupCipher["decryptGroupMessage"]>[0] & { readonly keep?: (text: Uint8Array) => Promise<void> };

/**
 * Makes a connection encrypt and read group messages with these keys; the library would store a key three times a message. `hasLeft` runs
 * before each encryption: if a key holder has left, the message gets a new key.
 */
export function useSenderKeys<R extends GroupCipher>(repository: R, keys: SenderKeys, hasLeft: (group: string) => Promise<boolean>): R {
  /** Uses the library's own names, so that keys that it stored are found. */
  const nameOf = (group: string, jid: string): string => {
    const address = repository.jidToSignalProtocolAddress(jid);
    const dot = address.lastIndexOf(".");
    return `${group}::${address.slice(0, dot)}::${address.slice(dot + 1)}`;
  };
  repository.encryptGroupMessage = async ({ group, meId, data }) => {
    const name = nameOf(group, meId);
    if (await hasLeft(group)) await keys.renew(name, group);
    const { ciphertext, distribution } = await keys.encrypt(name, data);
    return { ciphertext, senderKeyDistributionMessage: distribution };
  };
  repository.decryptGroupMessage = async ({ group, authorJid, msg, keep }: GroupMessage) =>
    await keys.decrypt(nameOf(group, authorJid), msg, keep);
  repository.processSenderKeyDistributionMessage = async ({ item, authorJid }) => {
    if (!item.groupId || !item.axolotlSenderKeyDistributionMessage) throw new Error("a sender key is for no group");
    await keys.learn(nameOf(item.groupId, authorJid), item.axolotlSenderKeyDistributionMessage);
  };
  repository.getSenderKeyDistributionMessage = async ({ group, meId }) => await keys.distribution(nameOf(group, meId));
  repository.hasSenderKey = async ({ group, meId }) => await keys.has(nameOf(group, meId));
  return repository;
}
