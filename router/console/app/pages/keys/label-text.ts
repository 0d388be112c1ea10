/** The label that the gateway gives to a key of a one-time sign-in. */
const signInLabel = "signed in by a one-time code";

/** Returns the label of a key as the console shows it. Pure. */
export function labelText(label: string): string {
  if (label === "") return "Unlabelled";
  return label === signInLabel ? "Console sign-in" : label;
}
