/** The data of a chart as a table for screen readers. */
export function ChartTable({
  caption,
  head,
  rows,
}: {
  caption: string;
  /** The column headers; the first one is that of the row names. */
  head: readonly string[];
  rows: readonly (readonly string[])[];
}) {
  return (
    // A table ignores the height of `sr-only`: by itself it would lengthen the page by its rows.
    <div className="sr-only">
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {head.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name = '', ...values]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {values.map((value, column) => (
                <td key={head[column + 1]}>{value}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
