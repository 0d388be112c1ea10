import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";

/**
 * TCP relay that can forget its connections like a firewall: they stay open and acknowledge data, but forward nothing. New connections
 * still work.
 */
export class HalfOpenRelay {
  private readonly pairs = new Set<readonly [Socket, Socket]>();
  private readonly server: Server;

  private constructor(to: { readonly port: number } | { readonly path: string }) {
    this.server = createServer((near) => {
      const far = connect(to);
      const pair = [near, far] as const;
      this.pairs.add(pair);
      for (const [one, other] of [pair, [far, near] as const]) {
        one.pipe(other);
        one.on("error", () => undefined);
        one.once("close", () => {
          this.pairs.delete(pair);
          other.destroy();
        });
      }
    });
  }

  static async start(to: { readonly port: number } | { readonly path: string }, port = 0): Promise<HalfOpenRelay> {
    const relay = new HalfOpenRelay(to);
    await once(relay.server.listen(port, "127.0.0.1"), "listening");
    return relay;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Number of open connections. */
  get open(): number {
    return this.pairs.size;
  }

  /** Stops forwarding on all current connections. */
  forget(): void {
    for (const [near, far] of this.pairs) {
      near.unpipe(far);
      far.unpipe(near);
      near.resume();
      far.resume();
    }
  }

  async stop(): Promise<void> {
    for (const pair of this.pairs) for (const socket of pair) socket.destroy();
    await once(this.server.close(), "close");
  }
}
