import type { MemberRow } from "../../api/operator-rows.js";
import type { Tone } from "../../ui/tone.js";

/** Event-loop delay from which a member shows a warning. */
export const lateMs = 200;

export const memberStates: Readonly<Record<MemberRow["state"], string>> = {
  active: "Active",
  draining: "Draining",
  drained: "Drained",
  gone: "Stopped",
  dead: "Down",
};

/** Returns the tone of a member. `gone` is a normal stop. Pure. */
export function memberTone({ state, loopLagMs, version }: Pick<MemberRow, "state" | "loopLagMs" | "version">): Tone {
  switch (state) {
    case "dead":
      return "bad";
    case "gone":
      return "idle";
    case "draining":
    case "drained":
      return "warn";
    case "active":
      // No report for 15 s.
      if (version === null) return "warn";
      return (loopLagMs ?? 0) > lateMs ? "warn" : "good";
  }
}
