/** What other ways to change an order need of proposals. */
export { answerByOf } from './answer-by.ts';
export { writeProposal } from './commands.ts';
export { openChange } from './refusals.ts';
