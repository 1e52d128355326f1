import type { ShortageResult } from '#contract/ordering/changes/order-changes';
import { plural } from '../../../platform/format/format.ts';
import { Alert } from '../../../platform/ui/feedback/Alert.tsx';
import type { ShortProduct } from '../rules.ts';
import { ShareRows } from './ShareRows.tsx';

/** What became of each order of a shortage. */
export function ShortageOutcome({
  result,
  product,
}: {
  result: ShortageResult;
  product: ShortProduct;
}) {
  const skipped = countOf(result, 'skipped');
  return (
    <div className="grid gap-4">
      <Alert kind={skipped === 0 ? 'success' : 'warning'}>{outcomeInWords(result)}</Alert>
      <ShareRows outcomes={result.outcomes} product={product} isDone />
    </div>
  );
}

type Outcome = ShortageResult['outcomes'][number]['outcome'];

const countOf = ({ outcomes }: ShortageResult, outcome: Outcome): number =>
  outcomes.filter((each) => each.outcome === outcome).length;

/** Says what became of all orders together: '2 orders asked, 1 order unchanged.' */
export function outcomeInWords(result: ShortageResult): string {
  const parts: [Outcome, string][] = [
    ['proposed', 'asked'],
    ['applied', 'changed as wished'],
    ['unchanged', 'unchanged'],
    ['skipped', 'left out, see below'],
  ];
  const words = parts.flatMap(([outcome, what]) => {
    const count = countOf(result, outcome);
    return count === 0 ? [] : [`${plural(count, 'order')} ${what}`];
  });
  return `${words.join(', ')}.`;
}
