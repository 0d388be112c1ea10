/** Groups names that mean the same person or chat: a number and an anonymous id come together in some messages alone. */
export class Aliases {
  private readonly parents = new Map<string, string>();

  /** Notes that all these names mean the same. Empty ones are ignored. */
  join(names: readonly string[]): void {
    const [first, ...others] = names.filter((name) => name !== "").map((name) => this.of(name));
    if (first !== undefined) for (const other of others) if (other !== first) this.parents.set(other, first);
  }

  /** Returns the name that stands for all names that mean the same as this one. */
  of(name: string): string {
    let root = name;
    for (let parent = this.parents.get(root); parent !== undefined; parent = this.parents.get(root)) root = parent;
    return root;
  }
}
