import { findFacts } from "../../../shared/contract/commands.js";
import { isPlatform } from "../../../shared/contract/platform.js";

/**
 * Returns the audit name of a route such as `telegram delete-session` or `admin drain-member`, or `undefined`. All operator calls are
 * audited, and others if their command is.
 */
export function auditedAction(route: string): string | undefined {
  const [place = "", name = ""] = route.split(" ");
  if (place === "admin") return name;
  return isPlatform(place) && findFacts(place, name)?.isAudited === true ? name : undefined;
}
