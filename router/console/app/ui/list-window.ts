export interface ListPlace {
  readonly scrollTop: number;
  readonly viewHeight: number;
  readonly rowHeight: number;
  readonly count: number;
  /** Rows beyond either edge that are drawn as well, so that nothing flashes. */
  readonly spare: number;
}

/** Which rows of a long list are drawn: `first` up to, but not including, `end`. Pure. */
export function listWindow({ scrollTop, viewHeight, rowHeight, count, spare }: ListPlace): { first: number; end: number } {
  const top = Math.floor(Math.max(0, scrollTop) / rowHeight) - spare;
  const bottom = Math.ceil((Math.max(0, scrollTop) + viewHeight) / rowHeight) + spare;
  const end = Math.min(count, Math.max(0, bottom));
  return { first: Math.max(0, Math.min(top, end)), end };
}
