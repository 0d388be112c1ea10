import type { KeyRing } from "../../../shared/config/key-ring.js";

const shown = 16;

/** Per key of a ring what tells it from every other, and from which nobody gets the key. */
export function fingerprintsOf(ring: KeyRing): Record<string, string> {
  return Object.fromEntries(
    ring.macs("trunkline", "fingerprint").map((mac) => {
      const [id = "", digest = ""] = mac.split(".");
      return [id, digest.slice(0, shown)];
    }),
  );
}
