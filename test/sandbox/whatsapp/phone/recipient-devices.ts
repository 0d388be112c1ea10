/** Compares the devices that a client's message names with the existing ones. */
import { type BinaryNode, jidDecode } from "@whiskeysockets/baileys";
import { child, children } from "../protocol/node.js";
import type { Device, User, WhatsAppWire } from "../whatsapp-backend.js";
import { participantHash } from "../world/device-hash.js";
import type { Group } from "../world/group.js";
import { userOfJid } from "../world/jid.js";

type Wire = Pick<WhatsAppWire, "devices">;

/** Returns the JIDs in the stanza's order. */
export function namedDevices(stanza: BinaryNode): string[] {
  return children(child(stanza, "participants"), "to").flatMap(({ attrs }) => attrs.jid ?? []);
}

/** Returns whether a device is named twice: its number JID and its LID are the same device. */
export function namesOneTwice(stanza: BinaryNode): boolean {
  const named = namedDevices(stanza);
  return new Set(named.map(deviceOf)).size < named.length;
}

/**
 * Returns the ack error for a migrated account's message by number: 463 for a person, 479 for a device (as in Baileys#2794 and
 * OpenWA#717). Groups addressed by number keep numbers.
 */
export function refusedNumber(stanza: BinaryNode, group: Group | undefined): number | undefined {
  const { to = "", participant = "" } = stanza.attrs;
  if (isNumber(to)) return 463;
  if (group?.options.addressing === "pn") return undefined;
  return [participant, ...namedDevices(stanza)].some(isNumber) ? 479 : undefined;
}

/** Returns whether the JID is a person's number. Numbers without an account count as well. */
export function isNumber(jid: string): boolean {
  return jid.endsWith("@s.whatsapp.net") && userOfJid(jid) !== undefined;
}

/** Returns the hash of the recipient's devices and the sender's other devices if the message names different ones. The ack carries it. */
export function hashIfStale(stanza: BinaryNode, sender: Device, wire: Wire): string | undefined {
  const named = namedDevices(stanza);
  if (named.length === 0) return undefined;
  const { to = "" } = stanza.attrs;
  const recipient = userOfJid(to);
  const people = recipient === undefined || recipient.lid === sender.lid ? [sender] : [recipient, sender];
  const present = people
    .flatMap((user) => devicesOf(user, wire))
    .filter(([user, number]) => !isSame(user, sender) || number !== sender.number);
  const expected = new Set(present.map(([{ lid }, number]) => `${lid}:${number}`));
  const addressed = named.map(deviceOf);
  if (addressed.length === expected.size && addressed.every((device) => expected.has(device))) return undefined;
  return participantHash(present.map(([user, number]) => longForm(user, number, to.endsWith("@lid"))));
}

/** Returns the hash of all devices in the group, including the sender's, if it differs from the message's `phash`. The ack carries it. */
export function groupHashIfStale(stanza: BinaryNode, group: Group, wire: Wire): string | undefined {
  const { phash } = stanza.attrs;
  if (phash === undefined) return undefined;
  const byLid = group.options.addressing === "lid" || namedDevices(stanza).some((jid) => jid.endsWith("@lid"));
  const devices = [...group.members()].flatMap(({ user }) => devicesOf(user, wire));
  const hash = participantHash(devices.map(([user, number]) => longForm(user, number, byLid)));
  return hash === phash ? undefined : hash;
}

function devicesOf(user: User, wire: Wire): [User, number][] {
  return [[user, 0], ...wire.devices(user.phone).map(({ number }): [User, number] => [user, number])];
}

function isSame(user: User, other: User): boolean {
  return user.lid === other.lid;
}

function deviceOf(jid: string): string {
  return `${userOfJid(jid)?.lid ?? jid}:${jidDecode(jid)?.device ?? 0}`;
}

function longForm({ phone, lid }: User, number: number, byLid: boolean): string {
  return byLid ? `${lid}.0:${number}@lid` : `${phone}.0:${number}@s.whatsapp.net`;
}
