import { CompactMap } from "../../shared/flow/compact-map.js";

/** The number of concurrent places. A function returns it for a key and its running places; `refresh` must be called when it has grown. */
export type PlaceLimit = number | ((key: string, running: number) => number);

/** An entry that waits for a place. */
export interface Waiting<W> {
  readonly of: W;
  readonly cost: number;
  readonly nodes: readonly Node<W>[];
}

/** The state of all keys together, of one key, or of one key within a key. */
export interface Node<W> {
  readonly key: string;
  readonly depth: number;
  readonly parent: Node<W> | undefined;
  running: number;
  waiting: number;
  /** Remaining credit for this round. Negative means overdrawn: the node skips rounds until it is repaid. */
  balance: number;
  readonly children: CompactMap<string, Node<W>>;
  /** Children with an entry that may begin, by how many of each run, in the order of their turns. */
  readonly ready: CompactMap<Node<W>, true>[];
  readyCount: number;
  /** Its index in its parent's `ready`; -1 when it is not there. */
  readyAt: number;
  /** The entries in order of arrival; used by the last key of a path only. */
  readonly line: Set<Waiting<W>>;
}

/** The credit of a key for each of its turns. */
const quantum = 1;

/** The largest debt of a key, however often it is charged. */
const debtMax = 256;

/**
 * Decides which waiting entry is next: the key with the fewest running, at each depth of the path. Keys with equally many take turns by
 * deficit round robin, so costly work misses turns (shard/README.md, "Fair turns").
 */
export class FairTurns<W> {
  private readonly root: Node<W> = nodeOf("", undefined);

  /** `limits`: for all together, for each key, for each key within it. `costMax`: the highest cost of one piece of work. */
  constructor(
    private readonly limits: readonly PlaceLimit[],
    private readonly costMax = 1,
  ) {}

  get running(): number {
    return this.root.running;
  }

  get waiting(): number {
    return this.root.waiting;
  }

  /** Running and waiting entries together, of one key or (`[]`) of all. */
  sizeOf(path: readonly string[]): number {
    const node = this.find(path);
    return node === undefined ? 0 : node.running + node.waiting;
  }

  runningOf(path: readonly string[]): number {
    return this.find(path)?.running ?? 0;
  }

  /** Takes a place at once if one is free and no entry of the same key waits. `end` releases it. */
  take(path: readonly string[], cost: number): readonly Node<W>[] | undefined {
    const nodes = this.nodesOf(path);
    if (nodes.at(-1)?.line.size === 0 && nodes.every((node) => this.hasRoom(node))) return this.begin(nodes, cost);
    this.forgetIdle(nodes);
    return undefined;
  }

  /** Adds an entry to the end of its key's line. */
  join(path: readonly string[], of: W, cost: number): Waiting<W> {
    const waiting = { of, cost, nodes: this.nodesOf(path) };
    waiting.nodes.at(-1)?.line.add(waiting);
    for (const node of waiting.nodes) node.waiting++;
    this.sort(waiting.nodes);
    return waiting;
  }

  /** Removes an entry from the line without a place. */
  leave(waiting: Waiting<W>): void {
    this.quit(waiting);
    this.sort(waiting.nodes);
    this.forgetIdle(waiting.nodes);
  }

  /** Gives the next entry its place, which `end` releases. Returns `undefined` while none may begin. */
  next(): Waiting<W> | undefined {
    if (!this.hasRoom(this.root)) return undefined;
    let node: Node<W> = this.root;
    while (node.depth < this.limits.length - 1) {
      const child = this.turnAmong(node);
      if (child === undefined && node.parent === undefined) return undefined;
      // None below may begin any more, because a limit has shrunk: the search starts over without this node.
      if (child === undefined) this.sort(pathOf(node));
      node = child ?? this.root;
    }
    const first = firstOf(node.line);
    if (first === undefined) return undefined;
    this.quit(first);
    this.begin(first.nodes, first.cost);
    return first;
  }

  /** Releases a place. */
  end(nodes: readonly Node<W>[]): void {
    for (const node of nodes) node.running--;
    this.sort(nodes);
    this.forgetIdle(nodes);
  }

  /**
   * Lowers the balance of a path's first key, to `-debtMax` at the lowest: it misses turns while others wait. The debt stays when the key
   * becomes idle; memory is bounded by the number of first keys.
   */
  charge([key]: readonly string[], cost: number): void {
    if (key === undefined) return;
    const node = childOf(this.root, key);
    node.balance = Math.max(node.balance - cost, -debtMax);
    this.forgetIdle([this.root, node]);
  }

  /** Called when limits that are functions may have grown. */
  refresh(): void {
    if (this.root.waiting > 0) this.refreshBelow(this.root);
  }

  /**
   * Yields the entries that could make room for one more of `path` in a full line, the last one first: from the tenant with most in it,
   * then its session with most. Yields none if no other has more than this path.
   */
  *mostWaiting(path: readonly string[]): Generator<W> {
    let node: Node<W> | undefined = this.root;
    for (const key of path) {
      const own: Node<W> | undefined = node.children.get(key);
      const most = mostOf(node);
      if (most !== undefined && most !== own && most.waiting > (own?.waiting ?? 0) + 1) {
        yield* lastOf(most);
        return;
      }
      if (own === undefined) return;
      node = own;
    }
  }

