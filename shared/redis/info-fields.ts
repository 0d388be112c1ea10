/** Fields of INFO. */
export type InfoFields = Readonly<Record<string, string>>;

/** Parses the `name:value` lines of INFO. */
export function infoFields(info: string): InfoFields {
  return Object.fromEntries(
    info.split(/\r?\n/).flatMap((line) => {
      const colon = line.indexOf(":");
      return colon > 0 && !line.startsWith("#") ? [[line.slice(0, colon), line.slice(colon + 1)]] : [];
    }),
  );
}
