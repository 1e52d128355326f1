import type { UnreturnedGoods } from '#contract/ordering/changes/order-lines';
import type { TimelineEntry } from '#contract/ordering/orders/order-timeline';
import { unreturnedInWords } from '#contract/platform/quantities/constants/pieces';
import { formatQuantity } from '#contract/platform/quantities/constants/quantities';
import { capitalized, plural } from '../../../platform/format/format.ts';
import { Money } from '../../../platform/ui/primitives/Money.tsx';
import { differencesInWords } from '../../model/line-words.ts';

type EntryOf<Kind extends TimelineEntry['kind']> = Extract<TimelineEntry, { kind: Kind }>;

/** What a timeline's entry is called; `by` and who it was follow it. */
export const TITLES = {
  lines: {
    buyer: 'Order changed',
    shortage: 'Changed as the customer wished',
    wish: 'Wish changed',
  },
  proposal: {
    open: 'Change proposed',
    accepted: 'Change accepted',
    answered: 'Change answered',
    declined: 'Change declined',
    expired: 'Change expired',
    withdrawn: 'Change taken back',
    superseded: 'Change replaced',
  },
  packing: { none: 'Unpacked', packing: 'Packing begun', packed: 'Packed' },
} as const;

/** Goods that did not go back to the stock, because their product is counted in another unit by now. */
export const Unreturned = ({ goods = [] }: { goods: readonly UnreturnedGoods[] | undefined }) =>
  goods.length > 0 && (
    <p className="wrap-anywhere">Not put back in stock: {unreturnedInWords(goods)}.</p>
  );

/** Lines that changed, each in words, and what that makes of the total; the price of weighed goods changes it alone. */
function Differences({
  differences,
  unreturned,
  totalBefore,
  totalAfter,
  isBeforeEstimate,
  isAfterEstimate,
}: EntryOf<'lines' | 'proposal'>['detail']) {
  return (
    <>
      {differences.length > 0 && (
        <ul className="grid">
          {differencesInWords(differences).map((words) => (
            <li key={words} className="wrap-anywhere">
              {capitalized(words)}
            </li>
          ))}
        </ul>
      )}
      <Unreturned goods={unreturned} />
      {totalBefore !== totalAfter && (
        <p className="text-ink-soft">
          <Money amount={totalAfter} isEstimate={isAfterEstimate === true} /> instead of{' '}
          <Money amount={totalBefore} isEstimate={isBeforeEstimate === true} />
        </p>
      )}
    </>
  );
}

/** The lines that somebody changed without asking. */
export const LinesDetails = ({ entry }: { entry: EntryOf<'lines'> }) => (
  <Differences {...entry.detail} />
);

/** The lines of a proposal: as they would be, or as they became. Nothing where nothing came of it. */
export const ProposalDetails = ({ entry }: { entry: EntryOf<'proposal'> }) => (
  <Differences {...entry.detail} />
);

/** What was weighed, and whether the total is final. */
export function WeightsDetails({ entry: { detail } }: { entry: EntryOf<'weights'> }) {
  return (
    <>
      <ul className="grid">
        {detail.lines.map(({ lineId, product, from, to }) => (
          <li key={lineId} className="wrap-anywhere">
            {product.name}: {to === null ? 'the estimate holds' : formatQuantity(to, product.unit)}
            {from !== null && to !== null && ` instead of ${formatQuantity(from, product.unit)}`}
          </li>
        ))}
      </ul>
      <p className="text-ink-soft">
        <Money amount={detail.totalAfter} isEstimate={!detail.isTotalFinal} />
        {detail.isTotalFinal ? ', the final total' : ', as far as it is weighed'}
      </p>
    </>
  );
}

/** How many crates it was packed into. */
export const PackingDetails = ({ entry: { detail } }: { entry: EntryOf<'packing'> }) =>
  detail.crates === undefined ? null : <p>{plural(detail.crates, 'crate')}</p>;
