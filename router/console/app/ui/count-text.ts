/** So many of something, as people say it: `1 session`, `2,500 sessions`. Pure. */
export function countText(count: number, [one, many]: readonly [one: string, many: string]): string {
  return `${count.toLocaleString()} ${count === 1 ? one : many}`;
}
