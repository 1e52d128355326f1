// What other features use of slots.
export { closingOf, offerOf } from './closing.ts';
export { moveSlots, placeChanged, remakeSlots, setNextDay } from './make-slots.ts';
export { lockSlots, type SlotWithFarm } from './read.ts';
export { slotRefused } from './refusal.ts';
