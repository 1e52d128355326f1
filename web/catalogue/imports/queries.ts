import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { importsApi } from '#contract/catalogue/imports/constants';
import type { ProductImport } from '#contract/catalogue/imports/imports';
import { dataOf } from '../../platform/api/api.ts';
import { protectFromStaleFetch, refetch } from '../../platform/realtime/in-flight.ts';
import type { FeatureReducers } from '../../platform/realtime/reducer.ts';

const keyOf = (id: string) => ['imports', id] as const;

/** What a file of products would change, or has changed. */
export const importQuery = (id: string) =>
  queryOptions({
    queryKey: keyOf(id),
    queryFn: dataOf(importsApi.read, { params: { id } }),
  });

/** Keeps the answer of a command, unless what is cached is newer. */
export function keepImport(cache: QueryClient, fresh: ProductImport): void {
  cache.setQueryData<ProductImport>(keyOf(fresh._id), (known) =>
    known && known.version >= fresh.version ? known : fresh,
  );
}

/** Keeps a file current that is being written: each event brings the rows of a part. */
export const importReducers = {
  'import.progressed': (cache, { data: { rows, ...progress } }) => {
    const key = keyOf(progress._id);
    const known = cache.getQueryData<ProductImport>(key);
    if (known && known.version >= progress.version) return;
    if (known && known.version < progress.version - 1) return refetch(cache, key);
    if (known) {
      const changes = new Map(rows.map((row) => [row.line, row]));
      cache.setQueryData<ProductImport>(key, {
        ...known,
        ...progress,
        rows: known.rows.map((row) => ({ ...row, ...changes.get(row.line) })),
      });
    }
    protectFromStaleFetch(cache, key);
  },
} satisfies FeatureReducers;
