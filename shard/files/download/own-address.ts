import { networkInterfaces } from "node:os";
import ipaddr from "ipaddr.js";

/**
 * Returns true when an address leads to this machine, public addresses of its own network cards included. Reads the cards each time,
 * because addresses come and go.
 */
export function isOwnAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() === "loopback" || parsed.range() === "unspecified") return true;
  const text = parsed.toString();
  return Object.values(networkInterfaces()).some((cards) =>
    cards?.some((one) => ipaddr.isValid(one.address) && ipaddr.process(one.address).toString() === text),
  );
}
