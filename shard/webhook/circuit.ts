/** What is known of a destination's health. */
export interface Circuit {
  /** In a row. */
  readonly failures: number;
  /** While now is before it, the destination is left alone. */
  readonly openUntil: number;
}

export interface CircuitLimits {
  /** Failures in a row after which a destination is left alone for `circuitMs`. */
  readonly failuresMax: number;
  readonly circuitMs: number;
  /** Requests at once to one that is well. */
  readonly perDestination: number;
}

export const closedCircuit: Circuit = { failures: 0, openUntil: 0 };

/** After one that has failed too often has been left alone, each further failure opens the circuit again, and one answer closes it. Pure. */
export function circuitAfter(circuit: Circuit, outcome: "alive" | "failed" | "unspent", now: number, limits: CircuitLimits): Circuit {
  if (outcome === "unspent") return circuit;
  if (outcome === "alive") return closedCircuit;
  const failures = circuit.failures + 1;
  return { failures, openUntil: failures < limits.failuresMax ? 0 : now + limits.circuitMs };
}

export function isOpen({ failures }: Circuit, { failuresMax }: CircuitLimits): boolean {
  return failures >= failuresMax;
}

/** Requests that may be in flight there at once: none while it is left alone, then one at a time until one succeeds. */
export function roomOf(circuit: Circuit, now: number, limits: CircuitLimits): number {
  if (!isOpen(circuit, limits)) return limits.perDestination;
  return now < circuit.openUntil ? 0 : 1;
}
