/** Methods whose result a later layer wraps in another constructor (history of telegram_api.tl in TDLib). */
const wrapped: Readonly<Record<string, { readonly since: number; readonly head: Buffer }>> = {
  // messages.chatInviteJoinResultOk#445663a7 updates:Updates
  "channels.JoinChannel": { since: 227, head: Buffer.from("a7635644", "hex") },
  "messages.ImportChatInvite": { since: 227, head: Buffer.from("a7635644", "hex") },
};

export function inLayer(className: string, answer: Buffer, layer: number): Buffer {
  const change = wrapped[className];
  return change === undefined || layer < change.since ? answer : Buffer.concat([change.head, answer]);
}
