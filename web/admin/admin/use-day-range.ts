import { useSearchParam } from '../../platform/hooks/use-search-param.ts';

/** The days that the server accepts. A year that is being typed is not among them. */
const isDay = (text: string): boolean => /^(19|2\d)\d\d-\d\d-\d\d$/.test(text);

/** A range of days as it is shown and as the API takes it. */
export type DayRange = ReturnType<typeof useDayRange>;

/**
 * State of a range of days that is kept in the URL as `?from=` and `?to=`. A range whose last day comes
 * before the first is shown as an error and filters by the first day alone.
 */
export function useDayRange() {
  const [fromText, setFrom] = useSearchParam('from');
  const [toText, setTo] = useSearchParam('to');
  const from = isDay(fromText) ? fromText : '';
  const to = isDay(toText) ? toText : '';
  const isReversed = from !== '' && to !== '' && to < from;
  return {
    from,
    to,
    setFrom,
    setTo,
    error: isReversed ? "The last day can't be before the first." : undefined,
    filter: { from: from || undefined, to: isReversed ? undefined : to || undefined },
    isDay,
  };
}
