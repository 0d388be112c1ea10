import type { ComponentChildren } from "preact";
import { useMemo, useState } from "preact/hooks";
import { countText } from "../../../ui/count-text.js";
import { Field } from "../../../ui/field.js";
import { LongList } from "../../../ui/long-list.js";
import { numberText } from "../../../ui/number-text.js";
import { foundIn } from "./found-in.js";

export interface FoundListProps<Row> {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** What of a row is searched. */
  readonly textsOf: (row: Row) => readonly string[];
  /** One of them, and several. */
  readonly nouns: readonly [one: string, many: string];
  readonly children: (row: Row) => ComponentChildren;
}

const rowHeight = 60;

/** A list that is all here, with a search over it. */
export function FoundList<Row>({ label, rows, keyOf, textsOf, nouns, children }: FoundListProps<Row>) {
  const [q, setQ] = useState("");
  const found = useMemo(() => rows.filter((row) => foundIn(q, textsOf(row))), [rows, q]);
  return (
    <>
      <div class="toolbar">
        <div class="wide">
          <Field label={`Search ${nouns[1]}`} type="search" value={q} onInput={setQ} />
        </div>
      </div>
      <LongList
        label={label}
        rows={found}
        keyOf={keyOf}
        rowHeight={rowHeight}
        foot={
          <p class="list-foot">
            {q.trim() === "" ? countText(rows.length, nouns) : `${numberText(found.length)} of ${countText(rows.length, nouns)}`}
          </p>
        }
      >
        {children}
      </LongList>
    </>
  );
}
