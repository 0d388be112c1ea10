import { to } from "../../route/match-route.js";
import { Badge } from "../../ui/badge.js";
import type { Vital } from "./health.js";

/** Redis and the processes, each with its state. */
export function HealthList({ vitals, stale }: { vitals: readonly Vital[]; stale: boolean }) {
  return (
    <ul class={`health ${stale ? "stale" : ""}`} aria-label="Health">
      {vitals.map(({ name, tone, text }) => (
        <li key={name}>
          <a href={to("/members")}>
            {name}
            <Badge tone={tone}>{text}</Badge>
          </a>
        </li>
      ))}
    </ul>
  );
}
