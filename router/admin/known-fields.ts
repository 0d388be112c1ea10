/** Longest part of a name that is repeated to its caller. */
const nameMax = 64;

/** A sentence for each field of a body that means nothing: who misspells one is told, and what does not work is not taken. `within`: where the object stands, such as `quotas`. */
export function faultsOfUnknown(body: object, known: readonly string[], within = ""): string[] {
  return Object.keys(body)
    .filter((name) => !known.includes(name))
    .map((name) => `property ${within}${Buffer.from(name.slice(0, nameMax)).toString()} should not exist`);
}
