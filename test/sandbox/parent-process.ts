/** The program that forked the sandbox, if one did: the gateway's supervisor. All of this is nothing when the sandbox was started by hand. */

/** Every second, from the event loop: the supervisor takes a child that is silent for 10 s for hung. */
export function startBeats(): void {
  tellParent({ type: "beat" });
  setInterval(() => tellParent({ type: "beat" }), 1_000).unref();
}

/** A parent that is going away hears nothing more, and that is no error. */
export function tellParent(message: Readonly<Record<string, unknown>>): void {
  if (process.connected) process.send?.(message, undefined, {}, () => undefined);
}

/** Calls back once when the parent has gone, also when it went before anybody listened: the channel tells of its end once only. */
export function onParentGone(callback: () => void): void {
  // Absent where there never was a channel.
  if ("connected" in process && !process.connected) callback();
  else process.once("disconnect", callback);
}
