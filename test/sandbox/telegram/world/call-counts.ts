/** Counts requests by method, such as "upload.getFile". */
export class CallCounts {
  private readonly counts = new Map<string, number>();

  add(className: string): void {
    const method = methodName(className);
    this.counts.set(method, (this.counts.get(method) ?? 0) + 1);
  }

  reset(): void {
    this.counts.clear();
  }

  toJSON(): Record<string, number> {
    return Object.fromEntries([...this.counts].sort(([a], [b]) => a.localeCompare(b)));
  }
}

/** Returns the documented spelling of the library's class name "upload.GetFile". */
export function methodName(className: string): string {
  const dot = className.lastIndexOf(".") + 1;
  return className.slice(0, dot) + className.charAt(dot).toLowerCase() + className.slice(dot + 1);
}
