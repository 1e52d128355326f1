import type { FarmRole } from '#contract/platform/session/constants';

/** The names of the roles on a farm. */
export const ROLE_NAMES: Record<FarmRole, string> = {
  owner: 'Owner',
  manager: 'Manager',
  packer: 'Packer',
  seller: 'Seller',
};

/** What each role may do, as a sentence. */
export const ROLE_TEXTS: Record<FarmRole, string> = {
  owner: 'Everything, the people and the farm itself included.',
  manager: 'Orders, products, messages and the farm profile.',
  packer: 'Sees orders and products, and packs.',
  seller: 'Hands orders over and answers messages.',
};
