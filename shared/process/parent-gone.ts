/**
 * Calls back once when the process that forked this one has gone, also when it went before anybody listened: the event of the closed channel comes once, and a process that
 * was still loading then would live on for ever, with its ports. Never calls back in a process that nobody forked.
 */
export function onParentGone(callback: () => void): void {
  // Absent where there never was a channel.
  if ("connected" in process && !process.connected) callback();
  else process.once("disconnect", callback);
}
