import { RpcFault } from "../rpc.js";

/** Rejects a request with fields that are not simulated: it must not seem to have worked. */
export function checkFields(request: object, known: readonly string[]): void {
  const fields: unknown = Reflect.get(request, "originalArgs");
  for (const [name, value] of Object.entries(fields ?? {}))
    if (value && name !== "flags" && !(Array.isArray(value) && value.length === 0) && !known.includes(name))
      throw new RpcFault(400, `INPUT_FIELD_INVALID_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`);
}