  private begin(nodes: readonly Node<W>[], cost: number): readonly Node<W>[] {
    for (const node of nodes) {
      node.running++;
      // A key that is alone does not pay for that later.
      node.balance = Math.min(node.balance, Math.max(node.balance - Math.min(cost, this.costMax), quantum - this.costMax));
    }
    this.sort(nodes);
    return nodes;
  }

  private quit(waiting: Waiting<W>): void {
    waiting.nodes.at(-1)?.line.delete(waiting);
    for (const node of waiting.nodes) node.waiting--;
  }

  /**
   * Returns the child whose turn it is. Each step finds it, or repays the cost of an earlier turn. Charged children come after all others,
   * even after those with more running.
   */
  private turnAmong(node: Node<W>): Node<W> | undefined {
    const charged = new Set<Node<W>>();
    for (const ring of node.ready) {
      let inRow = 0;
      for (let child = firstOf(ring?.keys()); child !== undefined && inRow < ring.size; child = firstOf(ring?.keys())) {
        if (!this.isReady(child)) {
          this.place(child);
          continue;
        }
        if (this.owes(child) || charged.has(child)) {
          if (!charged.has(child)) child.balance += quantum;
          charged.add(child);
          inRow++;
        } else {
          inRow = 0;
          if (child.balance <= 0) child.balance += quantum;
          if (child.balance > 0) return child;
        }
        ring?.delete(child);
        ring?.set(child, true);
      }
    }
    return firstOf(charged);
  }

  private sort(nodes: readonly Node<W>[]): void {
    for (let at = nodes.length - 1; at > 0; at--) {
      const node = nodes[at];
      if (node !== undefined) this.place(node);
    }
  }

  /** Puts a node among its siblings, behind those of which as many run. */
  private place(node: Node<W>): void {
    const { parent, readyAt } = node;
    const at = this.isReady(node) ? node.running : -1;
    if (parent === undefined || at === readyAt) return;
    if (readyAt >= 0) {
      parent.ready[readyAt]?.delete(node);
      parent.readyCount--;
    }
    if (at >= 0) {
      while (parent.ready.length <= at) parent.ready.push(new CompactMap());
      parent.ready[at]?.set(node, true);
      parent.readyCount++;
    }
    node.readyAt = at;
  }

  private refreshBelow(node: Node<W>): void {
    for (const child of node.children.values()) {
      if (child.waiting === 0) continue;
      this.refreshBelow(child);
      this.place(child);
    }
  }

  /** True if it owes more than its work alone can have cost. */
  private owes({ balance }: Node<W>): boolean {
    return balance < quantum - this.costMax;
  }

  private isReady(node: Node<W>): boolean {
    return node.waiting > 0 && this.hasRoom(node) && (node.depth === this.limits.length - 1 || node.readyCount > 0);
  }

  private hasRoom({ key, depth, running }: Node<W>): boolean {
    const limit = this.limits[depth] ?? 0;
    return running < (typeof limit === "number" ? limit : limit(key, running));
  }

  private find(path: readonly string[]): Node<W> | undefined {
    let node: Node<W> | undefined = this.root;
    for (const key of path) node = node?.children.get(key);
    return node;
  }

  /** Returns the nodes from the root to the path's last key. */
  private nodesOf(path: readonly string[]): readonly Node<W>[] {
    let node = this.root;
    return [node, ...path.map((key) => (node = childOf(node, key)))];
  }

  private forgetIdle(nodes: readonly Node<W>[]): void {
    for (let depth = nodes.length - 1; depth > 0; depth--) {
      const node = nodes[depth];
      if (node === undefined || node.running > 0 || node.waiting > 0 || this.owes(node)) return;
      if (node.parent?.children.get(node.key) === node) node.parent.children.delete(node.key);
    }
  }
}

function nodeOf<W>(key: string, parent: Node<W> | undefined): Node<W> {
  const depth = parent === undefined ? 0 : parent.depth + 1;
  const none = { running: 0, waiting: 0, readyCount: 0, readyAt: -1 };
  return { key, depth, parent, ...none, balance: 0, children: new CompactMap(), ready: [], line: new Set() };
}

function childOf<W>(parent: Node<W>, key: string): Node<W> {
  const existing = parent.children.get(key);
  if (existing !== undefined) return existing;
  const made = nodeOf(key, parent);
  parent.children.set(key, made);
  return made;
}

/** Returns the nodes from the root to this node. */
function pathOf<W>(node: Node<W>): readonly Node<W>[] {
  return node.parent === undefined ? [node] : [...pathOf(node.parent), node];
}

function mostOf<W>({ children }: Node<W>): Node<W> | undefined {
  let most: Node<W> | undefined;
  for (const child of children.values()) if (child.waiting > (most?.waiting ?? 0)) most = child;
  return most;
}

function* lastOf<W>(node: Node<W>): Generator<W> {
  let leaf = node;
  for (let most = mostOf(leaf); most !== undefined; most = mostOf(leaf)) leaf = most;
  for (const { of } of [...leaf.line].toReversed()) yield of;
}

function firstOf<T>(many: Iterable<T> | undefined): T | undefined {
  if (many === undefined) return undefined;
  for (const first of many) return first;
  return undefined;
}
