/** Messages to the process that forked the sandbox (the gateway's supervisor). They do nothing in a sandbox started by hand. */

/** Sends a beat every second from the event loop. The supervisor treats a child that is silent for 10 s as hung. */
export function startBeats(): void {
  tellParent({ type: "beat" });
  setInterval(() => tellParent({ type: "beat" }), 1_000).unref();
}

/** Ignores send errors: a parent that is exiting has closed the channel. */
export function tellParent(message: Readonly<Record<string, unknown>>): void {
  if (process.connected) process.send?.(message, undefined, {}, () => undefined);
}

/** Calls back once when the parent has exited, even if it exited earlier: the channel emits `disconnect` only once. */
export function onParentGone(callback: () => void): void {
  // `connected` is missing if the process was started without a channel.
  if ("connected" in process && !process.connected) callback();
  else process.once("disconnect", callback);
}
