import { useState } from "preact/hooks";
import { faultsByField } from "../../../api/failure.js";
import { randomKey } from "../../../api/random-key.js";
import { settings } from "../../../api/settings.js";
import { useAction } from "../../../ui/use-action.js";
import { bodyOf, sampleOf, withFieldsOf, type ContentType, type FormField, type Values } from "./content-forms.js";

/** A form whose content is sent. */
export interface Content<T> {
  readonly type: ContentType;
  readonly fields: readonly FormField[];
  readonly values: Values;
  /** The content as the API takes it. */
  readonly body: object;
  readonly action: ReturnType<typeof useAction<T>>;
  /** Errors of the API by field. */
  readonly faults: ReadonlyMap<string, string>;
  /** Errors of the API that belong to no field. */
  readonly rest: string;
  readonly chooseType: (chosen: ContentType) => void;
  readonly input: (name: string, value: string) => void;
  /** Fills in sample files, which only the sandbox has. */
  readonly fillSample: (() => void) | undefined;
  /** Must be called when another input than the content changes. */
  readonly change: () => void;
}

/** What was written, what the API says of it, and a key under which it goes out once however often it is tried. */
export function useContent<T>(
  forms: (type: ContentType) => readonly FormField[],
  post: (content: object, key: string, signal: AbortSignal) => Promise<T>,
): Content<T> {
  const [type, setType] = useState<ContentType>("text");
  const [values, setValues] = useState<Values>({});
  const [key, setKey] = useState(randomKey);
  const fields = forms(type);
  const body = { type, ...bodyOf(fields, values) };
  const action = useAction(async (signal) => {
    const done = await post(body, key, signal);
    setKey(randomKey());
    return done;
  });
  // The object of a type is named without its fields, where all of it is missing.
  const names = [...fields.map(({ name }) => name), type];
  const faults = action.failure === undefined ? new Map<string, string>() : faultsByField(action.failure.message, names);
  const change = (): void => {
    action.clear();
    // Another content is another request.
    setKey(randomKey());
  };
  const { sandbox } = settings();
  return {
    type,
    fields,
    values,
    body,
    action,
    faults,
    rest: [faults.get(""), type === "text" ? undefined : faults.get(type)].filter((text) => text !== undefined).join("\n"),
    chooseType: (chosen: ContentType): void => {
      setType(chosen);
      setValues((before) => withFieldsOf(forms(chosen), before));
      change();
    },
    input: (name: string, value: string): void => {
      setValues((before) => ({ ...before, [name]: value }));
      change();
    },
    fillSample:
      sandbox === null
        ? undefined
        : (): void => {
            setValues((before) => ({ ...before, ...sampleOf(type, sandbox.files) }));
            change();
          },
    change,
  };
}
