/** How many free slots are named in the place of one that takes no order. */
export const NEAREST_SLOTS_SHOWN = 2;

/** When and where a slot is. */
interface SlotPosition {
  startsAt: string;
  place: { _id: string };
}

/**
 * Returns how to compare slots that may stand in for another one: those of its place come first, on whatever day, and
 * among them the nearest in time. Without a place only the time counts.
 */
export function byNearness(to: { startsAt: string; place?: { _id: string } | undefined }) {
  const distance = ({ startsAt }: SlotPosition) =>
    Math.abs(Date.parse(startsAt) - Date.parse(to.startsAt));
  const isElsewhere = ({ place }: SlotPosition) => Number(place._id !== to.place?._id);
  return (one: SlotPosition, other: SlotPosition): number =>
    isElsewhere(one) - isElsewhere(other) || distance(one) - distance(other);
}
