import asyncHooks, { AsyncLocalStorage } from "node:async_hooks";
import { syncBuiltinESMExports } from "node:module";

/** What one storage holds in a context; `up` leads to what others hold there. No storage stands twice in a chain. */
interface Entry {
  readonly owner: object;
  readonly run: Run;
  readonly up: Entry | undefined;
}

interface Run {
  readonly value: unknown;
  isOver: boolean;
}

const one = new AsyncLocalStorage<Entry>();

/**
 * Stands in for AsyncLocalStorage in the library, which makes one for each socket. On Node 20 every storage that was ever used is visited at the
 * birth of every promise of the process and is never freed: 140 us a promise at 1,000 sockets. All of these share one real storage instead.
 *
 * A run is over once its work has settled. What the library begins in a transaction without waiting for it, such as to give somebody the account's token, goes on in that context: what
 * it then wrote would be added to a transaction that is stored already, and be lost. So would the session of a text that libsignal's queue for a person encrypts in the context of a message
 * that was read before it, and the next text would have the same key.
 */
export class SharedAsyncStorage<T> {
  run<R, A extends unknown[]>(value: T, work: (...args: A) => R, ...args: A): R {
    const run: Run = { value, isOver: false };
    const result = one.run({ owner: this, run, up: without(this, one.getStore()) }, work, ...args);
    const end = (): void => void (run.isOver = true);
    // Before whoever waits for the result goes on.
    if (result instanceof Promise) result.then(end, end);
    return result;
  }

  getStore(): T | undefined {
    for (let entry = one.getStore(); entry !== undefined; entry = entry.up) {
      // Only `run` of this very storage puts a value under it.
      if (entry.owner === this) return entry.run.isOver ? undefined : (entry.run.value as T);
    }
    return undefined;
  }

  enterWith(): never {
    throw new Error(runOnly);
  }

  exit(): never {
    throw new Error(runOnly);
  }

  disable(): never {
    throw new Error(runOnly);
  }
}

/**
 * Calls `build`, for which AsyncLocalStorage is the class above. The swap lasts as long as this one synchronous call (two times 10 us), so that
 * nobody else in the process gets it; the library's import of the class follows it both ways.
 */
export function withSharedStorage<T>(build: () => T): T {
  const real = Object.getOwnPropertyDescriptor(asyncHooks, name);
  if (real === undefined) throw new Error(`node:async_hooks has no ${name}`);
  put({ value: SharedAsyncStorage, enumerable: true, configurable: true });
  try {
    return build();
  } finally {
    put(real);
  }
}

const name = "AsyncLocalStorage";
const runOnly = "a shared storage has run and getStore only";

/** The property is a plain value in Node 20 and a getter without a setter in 22 and 24: it is defined anew, which works with both, and put back as it was. */
function put(property: PropertyDescriptor): void {
  Object.defineProperty(asyncHooks, name, property);
  syncBuiltinESMExports();
}

/** A context that was entered from within itself again and again stays as small as it was. */
function without(owner: object, chain: Entry | undefined): Entry | undefined {
  let found = chain;
  while (found !== undefined && found.owner !== owner) found = found.up;
  return found === undefined ? chain : removed(owner, chain);
}

function removed(owner: object, chain: Entry | undefined): Entry | undefined {
  if (chain === undefined || chain.owner === owner) return chain?.up;
  return { ...chain, up: removed(owner, chain.up) };
}
