/** How something is, as colours tell it; its words say the same. */
export type Tone = "good" | "warn" | "bad" | "idle" | "info";
