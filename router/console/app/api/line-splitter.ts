/** The gateway never sends a longer line. */
const lineMaxLength = 1_000_000;

/** Splits a text that arrives in pieces into lines. Keeps an unfinished line until its end arrives. */
export class LineSplitter {
  private rest = "";

  push(piece: string): string[] {
    const lines = (this.rest + piece).split("\n");
    this.rest = lines.pop() ?? "";
    if (this.rest.length > lineMaxLength) throw new Error("The connection was interrupted. Try again.");
    return lines.filter((line) => line !== "");
  }
}
