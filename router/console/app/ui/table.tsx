import type { ComponentChildren } from "preact";

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** `name` heads its row; the title of `buttons` is for screen readers only. */
  readonly kind?: "name" | "number" | "buttons";
}

export interface TableProps<Row> {
  /** The region's name. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row, index: number) => string | number;
}

/** A table of a few rows. On a phone each row is a card; where columns have no room, the table scrolls and its buttons stay in sight. */
export function Table<Row>({ label, columns, rows, keyOf }: TableProps<Row>) {
  return (
    <section class="table-box" aria-label={label}>
      <div class="table-scroll">
        <table>
          <thead>
            <tr>
              {columns.map(({ title, kind = "" }) => (
                <th key={title} scope="col" class={kind}>
                  {kind === "buttons" ? <span class="unseen">{title}</span> : title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              <tr key={keyOf(row, index)}>
                {columns.map(({ title, cell, kind = "" }) =>
                  kind === "name" ? (
                    <th key={title} scope="row">
                      {cell(row)}
                    </th>
                  ) : (
                    <td key={title} class={kind} data-title={title}>
                      <div>{cell(row)}</div>
                    </td>
                  ),
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
