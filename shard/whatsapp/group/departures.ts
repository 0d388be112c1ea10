import { jidDecode, jidEncode, type GroupMetadata } from "@whiskeysockets/baileys";
import { TimeSlice } from "../../flow/time-slice.js";
import type { Holders } from "../keys/key-holders.js";
import type { Device } from "./keyed-groups.js";

/** Facts that are known when a message is about to be encrypted. */
export interface DepartureFacts {
  /** Returns the remembered devices of a user. */
  devices(user: string): readonly Device[] | undefined;
  /** Returns the devices that hold the account's key for this group, or for statuses. */
  holders(jid: string): Promise<Holders>;
}

/**
 * Detects that a key holder may not read the next message: a departed member, an unlinked device, or a removed status reader. It compares
 * stored holders with recipients, so it needs no events.
 */
export class Departures {
  /** The group that the library got last, for the message that it encrypts next. */
  private addressed: GroupMetadata | undefined;

  constructor(private readonly facts: DepartureFacts) {}

  /**
   * Records the group that the library got. A group without members, whose devices all have the key, is never checked: a new key would
   * reach no device.
   */
  addressing(group: GroupMetadata): void {
    this.addressed = group;
  }

  /**
   * Call it while no other message of the account is being encrypted. `audience`: JIDs of the people who see the status that is encrypted
   * next.
   */
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
/** A status may have thousands of readers. All sessions share one time slice because they share one event loop. */
const timeSlice = new TimeSlice(4);
