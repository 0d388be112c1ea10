/** Returns the port that a URL names, or the default port of its protocol. */
export function portOf({ port, protocol }: { readonly port: string; readonly protocol: string }): number {
  return port === "" ? (protocol === "https:" ? 443 : 80) : Number(port);
}
