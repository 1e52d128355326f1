/** The rules of a farm's days, for whoever writes orders. */
export {
  CUTOFF_TIMER,
  cutoffTimerKey,
  moveCutoffTimers,
  readCutoffTimerKey,
} from './cutoff-timers.ts';
export {
  type MomentRefusal,
  momentRefused,
  refuseFarDay,
  refuseMoment,
  refuseSkipped,
} from './refusal.ts';
export { cutoffInstant, freeOrdersUntil, isClosedDay, ordersUntil } from './rules.ts';
