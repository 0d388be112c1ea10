type Absent<T> = { [Name in keyof T]: undefined extends T[Name] ? Name : never }[keyof T];

/** Type without its optional fields that may be undefined: the library's TL classes require them to be absent. */
export type Present<T> = Omit<T, Absent<T>> & { [Name in Absent<T>]?: Exclude<T[Name], undefined> };

export function present<T extends object>(fields: T): Present<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Present<T>;
}
