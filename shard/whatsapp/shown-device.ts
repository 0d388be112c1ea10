/** What a phone shows of a linked device. */
export interface ShownDevice {
  /** The system's name, such as `Ubuntu`: any short text. */
  readonly name: string;
  readonly browser: Browser;
}

/** Those that the platform has pictures of, and that the library registers as what they are. */
export const browsers = ["Chrome", "Edge", "Firefox", "Opera", "Safari"] as const;
export type Browser = (typeof browsers)[number];

export const defaultDevice: ShownDevice = { name: "Ubuntu", browser: "Chrome" };

/** Under which system's name a code to type is asked for: the platform answers names that it does not know with 400. */
export function systemForCode({ name, browser }: ShownDevice): string {
  if (knownSystems.has(name)) return name;
  return browser === "Safari" ? "Mac OS" : "Ubuntu";
}

/** Those that the library itself offers. */
const knownSystems: ReadonlySet<string> = new Set(["Ubuntu", "Mac OS", "Windows"]);
