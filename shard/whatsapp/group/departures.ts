import { jidDecode, jidEncode, type GroupMetadata } from "@whiskeysockets/baileys";
import { TimeSlice } from "../../flow/time-slice.js";
import type { Holders } from "../keys/key-holders.js";
import type { Device } from "./keyed-groups.js";

/** What is known when a message is about to be encrypted. */
export interface DepartureFacts {
  /** The devices of a user that are remembered. */
  devices(user: string): readonly Device[] | undefined;
  /** Who was given the account's key for this group, or for statuses. */
  holders(jid: string): Promise<Holders>;
}

/**
 * Tells when somebody who was given the account's key for a group, or for its statuses, is not to read what comes next: a member who has left, a device that is linked no longer, or who sees statuses no
 * more. It compares who was given the key, which is stored, with who the next message is for, so that no event must have been heard.
 */
export class Departures {
  /** The group that the library was given last, for the message that it encrypts next. */
  private addressed: GroupMetadata | undefined;

  constructor(private readonly facts: DepartureFacts) {}

  /** The library has got this group, and gives a new key to those who are in it: without members, because all have the key, it gives it to nobody. */
  addressing(group: GroupMetadata): void {
    this.addressed = group;
  }

  /** Call it where no other message of the account is encrypted. `audience`: JIDs of the people who see the status that is encrypted next. */
  async hasLeft(chat: string, audience: readonly string[]): Promise<boolean> {
    const { facts, addressed } = this;
    this.addressed = undefined;
    const members = addressed?.id === chat ? addressed.participants.map(({ id }) => id) : [];
    const people = chat === statusJid ? audience : members;
    if (people.length === 0) return false;
    const devices = new Set<string>();
    const unknown = new Set<string>();
    for (const id of people) {
      while (timeSlice.isSpent()) await timeSlice.yield();
      const name = jidDecode(id)?.user ?? "";
      const found = facts.devices(name);
      if (found === undefined) unknown.add(name);
      for (const { user, server, device } of found ?? []) devices.add(jidEncode(user, server, device));
    }
    for (const jid of Object.keys(await facts.holders(chat))) {
      while (timeSlice.isSpent()) await timeSlice.yield();
      if (!devices.has(jid) && !unknown.has(jidDecode(jid)?.user ?? "")) return true;
    }
    return false;
  }
}

export const statusJid = "status@broadcast";
/** Thousands see a status. One for the process: it shares one event loop. */
const timeSlice = new TimeSlice(4);
