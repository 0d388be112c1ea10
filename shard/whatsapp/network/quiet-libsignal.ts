/**
 * Keeps libsignal from printing whole sessions with private keys to `console`. Drops only calls that begin with one of its texts and come
 * from its folder. Process-wide, once.
 */
export function quietLibsignal(): void {
  if (quieted) return;
  quieted = true;
  const output = globalThis.console;
  for (const name of ["info", "warn", "error"] as const) {
    const print = output[name].bind(output);
    output[name] = (...args: unknown[]) => {
      const [first] = args;
      if (typeof first === "string" && openings.some((opening) => first.startsWith(opening)) && isLibsignal(new Error().stack)) return;
      print(...args);
    };
  }
}

let quieted = false;

const openings = [
  "Closing session",
  "Opening session",
  "Removing old closed session",
  "Session already",
  "Closing open session",
  "Closing stale open session",
  "Migrating session",
  "V1 session storage",
  "Failed to decrypt",
  "Session error",
  "Decrypted message with closed session",
  "Unhandled bucket type",
  "WARNING: Expected pubkey",
];

function isLibsignal(stack = ""): boolean {
  return /[\\/]libsignal[\\/]/.test(stack);
}
