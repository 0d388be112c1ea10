/** The port that a URL names, or its protocol's own. */
export function portOf({ port, protocol }: { readonly port: string; readonly protocol: string }): number {
  return port === "" ? (protocol === "https:" ? 443 : 80) : Number(port);
}
