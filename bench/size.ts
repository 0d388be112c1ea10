/**
 * Size of a run. `full`: for named scenarios, whose results are quoted. `quick`: for runs of all scenarios, which take less than 20
 * minutes together.
 */
export type Size = "full" | "quick";
