import type { User } from "../whatsapp-backend.js";

/** Subscribers to an account's device list, who are notified of each change. Only accounts are stored: other people never link a device. */
export class DeviceWatch {
  /** Subscribers' phone numbers by the phone number of the account. */
  private readonly watchers = new Map<string, Set<string>>();

  asked(asking: Pick<User, "phone">, { phone }: Pick<User, "phone">): void {
    let watchers = this.watchers.get(phone);
    if (watchers === undefined) this.watchers.set(phone, (watchers = new Set()));
    watchers.add(asking.phone);
  }

  of({ phone }: Pick<User, "phone">): Iterable<string> {
    return this.watchers.get(phone) ?? [];
  }
}
