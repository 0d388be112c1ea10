import { to } from "../../route/match-route.js";
import { may } from "../../sign-in/who.js";
import { lastingText } from "../../ui/lasting-text.js";
import { numberText } from "../../ui/number-text.js";
import { lastMinute } from "./samples.js";
import { Sparkline } from "./sparkline.js";
import type { Traffic } from "./use-traffic.js";

export interface FiguresProps {
  readonly traffic: Traffic;
  /** Age of the oldest pending event; `undefined` until it is known. */
  readonly delayMs: number | undefined;
  /** Earlier delays in seconds. */
  readonly delays: readonly number[];
  readonly trafficStale: boolean;
  readonly delayStale: boolean;
}

/** Messages, errors and the webhook delay, each with its last five minutes. */
export function Figures({ traffic, delayMs, delays, trafficStale, delayStale }: FiguresProps) {
  return (
    <ul class="figures" aria-label="Last five minutes">
      {may("administer") && (
        <>
          <Figure name="Messages per minute" text={rateText(traffic.messages)} samples={traffic.messages} stale={trafficStale} />
          <Figure
            name="Errors per minute"
            text={rateText(traffic.errors)}
            samples={traffic.errors}
            stale={trafficStale}
            isBad={(lastMinute(traffic.errors) ?? 0) > 0}
          />
        </>
      )}
      <Figure
        name="Webhook delay"
        text={delayMs === undefined ? "–" : lastingText(delayMs)}
        samples={delays}
        stale={delayStale}
        address={to("/webhooks")}
      />
    </ul>
  );
}

interface FigureProps {
  readonly name: string;
  readonly text: string;
  readonly samples: readonly number[];
  readonly stale: boolean;
  readonly isBad?: boolean;
  readonly address?: string;
}

function Figure({ name, text, samples, stale, isBad = false, address }: FigureProps) {
  return (
    <li class={`${stale ? "stale" : ""} ${isBad ? "bad" : ""}`}>
      {address === undefined ? <span>{name}</span> : <a href={address}>{name}</a>}
      <strong>{text}</strong>
      <Sparkline samples={samples} />
    </li>
  );
}

/** The average of the last minute. What happened at all is not shown as 0. */
function rateText(samples: readonly number[]): string {
  const rate = lastMinute(samples);
  if (rate === undefined) return "–";
  return rate > 0 && rate < 0.5 ? "< 1" : numberText(Math.round(rate));
}
