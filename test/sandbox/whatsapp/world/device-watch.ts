import type { User } from "../whatsapp-backend.js";

/** Who has asked for the devices of an account, and is told of each change of them. Only accounts are kept: nobody else ever links a device. */
export class DeviceWatch {
  /** Phone numbers of those who asked, by the phone number that they asked for. */
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
