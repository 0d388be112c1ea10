/**
 * Finds the end of a link or mail address without marks around it, such as `https://e.com/__init__.py` or `a--b@e.org`. `start` is the
 * index of its first character, a letter or digit.
 */
export class BareLinks {
  /** Next index of each text; one that is behind the reader must be searched again. */
  private readonly ahead = new Map<string, number>();

  constructor(private readonly source: string) {}

  /**
   * Returns the index at which the fixed part (scheme, host or whole address) ends, and whether a path may follow; `undefined` without a
   * link.
   */
  at(start: number): { readonly end: number; readonly hasPath: boolean } | undefined {
    if (this.isWithin("://", start, schemeMax)) {
      const end = this.match(scheme, start);
      if (end !== undefined) return { end, hasPath: true };
    }
    if (this.isWithin("@", start, mailNameMax)) {
      const end = this.match(mail, start);
      if (end !== undefined) return { end, hasPath: false };
    }
    if (!this.isWithin(".", start, labelMax)) return undefined;
    const end = this.match(host, start);
    return end === undefined ? undefined : { end, hasPath: /[/?#]/.test(this.source[end] ?? "") };
  }

  private match(pattern: RegExp, start: number): number | undefined {
    pattern.lastIndex = start;
    return pattern.test(this.source) ? pattern.lastIndex : undefined;
  }

  /** Skips the patterns where they cannot match. Each of these texts is searched only once. */
  private isWithin(text: string, from: number, max: number): boolean {
    let found = this.ahead.get(text) ?? -1;
    if (found < from) this.ahead.set(text, (found = this.indexOf(text, from)));
    return found - from <= max;
  }

  private indexOf(text: string, from: number): number {
    const found = this.source.indexOf(text, from);
    return found < 0 ? Number.POSITIVE_INFINITY : found;
  }
}

const schemeMax = 32;
const mailNameMax = 64;
const labelMax = 63;

const scheme = /[a-z][a-z0-9+.-]{0,31}:\/\/(?=[^\s<>])/iy;
/** A label of a host name. Two hyphens in a row are common in preview hosts and foreign scripts. */
const label = String.raw`[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?`;
const topLabel = String.raw`(?:xn--[a-z0-9-]{0,58}[a-z0-9]|\p{L}{2,63})(?![\p{L}\p{N}])`;
const host = new RegExp(String.raw`(?:${label}\.){1,8}${topLabel}(?::\d{1,5})?`, "iuy");
const mail = new RegExp(String.raw`[\p{L}\p{N}][\p{L}\p{N}._%+=~&'-]{0,63}@(?:${label}\.){1,8}${topLabel}`, "iuy");
