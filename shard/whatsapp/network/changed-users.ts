import { getBinaryNodeChildren, type BinaryNode } from "@whiskeysockets/baileys";

/** Everybody whom a notification about devices names: JIDs, under one of their names or both. */
export function changedUsers({ attrs, content }: BinaryNode): string[] {
  const changes = Array.isArray(content) ? content : [];
  const devices = changes.flatMap((change) => getBinaryNodeChildren(change, "device"));
  return [attrs["from"], attrs["lid"], ...devices.flatMap((device) => [device.attrs["jid"], device.attrs["lid"]])].filter(
    (jid) => jid !== undefined,
  );
}
