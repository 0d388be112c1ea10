/** What a field for date and time holds for an instant of the API: the reader's own time, to the minute. Nothing for what is no instant. */
export function localTimeOf(at: string): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return "";
  const [year, ...others] = [date.getFullYear(), date.getMonth() + 1, date.getDate(), date.getHours(), date.getMinutes()];
  const [month, day, hours, minutes] = others.map((part) => String(part).padStart(2, "0"));
  return `${String(year).padStart(4, "0")}-${month}-${day}T${hours}:${minutes}`;
}

/** The instant that such a field means, as the API wants it: the same for all. Nothing for an empty field. */
export function instantOf(localTime: string): string {
  const date = new Date(localTime);
  return Number.isNaN(date.getTime()) ? "" : date.toISOString();
}
