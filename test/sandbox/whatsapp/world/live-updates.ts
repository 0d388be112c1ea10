import type { Device } from "../whatsapp-backend.js";

/** Devices that receive each view and reaction of a channel, until their subscription expires or their connection closes. */
export class LiveUpdates {
  /** Expiry of each device's subscription in Unix milliseconds, by channel id. */
  private readonly watching = new Map<string, Map<Device, number>>();

  watch(channel: string, device: Device, untilAt: number): void {
    let devices = this.watching.get(channel);
    if (devices === undefined) this.watching.set(channel, (devices = new Map()));
    devices.set(device, untilAt);
  }

  of(channel: string): Iterable<Device> {
    const devices = this.watching.get(channel);
    for (const [device, untilAt] of devices ?? []) if (untilAt <= Date.now()) devices?.delete(device);
    return [...(devices?.keys() ?? [])];
  }

  unwatch(device: Device): void {
    for (const [channel, devices] of this.watching) {
      devices.delete(device);
      if (devices.size === 0) this.watching.delete(channel);
    }
  }
}
