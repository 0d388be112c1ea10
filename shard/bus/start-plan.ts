/** What has become of a command by the time its lane is its own, or the wait for it was ended. */
export interface StartCircumstances {
  /** Its caller left before it began. */
  readonly dropped: boolean;
  /** Its slot leaves, or the caller of a read does. */
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
