/** A longer line is none of ours. */
const lineMaxLength = 1_000_000;

/** Cuts a text that comes in pieces into its lines. What has no end yet waits. */
export class LineSplitter {
  private rest = "";

  push(piece: string): string[] {
    const lines = (this.rest + piece).split("\n");
    this.rest = lines.pop() ?? "";
    if (this.rest.length > lineMaxLength) throw new Error("The connection was interrupted. Try again.");
    return lines.filter((line) => line !== "");
  }
}
