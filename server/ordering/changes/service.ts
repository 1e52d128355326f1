/** What other ways to change an order need of proposals. */
export { answerByOf } from './answer-by.ts';
export { withTimers } from './propose.ts';
export { openChange } from './refusals.ts';
