import { ChangeSlotDialog, type ChangeSlotProps, isNotAmong, useFirstDay } from './ChangeSlot.tsx';
import { farmSlotsQuery, useSlotsAhead } from './queries.ts';
import { asTarget } from './rules.ts';

/**
 * The dialog in which a farm moves an order to another of its slots, for pages that load it when it is needed: slots are
 * asked for at once.
 */
export default function MoveOrderDialog({
  onClose,
  ...props
}: ChangeSlotProps & {
  /** Called also where nothing was moved. */
  onClose: () => void;
}) {
  const query = useSlotsAhead({
    queryOf: farmSlotsQuery,
    today: useFirstDay(),
    needsLater: isNotAmong(props.slotId),
  });
  return (
    <ChangeSlotDialog
      {...props}
      slots={query.slots?.map(asTarget)}
      query={query}
      onClose={onClose}
    />
  );
}
