import type { Device, User } from "../whatsapp-backend.js";

/** Presence of accounts and the subscriptions to it. As on the platform, a subscription ends with its connection. */
export class Presences {
  /** The JID that each device subscribed with, by the account's phone number. */
  private readonly subscribers = new Map<string, Map<Device, string>>();
  private readonly available = new Set<Device>();

  subscribe(device: Device, { phone }: Pick<User, "phone">, askedAs: string): void {
    let subscribers = this.subscribers.get(phone);
    if (subscribers === undefined) this.subscribers.set(phone, (subscribers = new Map()));
    subscribers.set(device, askedAs);
  }

  /** Returns the devices subscribed to an account, each with the JID that it subscribed with. */
  subscribersOf({ phone }: Pick<User, "phone">): Iterable<readonly [Device, string]> {
    return this.subscribers.get(phone) ?? [];
  }

  isAvailable({ phone }: Pick<User, "phone">): boolean {
    return [...this.available].some((device) => device.phone === phone);
  }

  /** Returns whether the presence of the device's account has changed. */
  set(device: Device, available: boolean): boolean {
    const before = this.isAvailable(device);
    if (available) this.available.add(device);
    else this.available.delete(device);
    return this.isAvailable(device) !== before;
  }

  unsubscribe(device: Device): void {
    for (const [phone, subscribers] of this.subscribers) {
      subscribers.delete(device);
      if (subscribers.size === 0) this.subscribers.delete(phone);
    }
  }
}
