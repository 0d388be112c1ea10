/** The known health of a destination. */
export interface Circuit {
  /** Consecutive failures. */
  readonly failures: number;
  /** The destination gets no request before this time. */
  readonly openUntil: number;
}

export interface CircuitLimits {
  /** Consecutive failures after which a destination gets no request for `circuitMs`. */
  readonly failuresMax: number;
  readonly circuitMs: number;
  /** Concurrent requests to a healthy destination. */
  readonly perDestination: number;
}

export const closedCircuit: Circuit = { failures: 0, openUntil: 0 };

/** Returns the circuit after an attempt. From `failuresMax` on each failure opens the circuit again, and one response closes it. */
export function circuitAfter(circuit: Circuit, outcome: "alive" | "failed" | "unspent", now: number, limits: CircuitLimits): Circuit {
  if (outcome === "unspent") return circuit;
  if (outcome === "alive") return closedCircuit;
  const failures = circuit.failures + 1;
  return { failures, openUntil: failures < limits.failuresMax ? 0 : now + limits.circuitMs };
}

export function isOpen({ failures }: Circuit, { failuresMax }: CircuitLimits): boolean {
  return failures >= failuresMax;
}

/** Returns how many requests may be in flight there: none while the circuit is open, then one at a time until one succeeds. */
export function roomOf(circuit: Circuit, now: number, limits: CircuitLimits): number {
  if (!isOpen(circuit, limits)) return limits.perDestination;
  return now < circuit.openUntil ? 0 : 1;
}
