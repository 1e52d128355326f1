import { useLayoutEffect, useRef, useState } from 'react';

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

/** Returns a ref and the current width of its element in pixels; 0 before it is known. */
export function useWidth<Shape extends HTMLElement>() {
  const ref = useRef<Shape>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    setWidth(element.clientWidth);
    if (typeof ResizeObserver === 'undefined') return;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, width] as const;
}
