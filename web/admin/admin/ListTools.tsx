import { useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { DEFAULT_TIME_ZONE } from '#contract/platform/time/constants';
import { marketQuery } from '../../platform/format/market.ts';
import { Field } from '../../platform/ui/fields/Field.tsx';
import { Input } from '../../platform/ui/fields/Input.tsx';
import { Select } from '../../platform/ui/fields/Select.tsx';
import { Button } from '../../platform/ui/primitives/Button.tsx';
import type { DayRange } from './use-day-range.ts';
import { type exportParts, useExport } from './use-export.ts';

/** The sort, the days and the export of an admin list, in one row. */
export function ListTools<Sort extends string>({
  name,
  filters,
  sort,
  sorts,
  onSort,
  days,
}: {
  /** The list to export. */
  name: keyof typeof exportParts;
  /** What is shown, and so exported. */
  filters: object;
  sort: Sort;
  sorts: Record<Sort, string>;
  onSort: (sort: Sort) => void;
  days: DayRange;
}) {
  const { download, isPending } = useExport(name);
  return (
    <div className="mb-4 grid grid-cols-2 items-start gap-3 sm:flex sm:flex-wrap">
      <Field label="Sort" className="sm:w-48">
        <Select value={sort} onChange={(event) => onSort(event.target.value as Sort)}>
          {(Object.keys(sorts) as Sort[]).map((value) => (
            <option key={value} value={value}>
              {sorts[value]}
            </option>
          ))}
        </Select>
      </Field>
      <DayField label="From" value={days.from} onChange={days.setFrom} isDay={days.isDay} />
      <DayField
        label="To"
        value={days.to}
        onChange={days.setTo}
        isDay={days.isDay}
        error={days.error}
      />
      <Button
        variant="secondary"
        icon={<Download />}
        pending={isPending}
        pendingLabel="Exporting..."
        onClick={() => download(filters)}
        className="self-end max-sm:col-start-2 max-sm:row-start-1 sm:ml-auto"
      >
        Export CSV
      </Button>
    </div>
  );
}

/** A day of the range. What is being typed is kept here until it is a day. */
function DayField({
  label,
  value,
  onChange,
  isDay,
  error,
}: {
  label: string;
  value: string;
  onChange: (day: string) => void;
  isDay: (text: string) => boolean;
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
        title={`Days are the market's (${timeZone}), like those of the dashboard.`}
        onChange={(event) => {
          const day = event.target.value;
          setText(day);
          if (day === '' || isDay(day)) onChange(day);
        }}
      />
    </Field>
  );
}
