import { Tag } from 'lucide-react';
import { useState } from 'react';
import { LOT_MAX } from '#contract/ordering/lots/constants';
import type { PickOrder } from '#contract/ordering/picklist/picklist';
import { formatLine } from '#contract/platform/quantities/constants/pieces';
import { t } from '#contract/platform/text/constants/texts';
import { Input } from '../../../platform/ui/fields/Field.tsx';
import { Button } from '../../../platform/ui/primitives/Button.tsx';
import type { PickLine } from '../work/fold.ts';

/** A line and its lot, empty where it has none any more. */
export interface Lot {
  line: string;
  lot: string;
}

/** Returns the lots of an order's lines, as far as anyone has said one. */
export const lotsOf = ({ lines }: Pick<PickOrder, 'lines'>): Lot[] =>
  lines.flatMap(({ lineId, lot }) => (lot === undefined ? [] : [{ line: lineId, lot }]));

/** The lot of a line, which is typed here while its order is packed. */
export function LotField({
  line,
  mayChange,
  onLot,
}: {
  line: PickLine;
  mayChange: boolean;
  onLot: (lot: string) => void;
}) {
  const { lot = '' } = line;
  const [typed, setTyped] = useState<string>();
  const goods = formatLine(line);
  if (typed !== undefined) {
    const finish = () => {
      setTyped(undefined);
      if (typed.trim() !== lot) onLot(typed.trim());
    };
    return (
      <Input
        aria-label={t('Lot of {goods}', { goods })}
        value={typed}
        maxLength={LOT_MAX}
        autoComplete="off"
        autoFocus
        onChange={(event) => setTyped(event.target.value)}
        onBlur={finish}
        onKeyDown={(event) => {
          if (event.key === 'Enter') finish();
          if (event.key === 'Escape') setTyped(undefined);
        }}
        className="basis-36 sm:w-40"
      />
    );
  }
  const label = lot && t('Lot {lot}', { lot });
  if (!mayChange) return lot ? <span className="text-sm text-ink-soft">{label}</span> : null;
  return (
    <Button
      variant="quiet"
      size={lot ? 'md' : 'icon'}
      icon={<Tag />}
      aria-label={t('Lot of {goods}: {lot}', { goods, lot: lot || t('not said') })}
      onClick={() => setTyped(lot)}
    >
      {label}
    </Button>
  );
}
