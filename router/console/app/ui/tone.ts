/** State of something as a colour. The text beside it says the same. */
export type Tone = "good" | "warn" | "bad" | "idle" | "info";
