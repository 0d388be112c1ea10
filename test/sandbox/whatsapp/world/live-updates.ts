import type { Device } from "../whatsapp-backend.js";

/** Which devices look at a channel just now, and are told of each view and reaction: until the time that they were given is over, or their connection is. */
export class LiveUpdates {
  /** When a device is told no more, in Unix milliseconds, by the channel's id. */
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
