import type { CommandClass } from "../../shared/contract/command-row.js";
import type { CommandId } from "../../shared/contract/ids.js";
import type { Envelope, OpenEnvelope } from "../../shared/bus/envelope.js";
import { readEnvelope } from "../../shared/bus/envelope-bytes.js";
import type { StreamEntry } from "../../shared/bus/stream-reader.js";
import type { Effect } from "./task.js";

/** One entry of the command stream or of the local bus. `again`: it may have been read before, by an earlier process. */
export type ReceivedEntry = { readonly id: string; readonly again?: boolean } & (
  | { readonly envelope: Envelope | OpenEnvelope }
  | { readonly cancelled: string }
);

export type EntryPlan =
  /** The caller of this command has gone. */
  | { kind: "cancel"; id: string }
  /** The same entry, read again after a reconnect. Its own run removes it. */
  | { kind: "ignore" }
  /**
   * A retry of a command that is already here. It is taken when that run ends; a retry that waited before it is removed from the stream.
   */
  | { kind: "follow"; id: CommandId; instead: string | undefined }
  | { kind: "take"; envelope: Envelope | OpenEnvelope; effect: Effect };

/** Entries that this shard knows of a command: the one that runs or is queued, and the retry that follows it. */
export interface EntriesInFlight {
  readonly entry: string;
  readonly following: string | undefined;
}

/** Returns `undefined` for an entry of the stream that is unreadable. */
export function readEntry({ id, fields, again = false }: StreamEntry): ReceivedEntry | undefined {
  const cancelled = fields.get("x");
  if (cancelled !== undefined) return { id, again, cancelled: cancelled.toString() };
  const envelope = readEnvelope(fields.get("e") ?? Buffer.of());
  return envelope && { id, again, envelope };
}

/** Decides what to do with an entry. */
export function planEntry(entry: ReceivedEntry, entriesOf: (id: CommandId) => EntriesInFlight | undefined): EntryPlan {
  if ("cancelled" in entry) return { kind: "cancel", id: entry.cancelled };
  const { envelope } = entry;
  const here = entriesOf(envelope.id);
  if (here === undefined)
    return { kind: "take", envelope, effect: effectOf(entry.again === true || envelope.begun === true, envelope.attempt) };
  if (here.entry === entry.id || here.following === entry.id) return { kind: "ignore" };
  return { kind: "follow", id: envelope.id, instead: here.following };
}

/**
 * An earlier process that read the same entry may have run the command, and so may an earlier owner without a record. An earlier owner may
 * have begun its record before a retry.
 */
function effectOf(mayHaveRun: boolean, attempt: number): Effect {
  if (mayHaveRun) return "possible";
  return attempt > 0 ? "in-doubt" : "none";
}

/** Decides what to do when the caller has gone: cut a read, drop what has not begun, finish the rest so that its record is true. */
export function planCancel(commandClass: CommandClass | undefined, effect: Effect): "cut" | "drop" | "go-on" {
  if (commandClass === "read") return "cut";
  return effect === "none" ? "drop" : "go-on";
}
