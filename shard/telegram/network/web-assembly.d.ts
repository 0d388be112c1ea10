/** The types that are used here. The compiler has them only among those of browsers. */
declare namespace WebAssembly {
  class Memory {
    constructor(size: { initial: number; maximum: number });
    readonly buffer: ArrayBuffer;
  }
  const Module: new (bytes: Uint8Array<ArrayBuffer>) => object;
  class Instance {
    constructor(module: object, imports: Record<string, Record<string, Memory>>);
    readonly exports: Readonly<Record<string, unknown>>;
  }
}
