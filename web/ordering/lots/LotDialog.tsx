import { useInfiniteQuery } from '@tanstack/react-query';
import { Copy, Download, Search } from 'lucide-react';
import { type SubmitEvent, useState } from 'react';
import { Link } from 'wouter';
import { LOT_MAX } from '#contract/ordering/lots/constants';
import type { LotLine } from '#contract/ordering/lots/lots';
import { readableEmail } from '#contract/platform/http/email';
import { formatLine } from '#contract/platform/quantities/constants/pieces';
import { marketFileName } from '#contract/platform/text/constants/formats';
import { t } from '#contract/platform/text/constants/texts';
import { formatWallDate } from '#contract/platform/time/constants';
import { downloadFile } from '../../platform/api/download.ts';
import { itemsOf } from '../../platform/queries/pages.ts';
import { useCommand } from '../../platform/queries/use-command.ts';
import { Dialog } from '../../platform/ui/dialogs/Dialog.tsx';
import { ErrorState, SkeletonRows } from '../../platform/ui/feedback/states.tsx';
import { toast } from '../../platform/ui/feedback/toast.ts';
import { Field, Input } from '../../platform/ui/fields/Field.tsx';
import { LoadMore } from '../../platform/ui/lists/LoadMore.tsx';
import { Button } from '../../platform/ui/primitives/Button.tsx';
import { fetchLotFile, lotQuery } from './queries.ts';

/** Marks the file as UTF-8 for spreadsheets that would guess otherwise. */
const BYTE_ORDER_MARK = '\uFEFF';

/** Finds who got goods of a lot, for a recall. */
export default function LotDialog({ onClose }: { onClose: () => void }) {
  const [typed, setTyped] = useState('');
  const [lot, setLot] = useState('');
  const search = (event: SubmitEvent) => {
    event.preventDefault();
    setLot(typed.trim());
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      size="lg"
      title={t('Who got a lot')}
      description={t('Finds the accepted and completed orders with goods of a lot.')}
    >
      <div className="grid gap-4">
        <form onSubmit={search} className="flex flex-wrap items-end gap-3">
          <Field
            label={t('Lot')}
            hint={t(
              'As it was entered when packing, or the day of the harvest, such as 2026-11-24.',
            )}
            className="grow basis-60"
          >
            <Input
              value={typed}
              maxLength={LOT_MAX}
              autoComplete="off"
              onChange={(event) => setTyped(event.target.value)}
            />
          </Field>
          <Button type="submit" icon={<Search />} disabled={typed.trim() === ''}>
            {t('Search')}
          </Button>
        </form>
        {lot && <Receivers key={lot} lot={lot} />}
      </div>
    </Dialog>
  );
}

/** Who got goods of a lot, to be copied or saved as a file. */
function Receivers({ lot }: { lot: string }) {
  const query = useInfiniteQuery(lotQuery(lot));
  const lines = itemsOf(query.data);
  const save = useCommand(() => fetchLotFile(lot), {
    onSuccess: (_, csv) =>
      downloadFile(
        marketFileName(`lot-${lot.replace(/[^\p{L}\p{N}]+/gu, '-')}.csv`),
        new Blob([BYTE_ORDER_MARK, csv], { type: 'text/csv;charset=utf-8' }),
      ),
  });
  if (!query.data) {
    return query.error ? (
      <ErrorState error={query.error} onRetry={query.refetch} pending={query.isFetching} />
    ) : (
      <SkeletonRows rows={3} />
    );
  }
  if (lines.length === 0) {
    return <p role="status">{t('No order has goods of lot {lot}.', { lot })}</p>;
  }
  return (
    <section aria-label={t('Who got lot {lot}', { lot })} className="grid gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <p role="status" className="grow font-medium">
          {query.hasNextPage
            ? t('The first {count, plural, one {# line} other {# lines}}', { count: lines.length })
            : t('{count, plural, one {# line} other {# lines}}', { count: lines.length })}
        </p>
        <Button size="sm" variant="secondary" icon={<Copy />} onClick={() => copyLines(lot)}>
          {t('Copy the list')}
        </Button>
        <Button
          size="sm"
          variant="secondary"
          icon={<Download />}
          pending={save.isPending}
          onClick={() => save.mutate()}
        >
          {t('Save as a file')}
        </Button>
      </div>
      <ul className="divide-y divide-hairline">
        {lines.map((line) => (
          <Receiver key={line._id} line={line} />
        ))}
      </ul>
      <LoadMore
        hasMore={query.hasNextPage}
        pending={query.isFetchingNextPage}
        failed={query.isFetchNextPageError}
        onMore={query.fetchNextPage}
      />
    </section>
  );
}

function Receiver({ line: { orderId, date, customer, ...goods } }: { line: LotLine }) {
  return (
    <li className="grid gap-x-4 gap-y-0.5 py-2.5 sm:grid-cols-[1fr_auto]">
      <span className="min-w-0">
        <bdi className="font-medium">{customer.name}</bdi>
        <span className="block text-sm text-ink-soft wrap-anywhere">
          {customer.email && <bdi>{readableEmail(customer.email)}</bdi>}
          {customer.email && customer.phone && ' · '}
          {customer.phone && <bdi dir="ltr">{customer.phone}</bdi>}
        </span>
      </span>
      <span className="text-sm sm:text-end">
        <span className="block">{formatLine(goods)}</span>
        <Link href={`/orders/${orderId}`} className="link">
          {t('Order of {day}', { day: formatWallDate(date, 'weekday') })}
        </Link>
      </span>
    </li>
  );
}

/** Copies the list as it is in the file. */
async function copyLines(lot: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(await fetchLotFile(lot));
    toast.success(t('List copied.'));
  } catch {
    toast.error(t("The list couldn't be copied. Save it as a file instead."));
  }
}
