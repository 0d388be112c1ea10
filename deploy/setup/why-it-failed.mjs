/** What npm, apt and curl say when they do not get through. */
const offline =
  /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH)\b|Temporary failure resolving|Could not (connect|resolve)|Failed to fetch/;
const full = /\bENOSPC\b|No space left on device/;

/** Less than this does not hold the packages. */
export const leastFreeBytes = 256 * 2 ** 20;

/**
 * One sentence that ends in what mends it, or undefined for what only the tool's own words explain. `command`: what ran; `output`: what it printed; `freeBytes`: of the disk with the
 * checkout. Pure.
 */
export function whyItFailed({ command, output, freeBytes }) {
  if (full.test(output) || freeBytes < leastFreeBytes)
    return "the disk that holds this checkout is full: make room (look with: df -h .), and start again";
  const found = offline.exec(output)?.[0];
  if (found === undefined) return undefined;
  return /\bapt(-get)?\b/.test(command)
    ? `the package servers of this system cannot be reached (${found}): check the network, look with: apt-get update, and start again`
    : `the npm registry cannot be reached (${found}): check the network and any proxy, look with: npm ping, and start again`;
}
