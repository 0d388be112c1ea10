type Absent<T> = { [Name in keyof T]: undefined extends T[Name] ? Name : never }[keyof T];

/** What may be missing is left out: an optional field of the library's TL classes is absent, not `undefined`. */
export type Present<T> = Omit<T, Absent<T>> & { [Name in Absent<T>]?: Exclude<T[Name], undefined> };

export function present<T extends object>(fields: T): Present<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Present<T>;
}
