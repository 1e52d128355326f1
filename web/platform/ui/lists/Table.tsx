// biome-ignore-all lint/a11y/noRedundantRoles: browsers drop the roles of a table drawn as blocks.
import { type ReactNode, useState } from 'react';
import { useHighlight } from '../../queries/use-changes.ts';
import { cn } from '../cn.ts';

/** A column with its header and the content of its cells. */
export type Column<Row> = {
  key: string;
  header: ReactNode;
  cell: (row: Row) => ReactNode;
  /** Numbers are aligned to the end. */
  align?: 'start' | 'end';
  /** The name of the row: larger and first when rows become cards. */
  primary?: boolean;
  /** Contains buttons: has no label when rows become cards. */
  actions?: boolean;
  className?: string;
};

export type TableProps<Row> = {
  /** The accessible name. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** A value that changes with the row, such as its version; the row is highlighted then. */
  rowVersion?: (row: Row) => unknown;
  /** Returns the content below an expanded row, or null. */
  expanded?: (row: Row) => ReactNode;
  rowClassName?: (row: Row) => string | undefined;
  /** Needs 60 rem for its columns. */
  isWide?: boolean;
  className?: string;
};

/**
 * A table from a width of 36 rem, below that a card per row, or a part of the card it is in; a wide one from
 * 60 rem, and between them two cards side by side. New rows slide in. The roles are explicit
 * because browsers drop them from rows that are displayed as blocks.
 */
export function Table<Row>(table: TableProps<Row>) {
  const { caption, columns, rows, rowKey, isWide = false, className } = table;
  // Rows of the first render do not slide in; later ones do.
  const [known] = useState(() => new Set(rows.map(rowKey)));
  return (
    <div data-wide-table={isWide ? '' : undefined} className={cn('@container', className)}>
      <table role="table" className="block w-full text-start text-sm rows:table">
        <caption className="sr-only">{caption}</caption>
        <thead role="rowgroup" className="sr-only rows:not-sr-only rows:table-header-group">
          <tr role="row" className="rows:table-row">
            {columns.map((column) => (
              <th
                key={column.key}
                role="columnheader"
                scope="col"
                className={cn(
                  'border-b border-hairline px-2 py-2 text-xs font-medium text-ink-soft @3xl:px-3',
                  // Names may break anywhere: no column shrinks to single letters while others are wide.
                  column.align === 'end' ? 'min-w-14 text-end' : 'min-w-22 text-start',
                )}
              >
                {column.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody
          role="rowgroup"
          className={cn(
            'grid gap-3 @max-xl:in-data-card:gap-0 rows:table-row-group',
            isWide && '@xl:grid-cols-2',
          )}
        >
          {rows.map((row) => (
            <TableRow key={rowKey(row)} {...table} row={row} isNew={!known.has(rowKey(row))} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function TableRow<Row>({
  columns,
  row,
  isNew,
  rowKey,
  rowVersion,
  rowClassName,
  expanded,
}: TableProps<Row> & { row: Row; isNew: boolean }) {
  const isHighlighted = useHighlight(rowVersion?.(row), rowKey(row));
  const details = expanded?.(row);
  return (
    <>
      <tr
        role="row"
        className={cn(
          'block rounded border border-hairline bg-surface p-3 rows:table-row rows:border-0 rows:bg-transparent',
          // In a card they are parts of it, not cards in a card.
          '@max-xl:in-data-card:rounded-none @max-xl:in-data-card:border-0 @max-xl:in-data-card:border-t @max-xl:in-data-card:px-0 @max-xl:in-data-card:first:border-t-0 @max-xl:in-data-card:first:pt-0',
          'rows:[&>td]:border-b rows:[&>td]:border-hairline rows:last:[&>td]:border-b-0 rows:hover:bg-sunken/60',
          isNew && 'animate-slide-in',
          isHighlighted && 'animate-highlight',
          rowClassName?.(row),
        )}
      >
        {columns.map((column) => (
          <td
            key={column.key}
            role="cell"
            className={cn(
              'flex items-baseline justify-between gap-4 py-1 text-end rows:table-cell rows:px-2 rows:py-2.5 rows:text-start rows:align-middle @3xl:rows:px-3',
              column.align === 'end' && 'tabular rows:text-end',
              column.primary &&
                'block pb-2 text-start text-base font-medium rows:text-sm rows:font-medium',
              column.actions && 'justify-end gap-2 pt-2 rows:text-end',
              column.className,
            )}
          >
            {!column.primary && !column.actions && (
              <span aria-hidden="true" className="shrink-0 text-start text-ink-soft rows:hidden">
                {column.header}
              </span>
            )}
            {column.primary || column.actions ? (
              column.cell(row)
            ) : (
              <span className="min-w-0">{column.cell(row)}</span>
            )}
          </td>
        ))}
      </tr>
      {details && (
        <tr role="row" className="block rows:table-row">
          <td
            role="cell"
            colSpan={columns.length}
            className="block rounded bg-sunken px-4 py-4 animate-fade-in rows:table-cell rows:rounded-none"
          >
            {details}
          </td>
        </tr>
      )}
    </>
  );
}
