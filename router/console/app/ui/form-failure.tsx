import { faultsByField, type ApiFailure } from "../api/failure.js";
import { FailureNotice } from "./notice.js";

/** Why a form was refused, as far as that does not stand beside one of its fields. */
export function FormFailure({ failure, fields, doing }: { failure: ApiFailure | undefined; fields: readonly string[]; doing: string }) {
  if (failure === undefined) return null;
  if (failure.status !== 400) return <FailureNotice failure={failure} doing={doing} />;
  const rest = faultsByField(failure.message, fields).get("");
  return rest === undefined ? null : <FailureNotice failure={failure} doing={doing} text={rest} />;
}
