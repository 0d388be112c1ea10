import { findFacts } from "../../../shared/contract/commands.js";
import { isPlatform } from "../../../shared/contract/platform.js";

/** What a route (`telegram delete-session`, `admin drain-member`) is called on record: every call of operators is, of the others those whose command says so. */
export function auditedAction(route: string): string | undefined {
  const [place = "", name = ""] = route.split(" ");
  if (place === "admin") return name;
  return isPlatform(place) && findFacts(place, name)?.isAudited === true ? name : undefined;
}
