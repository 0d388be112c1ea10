import { getBinaryNodeChildren, type BinaryNode } from "@whiskeysockets/baileys";

/** Returns the users (JIDs) that a notification about devices names. Each appears under one or both of its names. */
export function changedUsers({ attrs, content }: BinaryNode): string[] {
  const changes = Array.isArray(content) ? content : [];
  const devices = changes.flatMap((change) => getBinaryNodeChildren(change, "device"));
  return [attrs["from"], attrs["lid"], ...devices.flatMap((device) => [device.attrs["jid"], device.attrs["lid"]])].filter(
    (jid) => jid !== undefined,
  );
}
