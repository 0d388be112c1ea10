import type { CommandClass } from "../../shared/contract/command-row.js";
import type { CommandId } from "../../shared/contract/ids.js";
import type { Envelope } from "../../shared/bus/envelope.js";
import { readEnvelope } from "../../shared/bus/envelope-bytes.js";
import type { StreamEntry } from "../../shared/bus/stream-reader.js";

export type EntryPlan =
  /** The caller of this command has gone. */
  | { kind: "cancel"; id: string }
  /** Nobody can read it. */
  | { kind: "bury" }
  /** The same entry, seen again after a reconnect: it goes when its run ends. */
  | { kind: "ignore" }
  /** Another try of a command that is here: it is taken when this one ends. The try that waited before it, if any, is taken off the stream. */
  | { kind: "follow"; id: CommandId; instead: string | undefined }
  /** `begun`: a former life read it, and may have done it. `recording`: that, or a former owner may have. */
  | { kind: "take"; envelope: Envelope; begun: boolean; recording: boolean };

/** What is known here of a command: the entry that runs, and the one that follows. */
export interface KnownEntries {
  readonly entry: string;
  readonly following: string | undefined;
}

/** What becomes of an entry of the command stream. */
export function planEntry(entry: StreamEntry, known: (id: CommandId) => KnownEntries | undefined): EntryPlan {
  const cancelled = entry.fields.get("x");
  if (cancelled !== undefined) return { kind: "cancel", id: cancelled.toString() };
  const envelope = readEnvelope(entry.fields.get("e") ?? Buffer.of());
  if (envelope === undefined) return { kind: "bury" };
  const here = known(envelope.id);
  if (here === undefined) {
    const begun = entry.again === true;
    return { kind: "take", envelope, begun, recording: begun || envelope.attempt > 0 };
  }
  if (here.entry === entry.id || here.following === entry.id) return { kind: "ignore" };
  return { kind: "follow", id: envelope.id, instead: here.following };
}

/** What becomes of a command whose caller has gone: a read is cut, what has not begun is dropped, and the rest comes to its end so that its record is true. */
export function planCancel(commandClass: CommandClass | undefined, recording: boolean): "cut" | "drop" | "go-on" {
  if (commandClass === "read") return "cut";
  return recording ? "go-on" : "drop";
}
