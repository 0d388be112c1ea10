// One language, as the whole page: a reader's locale would mix two.
const language = "en-GB";
const minute = { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" } as const;
const thisYear = new Intl.DateTimeFormat(language, minute);
const anyYear = new Intl.DateTimeFormat(language, { ...minute, year: "numeric" });
const day = new Intl.DateTimeFormat(language, { day: "numeric", month: "short", year: "numeric" });
const clock = new Intl.DateTimeFormat(language, { hour: "2-digit", minute: "2-digit", second: "2-digit" });

/** Returns an instant of the API in the reader's time: `26 Nov, 14:37`, with the year if it is another one. Empty if there is none. */
export function instantText(at: string | null): string {
  if (at === null || at === "") return "";
  const date = new Date(at);
  return (date.getFullYear() === new Date().getFullYear() ? thisYear : anyYear).format(date);
}

/** Returns the day of an instant: `26 Nov 2026`. */
export function dayText(at: string): string {
  return day.format(new Date(at));
}

/** Returns the time of day of an instant: `14:37:05`. */
export function clockText(at: string | number): string {
  return clock.format(new Date(at));
}
