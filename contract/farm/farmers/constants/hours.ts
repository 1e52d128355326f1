/** Hours from one time of a day to another; equal times mean all day, and an end before its start is on the next day. */
export type OpeningSpan = { open: string; close: string };

/** Most spans of opening hours of one day. */
export const OPENING_SPANS_MAX = 4;

/**
 * Returns all hours of a day, the first ones in `open` and `close` as they have always been; none of a closed day, or
 * of one that lacks an end.
 */
export const spansOf = ({
  open,
  close,
  more = [],
}: OpeningSpan & { more?: OpeningSpan[] | undefined }): OpeningSpan[] =>
  open === '' || close === '' ? [] : [{ open, close }, ...more];

/** Returns the place of the first span of a day that begins within another one; -1 where none does. */
export const overlappingSpan = (spans: readonly OpeningSpan[]): number =>
  spans.findIndex(({ open }, index) =>
    spans.some((other, at) => {
      if (at === index) return false;
      const isOver =
        other.open === other.close || other.open < open || (other.open === open && at < index);
      return isOver && (other.close <= other.open || open < other.close);
    }),
  );
