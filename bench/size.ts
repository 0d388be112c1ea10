/** How large a run is: `full` when a scenario is named, and quoted; `quick` when all run, so that all together take less than 20 minutes. */
export type Size = "full" | "quick";
