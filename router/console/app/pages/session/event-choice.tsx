import {
  defaultEventTypes,
  telegramEventTypes,
  whatsappEventTypes,
  type EventType,
} from "../../../../../shared/contract/webhook-events.js";
import type { Platform } from "../../api/rows.js";

export interface EventChoiceProps {
  readonly platform: Platform;
  readonly chosen: readonly EventType[];
  readonly onChange: (chosen: EventType[]) => void;
  /** The API's error about the list. */
  readonly fault: string | undefined;
}

/** Checkboxes for the types of events that a receiver gets. */
export function EventChoice({ platform, chosen, onChange, fault }: EventChoiceProps) {
  return (
    <fieldset class="choice">
      <legend>Events</legend>
      <div class="choice-options">
        {typesOf[platform].map((type) => {
          const isChosen = chosen.includes(type);
          const change = (): void => onChange(typesOf[platform].filter((one) => (one === type ? !isChosen : chosen.includes(one))));
          return (
            <label key={type} class={isChosen ? "chosen" : ""}>
              <input type="checkbox" checked={isChosen} onChange={change} />
              {type}
            </label>
          );
        })}
      </div>
      {fault !== undefined && <p class="fault">{fault}</p>}
    </fieldset>
  );
}

const typesOf: Readonly<Record<Platform, readonly EventType[]>> = { telegram: telegramEventTypes, whatsapp: whatsappEventTypes };

/** Returns the field `events` of the request. Absent if the default types are chosen. */
export function eventsField(chosen: readonly EventType[]): { events?: readonly EventType[] } {
  const isDefault = chosen.length === defaultEventTypes.length && defaultEventTypes.every((type) => chosen.includes(type));
  return isDefault ? {} : { events: chosen };
}
