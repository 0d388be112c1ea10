import type { PlannedRequest } from "../load/plan.js";
import type { TreeUsage } from "./process-tree.js";

/** A gateway whose accounts text each other. */
export interface Side {
  readonly name: string;
  /** The form is `http://host:port`. */
  readonly origin: string;
  /** The texts of each account, in turns. */
  readonly lanes: readonly (readonly PlannedRequest[])[];
  usage(): Promise<TreeUsage>;
}
