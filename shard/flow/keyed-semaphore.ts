import { CompactMap } from "../../shared/flow/compact-map.js";

/** Gives a place back. Calling it again does nothing. */
export type Release = () => void;

/** Places at once; a function says them for each key, anew whenever one may be given (`wake` when they have become more). */
export type PlaceLimit = number | ((key: string) => number);

interface Waiter {
  readonly admit: () => void;
  /** Absent: may not be turned away. */
  readonly turnAway: (() => void) | undefined;
}

/** What is known of all together, of one key, or of one key within a key. */
interface Node {
  readonly key: string;
  running: number;
  waiting: number;
  /** In the order in which they were served. */
  readonly children: CompactMap<string, Node>;
  /** Of the last key of a path only. */
  readonly line: Set<Waiter>;
}

/**
 * Bounds what runs at once: in all, of each key, and of keys within a key, such as the files of a session. A path names one key for each limit but the first.
 * A free place goes to the key that has least running, among equals to the one that was served the longest ago, and within a key to whoever came first.
 * A key at its own limit lets others pass. What neither runs nor waits takes no memory.
 */
export class KeyedSemaphore {
  private readonly root = nodeOf("");

  /** `limits`: of all together, of each key, of each key within it. `waitingMax` bounds those who wait by `enterUnlessFull`. */
  constructor(
    private readonly limits: readonly PlaceLimit[],
    private readonly waitingMax = Number.POSITIVE_INFINITY,
  ) {}

  get running(): number {
    return this.root.running;
  }

  get waiting(): number {
    return this.root.waiting;
  }

  /** Running and waiting together, of one key or (`[]`) of all. */
  sizeOf(path: readonly string[]): number {
    const node = this.find(path);
    return node === undefined ? 0 : node.running + node.waiting;
  }

  /** A place without waiting, where there is one. */
  tryEnter(path: readonly string[]): Release | undefined {
    const nodes = this.nodesOf(path);
    const hasPlace = nodes.at(-1)?.line.size === 0 && nodes.every((node, depth) => node.running < this.limit(node, depth));
    if (hasPlace) return this.admit(nodes);
    this.forgetIdle(nodes);
    return undefined;
  }

  /** Waits for a place, however many wait. Rejects with the signal's reason when it aborts first. */
  async enter(path: readonly string[], signal?: AbortSignal): Promise<Release> {
    signal?.throwIfAborted();
    return this.tryEnter(path) ?? (await this.turn(path, signal, false));
  }

  /**
   * Resolves with `undefined` when the line is full, at once or as others need it more: the last of the key with the most in it makes room for a key with less.
   * Rejects with the signal's reason when it aborts first.
   */
  async enterUnlessFull(path: readonly string[], signal: AbortSignal): Promise<Release | undefined> {
    signal.throwIfAborted();
    const release = this.tryEnter(path);
    if (release !== undefined) return release;
    return this.root.waiting < this.waitingMax || this.makeRoom(path) ? await this.turn(path, signal, true) : undefined;
  }

  /** A limit has become higher. */
  wake(): void {
    for (let next = this.next(this.root, 0); next !== undefined; next = this.next(this.root, 0)) next.admit();
  }

  private turn(path: readonly string[], signal: AbortSignal | undefined, refusable: false): Promise<Release>;
  private turn(path: readonly string[], signal: AbortSignal | undefined, refusable: true): Promise<Release | undefined>;
  private async turn(path: readonly string[], signal: AbortSignal | undefined, refusable: boolean): Promise<Release | undefined> {
    const nodes = this.nodesOf(path);
    const line = nodes.at(-1)?.line;
    const release = await new Promise<Release | undefined>((resolve, reject) => {
      const leaveLine = (): void => {
        line?.delete(waiter);
        for (const node of nodes) node.waiting--;
        signal?.removeEventListener("abort", onAbort);
      };
      const onAbort = (): void => {
        leaveLine();
        this.forgetIdle(nodes);
        reject(signal?.reason);
      };
      const turnAway = (): void => {
        leaveLine();
        this.forgetIdle(nodes);
        resolve(undefined);
      };
      const admit = (): void => {
        leaveLine();
        resolve(this.admit(nodes));
      };
      const waiter: Waiter = { admit, turnAway: refusable ? turnAway : undefined };
      line?.add(waiter);
      for (const node of nodes) node.waiting++;
      signal?.addEventListener("abort", onAbort, { once: true });
    });
    if (signal?.aborted !== true) return release;
    // Aborted in the very turn in which it was admitted: the place goes to the next.
    release?.();
    throw signal.reason;
  }

