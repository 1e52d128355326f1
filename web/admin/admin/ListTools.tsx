import { useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { type ComponentProps, type ReactNode, useState } from 'react';
import type { ExportPart } from '#contract/admin/admin/admin';
import { adminApi, EXPORT_ROWS } from '#contract/admin/admin/constants';
import { marketFileName } from '#contract/platform/text/constants/formats';
import { type Message, t } from '#contract/platform/text/constants/texts';
import { DEFAULT_TIME_ZONE, dayIn } from '#contract/platform/time/constants';
import { call } from '../../platform/api/api.ts';
import { downloadFile } from '../../platform/api/download.ts';
import { marketQuery } from '../../platform/format/market.ts';
import { useSearchParam, useSearchParamChoice } from '../../platform/hooks/use-search-param.ts';
import { itemsOf, type ListAnswer } from '../../platform/queries/pages.ts';
import { useCommand } from '../../platform/queries/use-command.ts';
import { EmptyState, SkeletonRows } from '../../platform/ui/feedback/states.tsx';
import { toast } from '../../platform/ui/feedback/toast.ts';
import { Field, Input } from '../../platform/ui/fields/Field.tsx';
import { ChoiceField, optionsOf } from '../../platform/ui/form/fields.tsx';
import { PagedList, type PagedQuery } from '../../platform/ui/lists/LoadMore.tsx';
import { Button } from '../../platform/ui/primitives/Button.tsx';

/**
 * State of a filter that is kept in the URL: what it asks of the API, and the properties of a bar or field to choose
 * by. `none` filters nothing.
 */
export function useFilter<Choice extends string, None extends Choice>(
  name: string,
  none: None,
  labels: Record<Choice, Message | string>,
) {
  const options = optionsOf(labels);
  const choices = options.map((option) => option.value);
  const [value, onChange] = useSearchParamChoice<Choice>(name, choices, none);
  const filter = value === none ? undefined : (value as Exclude<Choice, None>);
  return { filter, bar: { options, value, onChange } };
}

/** The days that the server accepts. A year that is being typed is not among them. */
const isDay = (text: string): boolean => /^(19|2\d)\d\d-\d\d-\d\d$/.test(text);

/**
 * State of the order and the days of a list, kept in the URL. A range whose last day comes before the first is shown as
 * an error and filters by the first day alone.
 */
export function useListTools<Sort extends string>(
  sorts: Record<Sort | 'newest', Message | string>,
) {
  const sort = useFilter('sort', 'newest', sorts);
  const [fromText, setFrom] = useSearchParam('from');
  const [toText, setTo] = useSearchParam('to');
  const from = isDay(fromText) ? fromText : '';
  const to = isDay(toText) ? toText : '';
  const isReversed = from !== '' && to !== '' && to < from;
  return {
    sort: sort.bar,
    from: { value: from, onChange: setFrom },
    to: {
      value: to,
      onChange: setTo,
      error: isReversed ? t("The last day can't be before the first.") : undefined,
    },
    filter: {
      sort: sort.filter,
      from: from || undefined,
      to: isReversed ? undefined : to || undefined,
    },
  };
}

/** The sort, the days and the export of an admin list, in one row. */
export function ListTools<Sort extends string>({
  name,
  filters,
  tools: { sort, from, to },
}: {
  /** The list to export. */
  name: keyof typeof exportParts;
  /** What is shown, and so exported. */
  filters: object;
  tools: ReturnType<typeof useListTools<Sort>>;
}) {
  const exported = useExport(name);
  return (
    <div className="mb-4 grid grid-cols-2 items-start gap-3 sm:flex sm:flex-wrap">
      <ChoiceField label={t('Sort')} className="sm:w-48" {...sort} />
      <DayField label={t('From')} {...from} />
      <DayField label={t('To')} {...to} />
      <Button
        variant="secondary"
        icon={<Download />}
        pending={exported.isPending}
        pendingLabel={t('Exporting...')}
        onClick={() => exported.mutate(filters)}
        className="self-end max-sm:col-start-2 max-sm:row-start-1 sm:ms-auto"
      >
        {t('Export CSV')}
      </Button>
    </div>
  );
}

/** A day of the range. What is being typed is kept here until it is a day. */
function DayField({
  label,
  value,
  onChange,
  error,
}: {
  label: string;
  value: string;
  onChange: (day: string) => void;
  error?: string | undefined;
}) {
  const { timeZone = DEFAULT_TIME_ZONE } = useQuery(marketQuery()).data ?? {};
  const [text, setText] = useState(value);
  const [seen, setSeen] = useState(value);
  if (seen !== value) {
    setSeen(value);
    setText(value);
  }
  return (
    <Field label={label} error={error} className="sm:w-40">
      <Input
        type="date"
        value={text}
        title={t("Days are the market's ({timeZone}), like those of the dashboard.", { timeZone })}
        onChange={(event) => {
          const day = event.target.value;
          setText(day);
          if (day === '' || isDay(day)) onChange(day);
        }}
      />
    </Field>
  );
}

/** A query of items, page by page. */
export type ItemsQuery<Item> = PagedQuery & { data: { pages: ListAnswer<Item>[] } | undefined };

/** A list of a page for admins, which shows further pages as one scrolls. */
export const AdminList = <Item extends { _id: string }>({
  query,
  items = itemsOf(query.data),
  rows,
  children,
  ...empty
}: {
  query: ItemsQuery<Item>;
  /** What is shown of the loaded items; all by default. */
  items?: readonly Item[];
  /** The number of rows of its skeleton. */
  rows: number;
  children: (items: readonly Item[]) => ReactNode;
} & Pick<ComponentProps<typeof EmptyState>, 'drawing' | 'title' | 'text'>) => (
  <PagedList
    query={query}
    items={items}
    skeleton={<SkeletonRows rows={rows} />}
    empty={<EmptyState {...empty} />}
  >
    {children}
  </PagedList>
);

/** Marks the file as UTF-8 for spreadsheets that would guess otherwise. */
const BYTE_ORDER_MARK = '\uFEFF';

type Page = { limit: number; cursor: string | null };

/** Fetches all parts of an export up to `maxRows`. */
export async function fetchExport(
  fetchPart: (page: Page) => Promise<ExportPart>,
  maxRows: number = EXPORT_ROWS.max,
): Promise<{ csv: string; rows: number; isCut: boolean }> {
  const parts: string[] = [];
  let rows = 0;
  let cursor: string | null = null;
  do {
    const limit = Math.min(EXPORT_ROWS.part, maxRows - rows);
    const part: ExportPart = await fetchPart({ limit, cursor });
    parts.push(part.csv);
    rows += part.rows;
    cursor = part.nextCursor;
  } while (cursor !== null && rows < maxRows);
  return { csv: parts.join(''), rows, isCut: cursor !== null };
}

/** The exports that there are, by the filters of their lists and the page. */
const exportParts = {
  orders: (query: Page) => call(adminApi.exportOrders, { query }),
  users: (query: Page) => call(adminApi.exportUsers, { query }),
  audit: (query: Page) => call(adminApi.exportAudit, { query }),
};

/** Downloads a list as a CSV file, named by the market's day: `farmgate-orders-2026-11-22.csv`. */
function useExport(name: keyof typeof exportParts) {
  const market = useQuery(marketQuery());
  return useCommand(
    (filters: object) =>
      fetchExport(async (page) => (await exportParts[name]({ ...filters, ...page })).data),
    {
      onSuccess: (_, { csv, rows, isCut }) => {
        downloadFile(
          marketFileName(`${name}-${dayIn(market.data?.timeZone)}.csv`),
          new Blob([BYTE_ORDER_MARK, csv], { type: 'text/csv;charset=utf-8' }),
        );
        if (isCut) {
          toast.warning(
            t(
              'The file has the first {count, plural, one {# row} other {# rows}}. Choose fewer days to get the rest.',
              { count: rows },
            ),
          );
        } else {
          toast.success(
            t('Exported {count, plural, one {# row} other {# rows}}.', { count: rows }),
          );
        }
      },
    },
  );
}
