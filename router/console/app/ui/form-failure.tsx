import type { ApiFailure } from "../api/failure.js";
import { FailureNotice } from "./notice.js";

/** Why a form was refused, as far as that does not stand beside its fields: `faults` as `faultsByField` has them. */
export function FormFailure({ failure, faults }: { failure: ApiFailure | undefined; faults: ReadonlyMap<string, string> }) {
  if (failure === undefined || (failure.status === 400 && !faults.has(""))) return null;
  return <FailureNotice failure={failure} text={faults.get("") ?? failure.message} />;
}
