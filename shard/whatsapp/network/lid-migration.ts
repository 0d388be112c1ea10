import { getBinaryNodeChild, getBinaryNodeChildren, proto, type BinaryNode, type WAMessage } from "@whiskeysockets/baileys";
import { bytesOf, serverJid } from "../passkey/stanza.js";

/** Returns whether the platform has moved the account's chats to anonymous ids (LIDs), as the stanza that links a device states. */
export function isMigratedAtPairing(stanza: BinaryNode): boolean {
  const props = bytesOf(getBinaryNodeChild(getBinaryNodeChild(stanza, "pair-success"), "client-props"));
  try {
    return props !== undefined && proto.ClientPairingProps.decode(props).isChatDbLidMigrated === true;
  } catch {
    // The account can be linked without this information.
    return false;
  }
}

/** True for the message in which the account's phone reports that the chats have been moved. */
export function announcesMigration({ key, message }: WAMessage): boolean {
  const payload = message?.protocolMessage?.lidMigrationMappingSyncMessage?.encodedMappingPayload;
  if (key.fromMe !== true || payload === undefined || payload === null) return false;
  try {
    return Number(proto.LIDMigrationMappingSyncPayload.decode(payload).chatDbMigrationTimestamp ?? 0) > 0;
  } catch {
    return false;
  }
}

/** Builds the query for the account's feature switches: an account may have been moved since the pairing. */
export function switchesQuery(): BinaryNode {
  return { tag: "iq", attrs: { to: serverJid, xmlns: "abt", type: "get" }, content: [{ tag: "props", attrs: { protocol: "1" } }] };
}

export function isMigratedInSwitches(response: BinaryNode): boolean {
  const props = getBinaryNodeChildren(getBinaryNodeChild(response, "props"), "prop");
  return props.some(({ attrs }) => attrs["config_code"] === lidMigrationSwitch && ["1", "true"].includes(attrs["config_value"] ?? ""));
}

/** `lid_one_on_one_migration_enabled`, as whatsapp-rust's `abprops.rs` names it. */
const lidMigrationSwitch = "9435";
