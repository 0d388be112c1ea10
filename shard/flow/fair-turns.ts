import { CompactMap } from "../../shared/flow/compact-map.js";

/** Places at once; a function says them for each key, from how many of them it has taken, anew whenever one may be given (`look` when they have become more). */
export type PlaceLimit = number | ((key: string, running: number) => number);

/** One that waits for a place. */
export interface Waiting<W> {
  readonly of: W;
  readonly cost: number;
  readonly nodes: readonly Node<W>[];
}

/** What is known of all together, of one key, or of one key within a key. */
export interface Node<W> {
  readonly key: string;
  readonly depth: number;
  readonly parent: Node<W> | undefined;
  running: number;
  waiting: number;
  /** What it may cost in this turn of its; below zero, what it cost beyond that, which it makes up for by turns that it misses. */
  balance: number;
  readonly children: CompactMap<string, Node<W>>;
  /** Of the children those of which one may begin, by how many of each run, in the order of their turns. */
  readonly ready: CompactMap<Node<W>, true>[];
  readyCount: number;
  /** Under which number it stands in its parent's `ready`; -1: it does not. */
  readyAt: number;
  /** Of the last key of a path only, in order of arrival. */
  readonly line: Set<Waiting<W>>;
}

/** What a key may cost in each of its turns. */
const quantum = 1;

/** The most that a key owes, however often it is charged. */
const debtMax = 256;

/**
 * Decides who is next where work of many waits for few places: of which tenant, and within a tenant of which session, in any depth. A path names one key for each limit but the first.
 *
 * Why not one queue for each tenant, served in turn:
 *
 * - Work has a price. A film costs a render thread as much as eight pictures: with turns alone a tenant's films take 89 % of the thread beside another tenant's pictures, with prices 50 %.
 *   A picture that ran into its deadline costs 64 turns, so a tenant that sends such pictures waits for itself and nobody else does (`image/render-cost.ts`).
 * - Places have limits of their own below the tenant (4 downloads of a session, fewer requests to a slow receiver). A key at its limit lets others pass.
 * - A tenant with 10,000 sessions and a tenant with one wait alike, and so do two sessions of one tenant: the rule must hold at each depth.
 *
 * The rule: a free place goes to the key that has least running. Keys with equally much running take turns by deficit round robin: a key that was served something dear misses as many
 * turns as that cost. Within the last key whoever came first is first. A step takes as long however many wait. A key of which nothing runs or waits leaves nothing behind, neither debts
 * nor memory, unless it was charged. This class decides and waits for nothing: see `KeyedSemaphore`.
 */
export class FairTurns<W> {
  private readonly root: Node<W> = nodeOf("", undefined);

  /** `limits`: of all together, of each key, of each key within it. `costMax`: what one piece of work costs at most. */
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

  /** Running and waiting together, of one key or (`[]`) of all. */
  sizeOf(path: readonly string[]): number {
    const node = this.find(path);
    return node === undefined ? 0 : node.running + node.waiting;
  }

  runningOf(path: readonly string[]): number {
    return this.find(path)?.running ?? 0;
  }

  /** Takes a place at once where there is one and nobody of the same key waits; to be given back by `end`. */
  take(path: readonly string[], cost: number): readonly Node<W>[] | undefined {
    const nodes = this.nodesOf(path);
    if (nodes.at(-1)?.line.size === 0 && nodes.every((node) => this.hasRoom(node))) return this.begin(nodes, cost);
    this.forgetIdle(nodes);
    return undefined;
  }

  /** Goes to the end of its key's line. */
  join(path: readonly string[], of: W, cost: number): Waiting<W> {
    const waiting = { of, cost, nodes: this.nodesOf(path) };
    waiting.nodes.at(-1)?.line.add(waiting);
    for (const node of waiting.nodes) node.waiting++;
    this.sort(waiting.nodes);
    return waiting;
  }

  /** Leaves the line without a place. */
  leave(waiting: Waiting<W>): void {
    this.quit(waiting);
    this.sort(waiting.nodes);
    this.forgetIdle(waiting.nodes);
  }

  /** The next one that may begin has its place, to be given back by `end`; `undefined` while none may. */
  next(): Waiting<W> | undefined {
    if (!this.hasRoom(this.root)) return undefined;
    let node: Node<W> = this.root;
    while (node.depth < this.limits.length - 1) {
      const child = this.turnAmong(node);
      if (child === undefined && node.parent === undefined) return undefined;
      // None below may begin any more, since a limit has become less: the others are asked.
      if (child === undefined) this.sort(pathOf(node));
      node = child ?? this.root;
    }
    const first = firstOf(node.line);
    if (first === undefined) return undefined;
    this.quit(first);
    this.begin(first.nodes, first.cost);
    return first;
  }

  /** Gives a place back. */
  end(nodes: readonly Node<W>[]): void {
    for (const node of nodes) node.running--;
    this.sort(nodes);
    this.forgetIdle(nodes);
  }

  /**
   * Lowers the balance of a path's first key below what its work would: it misses as many turns, `debtMax` at most, while others wait. The debt stays when the key becomes idle, and memory
   * is bounded by the number of first keys.
   */
  charge([key]: readonly string[], cost: number): void {
    if (key === undefined) return;
    const node = childOf(this.root, key);
    node.balance = Math.max(node.balance - cost, -debtMax);
    this.forgetIdle([this.root, node]);
  }

  /** Limits that are functions may say more than before. */
  look(): void {
    if (this.root.waiting > 0) this.lookBelow(this.root);
  }

  /**
   * Those who could make room for one more of `path` in a line that is full, the last of them first: of the tenant with most in it, there of the session with most. None where nobody
   * would have more than this one.
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
      // Whoever is alone pays nothing for it later.
      node.balance = Math.min(node.balance, Math.max(node.balance - Math.min(cost, this.costMax), quantum - this.costMax));
    }
    this.sort(nodes);
    return nodes;
  }

  private quit(waiting: Waiting<W>): void {
    waiting.nodes.at(-1)?.line.delete(waiting);
    for (const node of waiting.nodes) node.waiting--;
  }

  /** Whose turn it is among a node's children. Each step either finds it, or pays off what a turn cost before. Who was charged comes after all others, also those with more running. */
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

  /** Puts a node where it belongs among its siblings: behind those of which as many run. */
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

  private lookBelow(node: Node<W>): void {
    for (const child of node.children.values()) {
      if (child.waiting === 0) continue;
      this.lookBelow(child);
      this.place(child);
    }
  }

  /** More than its work alone can have cost. */
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

  /** From the root to the path's last key. */
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
  const known = parent.children.get(key);
  if (known !== undefined) return known;
  const made = nodeOf(key, parent);
  parent.children.set(key, made);
  return made;
}

/** From the root to the node. */
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