  private admit(nodes: readonly Node[]): Release {
    for (const node of nodes) node.running++;
    serveLast(nodes);
    let released = false;
    return () => {
      if (released) return;
      released = true;
      // Who can run now waits below the first node that was full: above it there was room before.
      const full = nodes.findIndex((node, depth) => node.running >= this.limit(node, depth));
      for (const node of nodes) node.running--;
      serveLast(nodes);
      const freed = nodes[full];
      if (freed !== undefined) this.next(freed, full)?.admit();
      this.forgetIdle(nodes);
    };
  }

  private next(node: Node, depth: number): Waiter | undefined {
    if (node.waiting === 0 || node.running >= this.limit(node, depth)) return undefined;
    if (depth === this.limits.length - 1) return firstOf(node.line);
    let best: Waiter | undefined;
    let least = Number.POSITIVE_INFINITY;
    for (const child of node.children.values()) {
      const found = child.running < least ? this.next(child, depth + 1) : undefined;
      if (found !== undefined) [best, least] = [found, child.running];
      if (least === 0) break;
    }
    return best;
  }

  /** False when no key has more in the line than this one would have. */
  private makeRoom(path: readonly string[]): boolean {
    let longest: Node | undefined;
    for (const leaf of leavesOf(this.root)) if (leaf.waiting >= (longest?.waiting ?? 1)) longest = leaf;
    if (longest === undefined || longest.waiting <= (this.find(path)?.waiting ?? 0) + 1) return false;
    const last = [...longest.line].findLast(({ turnAway }) => turnAway !== undefined);
    last?.turnAway?.();
    return last !== undefined;
  }

  private limit({ key }: Node, depth: number): number {
    const limit = this.limits[depth] ?? 0;
    return typeof limit === "number" ? limit : limit(key);
  }

  private find(path: readonly string[]): Node | undefined {
    let node: Node | undefined = this.root;
    for (const key of path) node = node?.children.get(key);
    return node;
  }

  /** From the root to the path's last key. */
  private nodesOf(path: readonly string[]): readonly Node[] {
    let node = this.root;
    return [node, ...path.map((key) => (node = childOf(node, key)))];
  }

  private forgetIdle(nodes: readonly Node[]): void {
    for (let depth = nodes.length - 1; depth > 0; depth--) {
      const node = nodes[depth];
      if (node === undefined || node.running > 0 || node.waiting > 0) return;
      const siblings = nodes[depth - 1]?.children;
      if (siblings?.get(node.key) === node) siblings.delete(node.key);
    }
  }
}

function nodeOf(key: string): Node {
  return { key, running: 0, waiting: 0, children: new CompactMap(), line: new Set() };
}

function childOf(parent: Node, key: string): Node {
  const known = parent.children.get(key);
  if (known !== undefined) return known;
  const made = nodeOf(key);
  parent.children.set(key, made);
  return made;
}

/** Whoever begins or ends a turn goes behind the others. */
function serveLast(nodes: readonly Node[]): void {
  for (let depth = 1; depth < nodes.length; depth++) {
    const [parent, node] = [nodes[depth - 1], nodes[depth]];
    if (parent === undefined || node === undefined) continue;
    parent.children.delete(node.key);
    parent.children.set(node.key, node);
  }
}

function* leavesOf(node: Node): Generator<Node> {
  if (node.children.size === 0) yield node;
  for (const child of node.children.values()) yield* leavesOf(child);
}

function firstOf<T>(set: ReadonlySet<T>): T | undefined {
  const [first] = set;
  return first;
}
