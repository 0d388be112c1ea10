/** What a Redis says of itself. */
export type InfoFields = Readonly<Record<string, string>>;

/** `name:value` lines of INFO. */
export function infoFields(info: string): InfoFields {
  return Object.fromEntries(
    info.split(/\r?\n/).flatMap((line) => {
      const colon = line.indexOf(":");
      return colon > 0 && !line.startsWith("#") ? [[line.slice(0, colon), line.slice(colon + 1)]] : [];
    }),
  );
}
