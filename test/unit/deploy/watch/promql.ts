/** A selector of a PromQL expression, with the labels that it or its aggregation names. */
export interface Selector {
  readonly metric: string;
  /** The labels between the braces. */
  readonly labels: readonly string[];
}

/** Returns the selectors and groupings of an expression. It only understands our own rules and dashboards, not all of PromQL. */
export function readsOf(expression: string): { selectors: Selector[]; groupings: string[] } {
  const groupings: string[] = [];
  const bare = expression
    .replace(/\b(by|without|on|ignoring|group_left|group_right)\s*\(([^)]*)\)/g, (_, _word, labels: string) => {
      groupings.push(...words(labels));
      return " ";
    })
    .replace(/\[[^\]]*\]/g, " ")
    .replace(/\boffset\s+\w+/g, " ");
  const selectors = [...bare.matchAll(/([a-zA-Z_:][\w:]*)\s*(\{[^}]*\}|\()?/g)].flatMap(([, name = "", follows = ""]): Selector[] => {
    if (follows === "(" || operators.has(name)) return [];
    return [{ metric: name, labels: [...follows.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label = ""]) => label) }];
  });
  return { selectors: selectors.filter(({ metric }) => !/^\d/.test(metric)), groupings };
}

const operators = new Set(["and", "or", "unless", "bool", "Inf", "NaN"]);

function words(list: string): string[] {
  return list
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");
}
