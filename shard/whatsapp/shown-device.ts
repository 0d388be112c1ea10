/** The description of a linked device that a phone shows. */
export interface ShownDevice {
  /** The system's name, such as `Ubuntu`: any short text. */
  readonly name: string;
  readonly browser: Browser;
}

/** The browsers that the platform has pictures of and that the library registers correctly. */
export const browsers = ["Chrome", "Edge", "Firefox", "Opera", "Safari"] as const;
export type Browser = (typeof browsers)[number];

export const defaultDevice: ShownDevice = { name: "Ubuntu", browser: "Chrome" };

/** Returns the system name for requesting a pairing code: the platform rejects unknown names with 400. */
export function systemForCode({ name, browser }: ShownDevice): string {
  if (knownSystems.has(name)) return name;
  return browser === "Safari" ? "Mac OS" : "Ubuntu";
}

/** The system names that the library itself offers. */
const knownSystems: ReadonlySet<string> = new Set(["Ubuntu", "Mac OS", "Windows"]);
