import { SlidersHorizontal } from 'lucide-react';
import { useId, useState } from 'react';
import { slotOf } from '#contract/farm/slots/constants';
import type { Order } from '#contract/ordering/orders/orders';
import { addDays, formatNearDay } from '#contract/platform/time/constants';
import { useToday } from '../../../platform/hooks/use-now.ts';
import { cn } from '../../../platform/ui/cn.ts';
import { AnyDay } from '../../../platform/ui/fields/AnyDay.tsx';
import { Checkbox } from '../../../platform/ui/fields/Checkbox.tsx';
import { SearchInput } from '../../../platform/ui/fields/SearchInput.tsx';
import { Select } from '../../../platform/ui/fields/Select.tsx';
import { Button } from '../../../platform/ui/primitives/Button.tsx';

const DAYS_OFFERED = 7;

/** The days that are listed, beside any other: the coming week, and every other day that a waiting order is for. */
export function daysOffered(waiting: readonly Order[], chosen: string, today: string): string[] {
  const week = Array.from({ length: DAYS_OFFERED }, (_, index) => addDays(today, index));
  const others = waiting.map((order) => slotOf(order).date);
  return [...new Set([...week, ...others, ...(chosen === '' ? [] : [chosen])])].sort();
}

/** Search, day and order of the farmer's orders. */
export function OrderTools({
  text,
  onText,
  date,
  onDate,
  isBySlot,
  onBySlot,
  waiting,
}: {
  text: string;
  onText: (text: string) => void;
  date: string;
  onDate: (date: string) => void;
  isBySlot: boolean;
  onBySlot: (isBySlot: boolean) => void;
  /** All waiting orders, whatever is searched for. */
  waiting: readonly Order[];
}) {
  const today = useToday();
  const optionsId = useId();
  // On a phone the choices open below the search, at once if one was made.
  const [isOpen, setOpen] = useState(date !== '' || isBySlot);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-2 sm:grid-cols-[minmax(0,1fr)_auto_auto]">
      <SearchInput
        label="Search customer, product or order"
        placeholder="Customer, product, order"
        value={text}
        onChange={onText}
      />
      <Button
        size="icon"
        variant="secondary"
        icon={<SlidersHorizontal />}
        aria-label="Day and order"
        aria-expanded={isOpen}
        aria-controls={optionsId}
        onClick={() => setOpen(!isOpen)}
        className="sm:hidden"
      />
      <div
        id={optionsId}
        className={cn('col-span-2 gap-2 sm:contents', isOpen ? 'grid' : 'hidden')}
      >
        <div className="flex min-w-0 gap-2">
          <div className="min-w-0 grow">
            <Select aria-label="Day" value={date} onChange={(event) => onDate(event.target.value)}>
              <option value="">Any day</option>
              {daysOffered(waiting, date, today).map((day) => (
                <option key={day} value={day}>
                  {formatNearDay(day, today)}
                </option>
              ))}
            </Select>
          </div>
          <AnyDay value={date} onChange={onDate} />
        </div>
        <Select
          aria-label="Sort"
          value={isBySlot ? 'slot' : ''}
          onChange={(event) => onBySlot(event.target.value === 'slot')}
        >
          <option value="">By time placed</option>
          <option value="slot">By pickup time</option>
        </Select>
      </div>
    </div>
  );
}

/** Ticks all shown orders that can be accepted. */
export function TickAll({
  tickable,
  ticked,
  onTickAll,
}: {
  /** How many shown orders can be ticked, and how many are. */
  tickable: number;
  ticked: number;
  onTickAll: (isTicked: boolean) => void;
}) {
  if (tickable === 0) return null;
  return (
    <Checkbox
      label={`Select all ${tickable}`}
      checked={ticked === tickable}
      ref={(box) => {
        if (box) box.indeterminate = ticked > 0 && ticked < tickable;
      }}
      onChange={(event) => onTickAll(event.target.checked)}
      className="whitespace-nowrap"
    />
  );
}
