import type { MESSAGE_MAX } from '#contract/messages';

/** The most characters a message may have; the contract's own, without loading its schemas. */
export const MESSAGE_LENGTH: typeof MESSAGE_MAX = 2000;
