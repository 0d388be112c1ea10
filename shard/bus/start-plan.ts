/** State of a command when it has entered its lane, or when its wait has ended. */
export interface StartCircumstances {
  /** The caller left before the command began. */
  readonly dropped: boolean;
  /** The slot is leaving, or the caller of a read has gone. */
  readonly left: boolean;
  readonly late: boolean;
  readonly hasPlace: boolean;
}

export type StartPlan = "drop" | "move" | "expire" | "refuse" | "run";

export function planStart({ dropped, left, late, hasPlace }: StartCircumstances): StartPlan {
  if (dropped) return "drop";
  if (left) return "move";
  if (late) return "expire";
  return hasPlace ? "run" : "refuse";
}
