import type { CommandClass } from "../../shared/contract/command-row.js";
import type { CommandId } from "../../shared/contract/ids.js";
import type { Envelope } from "../../shared/bus/envelope.js";
import { readEnvelope } from "../../shared/bus/envelope-bytes.js";
import type { StreamEntry } from "../../shared/bus/stream-reader.js";
import type { Effect } from "./task.js";

export type EntryPlan =
  /** The caller of this command has gone. */
  | { kind: "cancel"; id: string }
  /** The entry is unreadable. */
  | { kind: "bury" }
  /** The same entry, read again after a reconnect. Its own run removes it. */
  | { kind: "ignore" }
  /**
   * A retry of a command that is already here. It is taken when that run ends; a retry that waited before it is removed from the stream.
   */
  | { kind: "follow"; id: CommandId; instead: string | undefined }
  | { kind: "take"; envelope: Envelope; effect: Effect };

/** Entries that this shard knows of a command: the one that runs or is queued, and the retry that follows it. */
export interface EntriesInFlight {
  readonly entry: string;
  readonly following: string | undefined;
}

/** Decides what to do with an entry of the command stream. */
export function planEntry(entry: StreamEntry, entriesOf: (id: CommandId) => EntriesInFlight | undefined): EntryPlan {
  const cancelled = entry.fields.get("x");
  if (cancelled !== undefined) return { kind: "cancel", id: cancelled.toString() };
  const envelope = readEnvelope(entry.fields.get("e") ?? Buffer.of());
  if (envelope === undefined) return { kind: "bury" };
  const here = entriesOf(envelope.id);
  if (here === undefined) return { kind: "take", envelope, effect: effectOf(entry, envelope) };
  if (here.entry === entry.id || here.following === entry.id) return { kind: "ignore" };
  return { kind: "follow", id: envelope.id, instead: here.following };
}

/** An earlier process that read the same entry may have run the command. An earlier owner may have begun its record before a retry. */
function effectOf({ again }: StreamEntry, { attempt }: Envelope): Effect {
  if (again === true) return "possible";
  return attempt > 0 ? "in-doubt" : "none";
}

/** Decides what to do when the caller has gone: cut a read, drop what has not begun, finish the rest so that its record is true. */
export function planCancel(commandClass: CommandClass | undefined, effect: Effect): "cut" | "drop" | "go-on" {
  if (commandClass === "read") return "cut";
  return effect === "none" ? "drop" : "go-on";
}
