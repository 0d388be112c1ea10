/** One command of an append-only file. */
export interface AofCommand {
  readonly name: string;
  /** Kind of its first key: the part before the colon. */
  readonly kind: string;
  readonly bytes: number;
}

/** Returns the commands of a piece of an append-only file. The piece must begin with a whole command; a cut one at the end is skipped. */
export function commandsIn(piece: Buffer): AofCommand[] {
  const commands: AofCommand[] = [];
  for (let at = 0; at < piece.length; ) {
    const found = commandAt(piece, at);
    if (found === undefined) break;
    const { args, end } = found;
    const [name = "", key = ""] = args;
    commands.push({ name: name.toUpperCase(), kind: /^[^:{]*/.exec(key)?.[0] ?? "", bytes: end - at });
    at = end;
  }
  return commands;
}

function commandAt(piece: Buffer, start: number): { args: string[]; end: number } | undefined {
  const head = lineAt(piece, start);
  if (head === undefined) return undefined;
  let at = head.end;
  // An annotation of the server, such as the time.
  if (head.text.startsWith("#")) return { args: [head.text.slice(0, 3)], end: at };
  const args: string[] = [];
  for (let left = Number(head.text.slice(1)); left > 0; left -= 1) {
    const length = lineAt(piece, at);
    if (length === undefined) return undefined;
    const size = Number(length.text.slice(1));
    if (length.end + size + 2 > piece.length) return undefined;
    if (args.length < 2) args.push(piece.toString("latin1", length.end, length.end + size));
    at = length.end + size + 2;
  }
  return { args, end: at };
}

function lineAt(piece: Buffer, at: number): { text: string; end: number } | undefined {
  const end = piece.indexOf("\r\n", at);
  return end === -1 ? undefined : { text: piece.toString("latin1", at, end), end: end + 2 };
}
