/**
 * Returns a source map's mappings with one segment for each line of a source. Node finds a place by the last segment before it. It decodes
 * the whole map for a process's first stack trace: 100 bytes for each segment, and a blocked event loop.
 */
export function linesOnly(mappings) {
  /** Source, line and column before the segment that is read, and before the one that is written. */
  const [read, written] = [
    [0, 0, 0],
    [0, 0, 0],
  ];
  let place;
  return mappings
    .split(";")
    .map((line) => {
      const kept = [];
      let [column, keptColumn] = [0, 0];
      for (const segment of line === "" ? [] : line.split(",")) {
        const [columns, ...moves] = decode(segment);
        column += columns;
        for (const [at, move] of moves.slice(0, 3).entries()) read[at] += move;
        const found = moves.length === 0 ? "none" : `${read[0]}:${read[1]}`;
        if (found === place) continue;
        place = found;
        kept.push(encode([column - keptColumn, ...(moves.length === 0 ? [] : read.map((value, at) => value - written[at]))]));
        keptColumn = column;
        if (moves.length > 0) written.splice(0, 3, ...read);
      }
      return kept.join(",");
    })
    .join(";");
}

const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const values = new Map([...digits].map((digit, value) => [digit, value]));

/** Decodes base64 VLQ: five bits in each digit, the lowest first, and the sign in the lowest bit of a number. */
function decode(segment) {
  const numbers = [];
  let [number, shift] = [0, 0];
  for (const digit of segment) {
    const value = values.get(digit);
    number += (value & 31) << shift;
    shift += 5;
    if (value & 32) continue;
    numbers.push(number & 1 ? -(number >> 1) : number >> 1);
    [number, shift] = [0, 0];
  }
  return numbers;
}

function encode(numbers) {
  let text = "";
  for (const number of numbers) {
    let rest = number < 0 ? (-number << 1) | 1 : number << 1;
    do {
      const more = rest > 31 ? 32 : 0;
      text += digits[(rest & 31) | more];
      rest >>>= 5;
    } while (rest > 0);
  }
  return text;
}
