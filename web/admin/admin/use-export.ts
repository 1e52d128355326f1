import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ExportPart } from '#contract/admin/admin/admin';
import { adminApi, EXPORT_ROWS } from '#contract/admin/admin/constants';
import { marketFileName } from '#contract/platform/text/constants/formats';
import { dayIn } from '#contract/platform/time/constants';
import { call } from '../../platform/api/api.ts';
import { downloadFile } from '../../platform/api/download.ts';
import { formatCount } from '../../platform/format/format.ts';
import { marketQuery } from '../../platform/format/market.ts';
import { toast, toastError } from '../../platform/ui/feedback/toast.ts';

/** Marks the file as UTF-8 for spreadsheets that would guess otherwise. */
const BYTE_ORDER_MARK = '\uFEFF';

/** Fetches one part of an export. */
export type FetchPart = (page: { limit: number; cursor: string | null }) => Promise<ExportPart>;

/** Fetches all parts of an export up to `maxRows`. */
export async function fetchExport(
  fetchPart: FetchPart,
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

/** The exports that there are, with the filters of their lists. */
export const exportParts = {
  orders:
    (filters: object): FetchPart =>
    async (page) =>
      (await call(adminApi.exportOrders, { query: { ...filters, ...page } })).data,
  users:
    (filters: object): FetchPart =>
    async (page) =>
      (await call(adminApi.exportUsers, { query: { ...filters, ...page } })).data,
  audit:
    (filters: object): FetchPart =>
    async (page) =>
      (await call(adminApi.exportAudit, { query: { ...filters, ...page } })).data,
};

/** Downloads a list as a CSV file, named by the market's day: `farmgate-orders-2026-11-22.csv`. */
export function useExport(name: keyof typeof exportParts) {
  const [isPending, setPending] = useState(false);
  const market = useQuery(marketQuery());
  const download = async (filters: object) => {
    setPending(true);
    try {
      const { csv, rows, isCut } = await fetchExport(exportParts[name](filters));
      downloadFile(
        marketFileName(`${name}-${dayIn(market.data?.timeZone)}.csv`),
        new Blob([BYTE_ORDER_MARK, csv], { type: 'text/csv;charset=utf-8' }),
      );
      if (isCut) {
        toast.warning(
          `The file has the first ${formatCount(rows)} rows. Choose fewer days to get the rest.`,
        );
      } else toast.success(`Exported ${formatCount(rows)} ${rows === 1 ? 'row' : 'rows'}.`);
    } catch (error) {
      toastError(error);
    } finally {
      setPending(false);
    }
  };
  return { download, isPending };
}
