/**
 * Calls back once when the parent process has gone, even if it went before this call: the event fires only
 * once, and a loading process would miss it. Never calls back in a process without a parent channel.
 */
export function onParentGone(callback: () => void): void {
  // Absent where there never was a channel.
  if ("connected" in process && !process.connected) callback();
  else process.once("disconnect", callback);
}
