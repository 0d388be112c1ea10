import type { Device, User } from "../whatsapp-backend.js";

/** Who is there, and who wants to know. Like the platform's, a subscription ends with the connection that asked for it. */
export class Presences {
  /** The name by which each device asked, by the phone number that it asked for. */
  private readonly subscribers = new Map<string, Map<Device, string>>();
  private readonly available = new Set<Device>();

  subscribe(device: Device, { phone }: Pick<User, "phone">, askedAs: string): void {
    let subscribers = this.subscribers.get(phone);
    if (subscribers === undefined) this.subscribers.set(phone, (subscribers = new Map()));
    subscribers.set(device, askedAs);
  }

  /** Devices that are to be told about this account, with the name by which they know it. */
  subscribersOf({ phone }: Pick<User, "phone">): Iterable<readonly [Device, string]> {
    return this.subscribers.get(phone) ?? [];
  }

  isAvailable({ phone }: Pick<User, "phone">): boolean {
    return [...this.available].some((device) => device.phone === phone);
  }

  /** Whether the account of the device is now seen as another than before. */
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
