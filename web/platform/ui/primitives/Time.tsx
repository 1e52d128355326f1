import { formatInstant, formatTime } from '../../format/format.ts';
import {
  formatDate,
  formatDateTime,
  formatFullDate,
  formatNearDate,
  formatNearDateTime,
  formatRelative,
} from '../../format/near-day.ts';
import { useNow, useToday } from '../../hooks/use-now.ts';

const near = { date: formatNearDate, day: formatFullDate, datetime: formatNearDateTime };
const plain = { date: formatDate, day: formatFullDate, datetime: formatDateTime };

type Props = { value: string; className?: string | undefined };

/**
 * Shows an instant (ISO 8601) as `date` or `datetime`, with 'Today' and 'Yesterday' unless it stands in
 * the middle of a sentence; as `day`, a date with its year; as `time`; or as `relative`. Updates itself.
 * The exact time is the tooltip.
 */
export function Time({
  as = 'datetime',
  inSentence = false,
  ...props
}: Props & { as?: 'date' | 'day' | 'time' | 'datetime' | 'relative'; inSentence?: boolean }) {
  if (as === 'relative') return <Relative {...props} />;
  if (as === 'time') return <Text {...props} text={formatTime(props.value)} />;
  return <Day {...props} format={(inSentence ? plain : near)[as]} />;
}

function Day({ format, ...props }: Props & { format: (iso: string, today: string) => string }) {
  return <Text {...props} text={format(props.value, useToday())} />;
}

function Relative(props: Props) {
  return <Text {...props} text={formatRelative(props.value, useNow(15_000))} />;
}

function Text({ value, text, className }: Props & { text: string }) {
  return (
    <time dateTime={value} title={formatInstant(value)} className={className}>
      {text}
    </time>
  );
}
