import { formatNearDay, midSentence } from '#contract/platform/time/constants';
import { localToday } from '../../platform/format/format.ts';
import { LinkButton } from '../../platform/ui/primitives/Button.tsx';
import { usePickDays } from './DayBar.tsx';
import { pathOfList } from './links.ts';

/** A link to the list of the next day on which something is picked; to today's where there is none. */
export function NextPickList() {
  // By the reader's clock: which days a farm far away has is shown by the list itself.
  const today = localToday();
  const next = usePickDays(today).find(({ orders }) => orders > 0);
  return (
    <LinkButton
      href={next ? pathOfList({ date: next.date, place: null }) : '/farmer/picklist'}
      variant="secondary"
    >
      Pick list{next && ` of ${midSentence(formatNearDay(next.date, today))}`}
    </LinkButton>
  );
}
